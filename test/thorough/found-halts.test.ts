/** @module-tag thorough */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { addAgent } from '../support/edit-drivers.ts';
import { aFactory, type Factory, type Watchdog } from '../support/factory.ts';
import { FINAL, issue, judges, answerOnce, writes } from '../support/scenario.ts';
import { PATH, resume, version, write } from '../support/versions.ts';

const LOCK = 'TASK_CONTRACT.json.lock';
const CONTRACT = 'TASK_CONTRACT.json';
const refuses = judges('FAIL', { blocking_issues: [issue('four is wrong')] });
const slowly = { does: [{ touch: 'at' }, { 'wait-for': 'go' }] };

/** A line that the judge stopped. */
async function halted(): Promise<{ readonly factory: Factory; readonly dog: Watchdog }> {
  const factory = await aFactory({
    scenario: {
      implementer: [answerOnce(write(1)), write(2)],
      judge: [answerOnce(judges('CRITICAL_HALT')), judges('PASS')],
    },
  });
  const { dog, status } = await factory.run(aContract());
  expect(status).toBe('erik_consultation');
  return { factory, dog };
}

/** A paper as somebody edits it: one more requirement. */
function edit(factory: Factory, from: string, to = from): string {
  const contract = JSON.parse(factory.paper(from) ?? '') as { specification: { requirements: string[] } };
  contract.specification.requirements.push('EDITED BY ERIK');
  const text = `${JSON.stringify(contract, null, 2)}\n`;
  factory.drop(text, to);
  return text;
}

describe('what somebody edits while the line is halted', () => {
  test.each([
    ['the lock, with a daemon', LOCK, true],
    ['the lock, without a daemon', LOCK, false],
    ['a contract of the same task beside the lock, with a daemon', CONTRACT, true],
    ['a contract of the same task beside the lock, without a daemon', CONTRACT, false],
  ])('is never overwritten: %s, resume is refused in words until it is moved away', async (_, name, running) => {
    const { factory, dog } = await halted();
    const original = factory.paper(LOCK) ?? '';
    if (!running) await dog.stop();
    const text = edit(factory, LOCK, name);
    await sleep(running ? 1500 : 0);
    expect(factory.paper(name)).toBe(text);
    for (const path of ['1', '2']) {
      const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', path);
      expect(code).toBe(2);
      expect(stderr).toContain(`_handoff/${name} was edited`);
    }
    expect(factory.paper(name)).toBe(text);
    expect((await factory.show('DOC-001')).status).toBe('erik_consultation');

    if (name === LOCK) factory.drop(original, LOCK);
    else rmSync(join(factory.handoff, name));
    const next = running ? dog : await factory.watch();
    await resume(factory, 1);
    expect(await factory.end(next)).toBe('merged');
  });

  test.each([LOCK, CONTRACT])('survives a restart of the daemon (%s)', async (name) => {
    const { factory, dog } = await halted();
    await dog.stop();
    const text = edit(factory, LOCK, name);
    await factory.watch();
    await sleep(1300);
    expect(factory.paper(name)).toBe(text);
  });

  test.each([true, false])(
    'in the lock is no reason to refuse andon abandon, and kept (daemon: %s)',
    async (running) => {
      const { factory, dog } = await halted();
      if (!running) await dog.stop();
      const text = edit(factory, LOCK);
      const { code, stdout } = await factory.andon('abandon', 'DOC-001');
      expect(code).toBe(0);
      const [, kept = ''] = /the edited lock is kept as _handoff\/(\S+\.json)/.exec(stdout) ?? [];
      expect(factory.paper(kept)).toBe(text);
      expect(factory.paper(LOCK)).toBeUndefined();
      expect((await factory.show('DOC-001')).status).toBe('abandoned');
    },
  );

  test('as a contract beside the lock is the next one when the task is abandoned', async () => {
    const { factory, dog } = await halted();
    await dog.stop();
    const text = edit(factory, LOCK, CONTRACT);
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    expect(factory.paper(CONTRACT)).toBe(text);
    expect((await factory.show('DOC-001')).status).toBe('abandoned');
    const again = await factory.watch();
    await again.until(async () => (await factory.show('DOC-001')).status !== 'abandoned');
    expect(factory.paper(`archive/DOC-001/${CONTRACT}`)).toContain('"abandoned"');
  });
});

describe('a task whose judge said FAIL', () => {
  const scenario = { implementer: [answerOnce(write(1)), write(2)], judge: [answerOnce(refuses), judges('PASS')] };

  test('and whose implementer then could not be reached is written again after resume, not judged again', async () => {
    const factory = await aFactory({
      scenario: { ...scenario, judge: [answerOnce({ ...refuses, ...slowly }), judges('PASS')] },
    });
    const dog = await factory.begin(aContract(), 'at');
    const file = join(factory.folder, 'agents/scenario.json');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(good) as object), models: {} }));
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
    writeFileSync(file, good);
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read(PATH)).toBe(version(2));
    const judged = factory.calls('judge').map(({ prompt }) => /^commit: (\S+)$/m.exec(prompt)?.[1]);
    expect(judged).toHaveLength(2);
    expect(new Set(judged).size).toBe(2);
    expect(factory.calls('implementer').at(-1)?.prompt).toContain('Put right: four is wrong');
  });

  test("and whose next answer was refused is still told the judge's required fixes", async () => {
    const outside = writes({ [PATH]: version(2), 'README.md': 'mine now\n' });
    const factory = await aFactory({
      scenario: { ...scenario, implementer: [answerOnce(write(1)), answerOnce(outside), write(3)] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    const [, second = '', third = ''] = factory.calls('implementer').map(({ prompt }) => prompt);
    expect(second).toContain('Put right: four is wrong');
    expect(third).toContain('Put right: four is wrong');
    expect(third).toContain('README.md');
    expect(factory.read(PATH)).toBe(version(3));
  });
});

describe('the side that a human took', () => {
  test('holds when the merge is blocked after it and is tried again', async () => {
    const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });
    const factory = await aFactory({ scenario: { judge: [absent] } });
    const { dog } = await factory.run(aContract({ 'limits.max_rebuttals': 0 }));
    expect(factory.breaker()).toBe('rebuttal_limit');
    factory.write(PATH, 'my own unfinished version\n');
    await resume(factory, 1);
    await dog.until(() => factory.breaker() === 'merge_blocked' && factory.isHalted());
    rmSync(join(factory.repo, PATH));
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(1);
    expect(factory.calls('judge')).toHaveLength(1);
    expect(factory.git('log', '-1', '--format=%B', factory.merges()[0] ?? '')).toContain('Andon-Decided-By: human');
  });
});

describe('a contract that is rewritten while its task runs', () => {
  test('into an invalid version is refused in writing; never are two tasks under way', async () => {
    const factory = await aFactory({ scenario: { implementer: [{ ...write(1), ...slowly }] } });
    const dog = await factory.begin(aContract(), 'at');
    factory.drop(aContract({ git: { base_branch: 'nope' } }));
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('base_branch'));
    expect((await factory.status()).task).toMatchObject({ task_id: 'DOC-001', status: 'pending_implementer' });
    factory.drop(aContract({ task_id: 'DOC-002' }));
    await sleep(1300);
    const underWay = async (): Promise<readonly string[]> =>
      (await factory.list())
        .filter(({ status }) => !['merged', 'abandoned'].includes(status))
        .map(({ task_id: id }) => id);
    expect(await underWay()).toEqual(['DOC-001']);
    factory.signal.give('go');
    const ended = await factory.end(dog);
    if (ended === 'erik_consultation') {
      expect(factory.breaker()).toBe('contract_tampered');
      expect(await underWay()).toEqual(['DOC-001']);
    } else expect(ended).toBe('merged');
  });

  test('into an invalid version, and left so, stops the line as tampered with at the next transition', async () => {
    const factory = await aFactory({ scenario: { implementer: [{ ...write(1), ...slowly }] } });
    const dog = await factory.begin(aContract(), 'at');
    factory.drop(aContract({ git: { base_branch: 'nope' } }));
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    expect(factory.processes().length).toBeGreaterThan(0);
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('contract_tampered');
    await resume(factory, 2);
    expect(await factory.end(dog)).toBe('merged');
  });
});

test('a contract that is rewritten while an agent works outside the cage is never taken unseen, and keeps its counters', async () => {
  const factory = await aFactory({ files: { '.andon/agents/mine-writer.yaml': 'driver: mine\nmodel: m1\n' } });
  const wider = aContract({ 'roles.implementer': 'mine-writer', 'constraints.allowed_paths': ['**'] });
  const program = join(factory.folder, 'works-as-you.mjs');
  const answer = `FILE: ${PATH}\n\`\`\`text\n${FINAL}\`\`\`\n\nNOTES:\nAs asked.\n`;
  const script = `import { existsSync, writeFileSync } from 'node:fs';
if (!existsSync(${JSON.stringify(`${program}.did`)})) {
  writeFileSync(${JSON.stringify(`${program}.did`)}, '');
  writeFileSync(${JSON.stringify(join(factory.handoff, 'TASK_CONTRACT.json'))}, ${JSON.stringify(JSON.stringify(wider))});
  setTimeout(() => {}, 60_000);
} else console.log(${JSON.stringify(answer)});
`;
  writeFileSync(program, `#!/usr/bin/env node\n${script}`);
  chmodSync(program, 0o755);
  addAgent(factory, 'mine', { program, calls: { text: { args: [] } }, output: { format: 'text' }, billing: 'free' });
  const { dog, status } = await factory.run(aContract({ 'roles.implementer': 'mine-writer' }));
  expect(status).toBe('erik_consultation');
  expect(factory.breaker()).toBe('contract_tampered');
  expect(factory.paper('ERIK_HALT.md')).toContain('"**"');
  await resume(factory, 1);
  expect(await factory.end(dog), dog.output()).toBe('merged');
  expect((await factory.show('DOC-001')).attempt).toBe(2);
});

describe('a halt for files outside the scope', () => {
  test('never offers to widen it by a name that reads as a pattern', async () => {
    const factory = await aFactory({
      files: { 'secret/deploy.sh': 'echo secret\n' },
      scenario: { implementer: [writes({ 'secret/d*y.sh': 'other\n' })] },
    });
    const { dog } = await factory.run(aContract());
    expect(factory.breaker()).toBe('scope');
    expect(factory.paper('ERIK_HALT.md')).not.toContain('Widen the scope');
    factory.script({ implementer: [writes({ 'secret/deploy.sh': 'other\n' })] });
    const before = (await factory.show('DOC-001')).halt?.id;
    await resume(factory, 1);
    await dog.until(async () => {
      const { halt } = await factory.show('DOC-001');
      return halt !== null && halt.id !== before;
    });
    expect(factory.breaker()).toBe('scope');
    expect(factory.merges()).toEqual([]);
    expect(factory.read('secret/deploy.sh')).toBe('echo secret\n');
  });
});
