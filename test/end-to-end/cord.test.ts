import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { choose } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { FINAL, answerOnce, createReply, writes } from '../support/scenario.ts';

const SILENT = [answerOnce(createReply('', { does: ['silent'] })), writes({ 'docs/auth_final.md': FINAL })];
const CHANGED = { 'constraints.max_diff_size': 3 };

/** A task whose implementer has begun, and says nothing. */
async function aTaskAtWork(options: { readonly apart?: boolean } = {}) {
  const factory = await aFactory({ ...options, scenario: { implementer: SILENT } });
  const dog = await factory.begin(aContract());
  await eventually(() => factory.calls('implementer').length === 1, 'the implementer works');
  return { factory, dog };
}

describe('the cord', () => {
  test('ends what runs, halts with the reason, and going on costs no strike', async () => {
    const { factory, dog } = await aTaskAtWork();
    const halted = await factory.andon('halt', 'DOC-001', '--reason', 'wrong file, I will rewrite it');
    expect([halted.code, halted.stdout]).toEqual([0, expect.stringContaining('is halted')]);
    await dog.until(factory.isHalted);
    const [, id = 'none'] = /^<!-- .*"halt":"([^"]+)".* -->$/m.exec(factory.paper('ERIK_HALT.md') ?? '') ?? [];
    expect(halted.stdout).toContain(`andon resume DOC-001 --path 1 --halt ${id}`);
    for (const wrong of [[], ['--path', '3'], ['--decision', 'erik'], ['--decision', 'claude']]) {
      const { code, stderr } = await factory.andon('resume', 'DOC-001', ...wrong);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--halt ${id}  # or --path 2`)]);
    }
    expect(factory.breaker()).toBe('cord');
    expect(factory.paper('ERIK_HALT.md')).toContain('wrong file, I will rewrite it');
    await eventually(() => factory.processes().every(({ command }) => !command.includes('ollama')), 'it has ended');
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await dog.until(() => factory.isMerged());
    expect(await factory.story()).not.toContain('strike');
  });

  test('survives a kill -9 and a restart without counting anything twice', { tags: 'thorough' }, async () => {
    const { factory, dog } = await aTaskAtWork({ apart: true });
    await factory.andon('halt', 'DOC-001');
    await dog.until(factory.isHalted);
    await dog.kill9();
    const again = await factory.watch();
    expect(factory.breaker()).toBe('cord');
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await again.until(() => factory.isMerged());
    expect((await factory.show('DOC-001')).attempt).toBe(2);
  });

  test(
    'can be pulled by a file STOP; nothing goes on or starts while it lies there',
    { tags: 'thorough' },
    async () => {
      const { factory, dog } = await aTaskAtWork();
      factory.drop('dinner\n', 'STOP');
      await dog.until(factory.isHalted);
      expect(factory.paper('ERIK_HALT.md')).toContain('dinner');
      const refused = await factory.andon('resume', 'DOC-001', '--path', '1');
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('_handoff/STOP is there')]);
      rmSync(join(factory.handoff, 'STOP'));
      expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
      await dog.until(() => factory.isMerged());
    },
  );

  test(
    'by STOP: a DECISION.json does not count while STOP is there, and counts once it is gone',
    { tags: 'thorough' },
    async () => {
      const { factory, dog } = await aTaskAtWork();
      factory.drop('', 'STOP');
      await dog.until(factory.isHalted);
      expect(factory.paper('ERIK_HALT.md')).toContain('Remove _handoff/STOP first, if it is there.');
      choose(factory, 1);
      await dog.until('does not count: _handoff/STOP is there, so nothing may go on; remove it: then an answer');
      rmSync(join(factory.handoff, 'STOP'));
      await dog.until(() => factory.isMerged());
    },
  );

  test('works whatever the configuration holds, and so do the commands that look', { tags: 'thorough' }, async () => {
    const { factory, dog } = await aTaskAtWork();
    await dog.stop();
    mkdirSync(join(factory.repo, '.andon'), { recursive: true });
    writeFileSync(join(factory.repo, '.andon/config.yaml'), 'bad: [');
    expect(await factory.andon('pause')).toMatchObject({ code: 0, stderr: '' });
    for (const words of [['list'], ['logs'], ['digest'], ['queue'], ['show', 'DOC-001']])
      expect(await factory.andon(...words)).toMatchObject({ code: 0, stderr: '' });
    expect(await factory.andon('status')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('DOC-001') as unknown,
      stderr: expect.stringContaining('.andon/config.yaml: Flow sequence') as unknown,
    });
    expect((await factory.andon('check', '--staged')).code).toBe(2);
    factory.write('.andon/config.yaml', 'bad: [');
    expect(await factory.andon('halt', 'DOC-001')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the configuration of main') as unknown,
    });
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
  });

  test(
    'works without a watchdog, and is refused for a task that is not running or halted already',
    { tags: 'thorough' },
    async () => {
      const { factory, dog } = await aTaskAtWork();
      await dog.stop();
      expect((await factory.andon('halt', 'DOC-001')).code).toBe(0);
      expect(factory.isHalted()).toBe(true);
      const twice = await factory.andon('halt', 'DOC-001');
      expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/halted already[^]*andon pause/)]);
      expect((await factory.andon('halt', 'NONE-1')).code).toBe(2);
      expect((await factory.andon('abandon', 'DOC-001')).stdout).toContain(
        'What was committed of it stays in git, under refs/andon/DOC-001/.',
      );
    },
  );
});

describe('a task that was given up', () => {
  test(
    'is run again by andon resume --again, as it was written; its attempts keep their numbers',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const { dog } = await factory.run(aContract(CHANGED));
      await factory.andon('abandon', 'DOC-001');
      expect((await factory.andon('retry', 'DOC-001')).stdout).toContain('is submitted again');
      await dog.until(factory.isHalted);
      expect((await factory.show('DOC-001')).attempt).toBe(2);
    },
  );
});

describe('a paused line', () => {
  test(
    'finishes the step that runs, starts no other, stays paused over a restart, and goes on',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const dog = await factory.watch();
      expect((await factory.andon('pause')).stdout).toContain('is paused');
      factory.drop(aContract());
      await dog.stop();
      const again = await factory.watch();
      expect((await factory.andon('status')).stdout).toMatch(/paused by .* since/);
      expect(factory.calls()).toEqual([]);
      expect((await factory.andon('unpause')).code).toBe(0);
      await again.until(() => factory.isMerged());
    },
  );

  test('is paused and let go without a watchdog too; twice changes nothing', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    for (const command of ['pause', 'pause', 'unpause', 'unpause']) expect((await factory.andon(command)).code).toBe(0);
    expect((await factory.status()).paused).toBeNull();
  });
});

describe('andon status', () => {
  test('says what waits, what was refused, and why nothing starts', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    factory.drop('never\n', 'STOP');
    const dog = await factory.watch();
    await dog.until('_handoff/STOP is there; remove it, and answer what it halted, to go on');
    factory.drop(aContract());
    const { stdout } = await factory.andon('status');
    expect(stdout).toContain('_handoff/STOP is there; remove it, and answer what it halted, to go on');
    expect(stdout).toContain('a contract waits: _handoff/TASK_CONTRACT.json');
    factory.drop({ ...aContract(), project: '' });
    rmSync(join(factory.handoff, 'STOP'));
    await dog.until('is refused');
    expect((await factory.andon('status')).stdout).toContain(
      'a contract was refused: read _handoff/CONTRACT_REJECTED.md',
    );
  });
});
