import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nonceTold } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { report } from '../support/outside-report.ts';
import { answerOnce, answerTimes, judges } from '../support/scenario.ts';

const EXTERNAL = { projectConfig: { judge: 'external' } };

/** A line that has asked a judge outside, and how he takes the request and answers. */
async function anAskedLine(contract: Parameters<typeof aContract>[0] = {}) {
  const factory = await aFactory(EXTERNAL);
  const dog = await factory.begin(aContract(contract));
  const request = join(factory.handoff, 'REVIEW_REQUEST.md');
  const inProgress = join(factory.handoff, 'REVIEW_IN_PROGRESS.md');
  const isAsked = (): Promise<void> => dog.until(() => existsSync(request));
  await isAsked();
  return {
    factory,
    dog,
    isAsked,
    take: (): void => renameSync(request, inProgress),
    giveBack: (): void => rmSync(inProgress),
    answer: (text: string): void => writeFileSync(join(factory.handoff, 'JUDGE_REPORT.json'), text),
  };
}

describe('a judge outside', () => {
  test('is refused before anything is said of waiting where andon judges itself', async () => {
    const factory = await aFactory();
    const { code, stdout, stderr } = await factory.andon('judge');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('judge: external');
  });
});

describe('a judge outside', { tags: 'thorough' }, () => {
  test('may be the bash loop of the blueprint', async () => {
    const factory = await aFactory(EXTERNAL);
    writeFileSync(join(factory.folder, 'home', 'report.json'), report());
    // The blueprint's loop; its claude writes both reports and ends.
    const loop = `while true; do
      if [ -f "_handoff/REVIEW_REQUEST.md" ]; then
        mv _handoff/REVIEW_REQUEST.md _handoff/REVIEW_IN_PROGRESS.md
        echo "# fine" > _handoff/JUDGE_REPORT.md; cp "$HOME/report.json" _handoff/JUDGE_REPORT.json
        rm _handoff/REVIEW_IN_PROGRESS.md
      fi
      sleep 0.1
    done`;
    const bash = spawn('sh', ['-c', loop], {
      cwd: factory.repo,
      env: { PATH: process.env['PATH'] ?? '', HOME: join(factory.folder, 'home') },
      stdio: 'ignore',
    });
    onTestFinished(() => void bash.kill('SIGKILL'));
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toEqual([]);
  });

  test('may be a human who writes the report in his own time', async () => {
    const { factory, dog, take, answer } = await anAskedLine();
    await dog.until(/DOC-001: waits for a judge: type `andon agents judge`, or rename/);
    expect((await factory.andon('status')).stdout).toContain('waits for a judge: type `andon agents judge`');
    // He takes the request, as the loop does; a report that nobody took the request for must name its commit.
    take();
    answer(report().slice(0, 20));
    await new Promise((done) => {
      setTimeout(done, 300);
    });
    answer(report());
    expect(await factory.end(dog)).toBe('merged');
  });

  test('whose report is no JSON is told so while he is waited for', async () => {
    const { factory, dog, take, answer } = await anAskedLine();
    take();
    answer('{"task_id": "DOC-001",}');
    await dog.until(/DOC-001: JUDGE_REPORT\.json is no valid JSON: .*; still waiting for a whole one/);
    answer(report());
    expect(await factory.end(dog)).toBe('merged');
  });

  test('who gives the request back without a report is asked again, and the third time the line stops', async () => {
    const { factory, dog, isAsked, take, giveBack } = await anAskedLine();
    for (let round = 0; round < 3; round += 1) {
      await isAsked();
      take();
      giveBack();
    }
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain('unreadable_report');
  });

  test('who never takes a request and writes reports that do not count leaves no request behind at the halt', async () => {
    const { factory, dog, isAsked, answer } = await anAskedLine();
    for (let round = 1; round <= 3; round += 1) {
      await isAsked();
      answer(report());
      await dog.until(() => (dog.output().match(/does not name the commit/g) ?? []).length >= round);
    }
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('unreadable_report');
    expect(factory.has('_handoff/REVIEW_REQUEST.md')).toBe(false);
    expect(factory.has('_handoff/REVIEW_IN_PROGRESS.md')).toBe(false);
  });

  test('waits, and says for what, while a ceiling of the user is reached; a higher one lets him judge', async () => {
    const factory = await aFactory(EXTERNAL);
    const file = join(factory.folder, 'config/andon/config.yaml');
    const config = readFileSync(file, 'utf8');
    writeFileSync(file, `${config}ceilings: {night: {calls: 2}}\n`);
    const dog = await factory.begin(aContract());
    await dog.until(() => existsSync(join(factory.handoff, 'REVIEW_REQUEST.md')));
    const { child, ended, output } = factory.start(['judge']);
    await dog.until(() => output().includes('the ceiling per night of 2 calls is reached: 2 calls used; nothing new'));
    expect([factory.calls('judge'), factory.has('_handoff/REVIEW_REQUEST.md')]).toEqual([[], true]);
    writeFileSync(file, `${config}ceilings: {night: {calls: 3}}\n`);
    expect(await factory.end(dog)).toBe('merged');
    expect((await ended).code).toBe(0);
    child.kill();
  });

  test('waits for a limit of his provider as the line does: the request stands, and nothing counts as a report', async () => {
    const factory = await aFactory({
      projectConfig: { ...EXTERNAL.projectConfig, hold: { retry_minutes: 0.005 } },
      scenario: {
        judge: [answerTimes(4, judges('PASS', {}, { does: [{ 'usage-limit': 'for now' }] })), judges('PASS')],
      },
    });
    const dog = await factory.begin(aContract());
    await dog.until(() => existsSync(join(factory.handoff, 'REVIEW_REQUEST.md')));
    expect(await factory.andon('judge')).toMatchObject({ code: 0, stdout: expect.stringContaining('unavailable') });
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(5);
    expect(dog.output()).not.toContain('without writing JUDGE_REPORT.json');
  });

  test('who is stopped leaves the request to the next one', async () => {
    const factory = await aFactory({
      ...EXTERNAL,
      scenario: { judge: [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, 'silent'] })), judges('PASS')] },
    });
    const dog = await factory.begin(aContract());
    await dog.until(() => existsSync(join(factory.handoff, 'REVIEW_REQUEST.md')));
    const { child, ended } = factory.start(['judge']);
    await dog.until(() => factory.calls('judge').length === 1 && factory.has('_handoff/REVIEW_IN_PROGRESS.md'));
    child.kill('SIGINT');
    await ended;
    await dog.until('the judge put the request back');
    expect(factory.has('_handoff/REVIEW_REQUEST.md')).toBe(true);
    expect((await factory.andon('judge')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
    expect(dog.output()).not.toContain('without writing JUDGE_REPORT.json');
  });

  test('who cannot begin gives the request back, and his call counts as nothing', async () => {
    const factory = await aFactory(EXTERNAL);
    const file = join(factory.folder, 'config/andon/config.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}ceilings: {night: {calls: 3}}\n`); // two before him, and his
    const dog = await factory.begin(aContract());
    await dog.until(() => existsSync(join(factory.handoff, 'REVIEW_REQUEST.md')));
    factory.env['ANDON_FAILPOINT'] = 'folders.desk.before-write:error=EMFILE';
    expect(await factory.start(['judge']).ended).toMatchObject({ code: 1, stderr: expect.stringContaining('EMFILE') });
    delete factory.env['ANDON_FAILPOINT'];
    expect(factory.has('_handoff/REVIEW_IN_PROGRESS.md')).toBe(false);
    await dog.until(() => existsSync(join(factory.handoff, 'REVIEW_REQUEST.md')));
    expect((await factory.andon('judge')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
  });

  test('who was sent to another commit by an edited request is not believed, unless he names the right one', async () => {
    const { factory, dog, isAsked, take, answer } = await anAskedLine();
    const takeElsewhere = (): string => {
      const request = factory.paper('REVIEW_REQUEST.md') ?? '';
      take();
      factory.drop(request.replace(/commit: `\w+`/, `commit: \`${'1'.repeat(40)}\``), 'REVIEW_IN_PROGRESS.md');
      return request;
    };
    takeElsewhere();
    await dog.until(() => factory.face() === 'review_in_progress');
    answer(report());
    await dog.until('does not name the commit it judged');
    await isAsked();
    const request = takeElsewhere();
    const [commit, contract_digest] = [/commit: `(\w+)`/, /digest: `(\w+)`/].map((named) => named.exec(request)?.[1]);
    answer(report({ commit, contract_digest }));
    expect(await factory.end(dog)).toBe('merged');
  });

  test('finds the request as andon wrote it, though somebody edited it before it was taken', async () => {
    const { factory, dog } = await anAskedLine();
    const request = factory.paper('REVIEW_REQUEST.md');
    factory.drop('Judge something else.\n', 'REVIEW_REQUEST.md');
    await dog.until(() => factory.paper('REVIEW_REQUEST.md') === request);
  });

  test('cannot decide on its own report beforehand: the nonce is drawn after it is read', async () => {
    const { factory, dog, take, answer } = await anAskedLine({ 'roles.floor_manager': 'human' });
    take();
    const written = report();
    const guess = createHash('sha256').update(written).digest('hex').slice(0, 16);
    factory.drop({ task_id: 'DOC-001', decision: 'merge', nonce: guess }, 'DECISION.json');
    answer(written);
    await dog.until('waits for your _handoff/DECISION.json');
    expect(nonceTold(dog)).not.toBe(guess);
    await dog.until('_handoff/DECISION.json');
    expect(factory.merges()).toEqual([]);
    factory.drop({ task_id: 'DOC-001', decision: 'merge', nonce: nonceTold(dog) }, 'DECISION.json');
    expect(await factory.end(dog)).toBe('merged');
  });

  test('may be andon agents judge --watch', async () => {
    const factory = await aFactory(EXTERNAL);
    const judge = factory.start(['judge', '--watch']);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
    expect(judge.output()).toContain('report written');
  });
});
