/** @module-tag thorough */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { gitIn, madeAnew, stateOf } from '../support/places.ts';
import { FINAL, judges, answerOnce, writes } from '../support/scenario.ts';

const FLAGS = ['--allow', 'docs/', '--require', 'Merge both documents'];
const make = async (factory: Factory, id: string): Promise<string> =>
  (await factory.andon('new', '--id', id, ...FLAGS)).stdout;

describe('who hands a contract in is told when it is taken up', () => {
  test('by the watchdog that runs; not while STOP is there; not while the line is paused; else when andon watch runs', async () => {
    const factory = await aFactory();
    expect(await make(factory, 'A-1')).toContain('Run `andon watch` to start the line.');
    rmSync(factory.handoff, { recursive: true });
    mkdirSync(factory.handoff);
    writeFileSync(join(factory.handoff, 'STOP'), '');
    expect(await make(factory, 'A-2')).toMatch(/Nothing starts now: _handoff\/STOP is there.* No watchdog is running/);
    const dog = await factory.watch();
    expect(await make(factory, 'A-3')).toMatch(
      /Nothing starts now: _handoff\/STOP is there; remove it, and answer what it halted, to go on\. (?!No watchdog)/,
    );
    await factory.andon('pause');
    rmSync(join(factory.handoff, 'STOP'));
    expect(await make(factory, 'A-4')).toContain('Nothing starts now: paused by');
    await factory.andon('unpause');
    await dog.until(() => factory.isMerged('A-2'));
    expect(await make(factory, 'A-5')).toContain('The watchdog that runs here takes it up.');
  });
});

describe('a journal that was lost', () => {
  test('is named by watch, status and doctor with its tasks, and new contracts run as usual', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract());
    await dog.stop();
    expect((await factory.andon('status')).stdout).not.toContain('the journal');
    rmSync(stateOf(factory), { recursive: true });
    const words = 'the journal does not know DOC-001, although git or _handoff/archive/ holds work';
    expect((await factory.andon('status')).stdout).toContain(words);
    expect(await factory.status()).toMatchObject({ journal_lost: expect.stringContaining(words) });
    expect((await factory.andon('doctor', '--no-gates')).stdout).toMatch(
      /^warn +journal +the journal does not know DOC-001/m,
    );
    const again = await factory.watch();
    await again.until(words);
    const line = 'Whoever has lost the passkey asks an administrator.';
    const evidence = [{ file: 'docs/auth_final.md', line: null, quote: line }];
    factory.script({
      implementer: [writes({ 'docs/auth_final.md': `${FINAL}${line}\n` })],
      judge: [judges('PASS', { evidence })],
    });
    factory.drop(aContract({ task_id: 'DOC-002' }));
    expect(await factory.end(again, 'DOC-002')).toBe('merged');
  });

  test('at its end only is known by the transition log', async () => {
    const factory = await aFactory({ scenario: { judge: [answerOnce(judges('CRITICAL_HALT')), judges('PASS')] } });
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const { DatabaseSync } = await import('node:sqlite');
    const journal = new DatabaseSync(join(stateOf(factory), 'journal.sqlite'));
    journal.exec('DELETE FROM entries WHERE seq > 3');
    journal.close();
    expect((await factory.andon('status')).stdout).toMatch(
      /the journal ends at entry 3, but _handoff\/transition\.ndjson tells of entry \d+/,
    );
  });
});

describe('andon watch over two repositories of which one cannot be watched', () => {
  test('names that one, watches the other, and says so with its exit code', async () => {
    const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
    const other = join(factory.folder, 'other');
    cpSync(factory.repo, other, { recursive: true });
    const { dog } = await factory.run(aContract());
    await dog.stop();
    rmSync(factory.handoff, { recursive: true });
    factory.write('README.md', 'Another one\n');
    madeAnew(factory);
    expect(gitIn(factory, other, 'branch', '--show-current')).toBe('main');

    const both = factory.start(['watch', factory.repo, other]);
    await eventually(() => both.output().includes(`watches ${other}`), 'the other is watched');
    const former = `${factory.repo} is not watched: DOC-001 was begun in a repository that lay here before`;
    await eventually(() => both.output().includes(former), 'it is said which one is not watched');
    await eventually(() => both.output().includes('andon abandon DOC-001'), 'it is said what to do');
    both.child.kill('SIGINT');
    expect((await both.ended).code).toBe(1);

    const alone = await factory.andon('watch', factory.repo);
    expect(alone.code).toBe(1);
  });
});

describe('andon doctor beside a running daemon', () => {
  test('ends neither its agent nor anything else, and the task goes on', async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'quick', run: 'true' }] },
      scenario: { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })] },
    });
    const dog = await factory.begin(aContract(), 'judging');
    const { pid = 0 } = factory.calls('judge')[0] ?? {};
    expect((await factory.andon('doctor', '--fix')).stdout).toContain('gate quick');
    expect(factory.processes().map((one) => one.pid)).toContain(pid);
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect((await factory.show('DOC-001')).calls.map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  test('and a daemon that starts beside the doctor does not end its gates', async () => {
    const factory = await aFactory({
      projectConfig: {
        gates: [{ name: 'slow', run: 'touch "$HOME/began"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done' }],
      },
    });
    const doctor = factory.start(['doctor']);
    const home = join(factory.folder, 'home');
    await eventually(() => readdirSync(home).includes('began'), 'the gate runs');
    await factory.watch();
    writeFileSync(join(home, 'go'), '');
    expect((await doctor.ended).stdout).toMatch(/^ok +gate slow +green/m);
  });
});
