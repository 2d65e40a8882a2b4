/** @module-tag thorough */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WAYS, aHalt, standing, takePath } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { issue, judges, answerOnce } from '../support/scenario.ts';
import { PATH, resume, version, write } from '../support/versions.ts';

const MINE = '# Authentication\n\nA token is valid for 15 minutes and can be renewed once.\n';
/** Within `max_diff_size: 3`, and with the line that the judge quotes. */
const evidence = [{ file: PATH, line: 3, quote: 'A token is valid for 15 minutes and can be renewed once.' }];
const scenario = { judge: [judges('PASS', { evidence })] };

/** Commits files on the task branch in a work tree of the user's own; gives the commit. */
function commit(factory: Factory, files: Readonly<Record<string, string>>, ...more: readonly string[]): string {
  const folder = join(factory.folder, 'by-hand');
  factory.git('worktree', 'add', '--quiet', folder, 'task/DOC-001');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  factory.git('-C', folder, 'add', '--all');
  factory.git('-C', folder, 'commit', '--quiet', '--message=By hand', ...more);
  factory.git('worktree', 'remove', '--force', folder);
  return factory.git('rev-parse', 'task/DOC-001');
}
const branch = (factory: Factory): string => factory.git('rev-parse', 'task/DOC-001');
const isReachable = (factory: Factory, id: string): boolean =>
  factory.git('for-each-ref', '--contains', id, '--format=%(refname)') !== '';
/** What landed is one commit of a commit's tree, and that commit is no part of the target's history. */
const expectLanded = (factory: Factory, id: string): void => {
  const [merge = ''] = factory.merges();
  expect(factory.git('rev-parse', `${merge}^2^{tree}`)).toBe(factory.git('rev-parse', `${id}^{tree}`));
  expect(factory.git('rev-list', 'main').split('\n')).not.toContain(id);
};
/** The author and the co-authors of what landed. */
const people = (factory: Factory): string =>
  factory
    .git('log', '-1', '--format=%an, %(trailers:key=Co-authored-by,valueonly)', `${factory.merges()[0] ?? ''}^2`)
    .trim();
const events = (factory: Factory): readonly unknown[] => factory.transitions().map(({ event }) => event);

describe("a human's commits on the task branch of a halted line", () => {
  test.each(WAYS)('are gated, reviewed, judged and merged, whoever says so (%s)', async (way) => {
    const { factory, dog } = await aHalt({
      scenario,
      projectConfig: { gates: [{ name: 'mine', run: "! grep -q 'Version' docs/auth_final.md" }] },
    });
    const mine = commit(factory, { [PATH]: MINE });
    await takePath(factory, way, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(MINE);
    expectLanded(factory, mine);
    expect(people(factory)).toBe('andon, Erik <erik@example.org>');
    expect(events(factory).slice(-5)).toEqual(
      ['resume', 'code_written', 'local_pass', 'review_started', 'judge_complete'].concat(['pass']).slice(-5),
    );
    expect(factory.calls('implementer')).toHaveLength(1);
    expect(factory.calls('judge').map(({ prompt }) => /^commit: (\S+)$/m.exec(prompt)?.[1])).toEqual([mine]);
    expect(factory.calls('reviewer').at(-1)?.prompt).toContain('A token is valid for 15 minutes');
  });

  test('made in the checkout itself are taken too', async () => {
    const { factory, dog } = await aHalt({ scenario });
    factory.git('switch', '--quiet', 'task/DOC-001');
    factory.write(PATH, MINE);
    factory.git('commit', '--quiet', '--all', '--message=By hand');
    factory.git('switch', '--quiet', 'main');
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(MINE);
  });

  test('are taken without a daemon too', async () => {
    const { factory, dog } = await aHalt({ scenario });
    await dog.stop();
    const mine = commit(factory, { [PATH]: MINE });
    await resume(factory, 1);
    const again = await factory.watch();
    await again.until(() => factory.isMerged());
    expectLanded(factory, mine);
  });

  test('are not merged as a tree that nobody judged, even by a path that merges', async () => {
    const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });
    const factory = await aFactory({ scenario: { judge: [absent] } });
    const { dog } = await factory.run(aContract({ 'limits.max_rebuttals': 0 }));
    expect(factory.breaker()).toBe('rebuttal_limit');
    const mine = commit(factory, { [PATH]: MINE });
    factory.script(scenario);
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.calls('judge')).toHaveLength(2);
    expectLanded(factory, mine);
    expect(factory.git('log', '-1', '--format=%B', factory.merges()[0] ?? '')).not.toContain('Andon-Decided-By');
  });

  test('are held to the limits of the contract: too large a change stops again', async () => {
    const { factory, dog } = await aHalt();
    commit(factory, { [PATH]: version(9) });
    await resume(factory, 1);
    await dog.until(async () => (await factory.show('DOC-001')).halt?.id === 'DOC-001-2' && factory.isHalted());
    expect(factory.breaker()).toBe('destructive_action');
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(version(9));
  });

  test('with a red gate go to the implementer with its output', async () => {
    const { factory, dog } = await aHalt({
      scenario: {
        implementer: [
          answerOnce(write(1)),
          { ...write(3), reply: `FILE: ${PATH}\n\`\`\`\`text\n${MINE}\`\`\`\`\n\nNOTES:\nx\n` },
        ],
        ...scenario,
      },
      projectConfig: { gates: [{ name: 'mine', run: '! grep -q broken docs/auth_final.md' }] },
    });
    commit(factory, { [PATH]: 'broken\n' });
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(events(factory)).toContain('gate_red');
    expect(factory.calls('implementer')).toHaveLength(2);
    expect(factory.read(PATH)).toBe(MINE);
  });

  test('outside the scope of the contract are refused in words; nothing moves, and nothing is lost', async () => {
    const { factory, dog } = await aHalt({ scenario });
    const mine = commit(factory, { [PATH]: MINE, 'README.md': '# Mine\n' });
    const before = standing(factory);
    const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', '1');
    expect(code).toBe(1);
    expect(stderr).toContain('change README.md, outside the scope of the contract');
    expect(stderr).not.toContain('    at ');
    await takePath(factory, 'DECISION.json', 1);
    await dog.until(/DECISION\.json does not count: your commits on task\/DOC-001/);
    expect(standing(factory)).toEqual(before);
    commit(factory, { 'README.md': '# Project A\n' });
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(MINE);
    expect(factory.read('README.md')).toBe('# Project A\n');
    expect(isReachable(factory, mine)).toBe(true);
  });

  test('stay in git when the path throws the attempt away, or ends the task', async () => {
    const { factory, dog } = await aHalt({
      scenario: { implementer: [answerOnce(write(1)), write(2)], ...scenario },
    });
    const mine = commit(factory, { [PATH]: MINE });
    await resume(factory, 2);
    await dog.until(async () => (await factory.show('DOC-001')).halt?.id === 'DOC-001-2' && factory.isHalted());
    expect(factory.calls('implementer').at(-1)?.prompt).not.toContain(MINE);
    expect(branch(factory)).not.toBe(mine);
    expect(isReachable(factory, mine)).toBe(true);
    const again = commit(factory, { [PATH]: `${MINE}again\n` });
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    expect(branch(factory)).toBe(again);
  });

  test('that a path threw away are not taken up by the next choice', async () => {
    const { factory, dog } = await aHalt({
      scenario: {
        implementer: [answerOnce(write(1)), { ...write(2), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }],
        ...scenario,
      },
    });
    const mine = commit(factory, { [PATH]: MINE });
    await resume(factory, 2);
    await dog.until(() => factory.signal.has('at'));
    expect((await factory.andon('halt', 'DOC-001', '--reason', 'wait')).code).toBe(0);
    await dog.until(factory.isHalted);
    factory.signal.give('go');
    await resume(factory, 1);
    await dog.until(async () => (await factory.show('DOC-001')).halt?.id === 'DOC-001-3' && factory.isHalted());
    expect(factory.breaker()).toBe('destructive_action');
    expect(factory.git('merge-base', mine, 'task/DOC-001')).toBe(factory.git('rev-parse', 'main'));
    expect(isReachable(factory, mine)).toBe(true);
  });

  test('made before there was any change are the change', async () => {
    const factory = await aFactory({
      scenario: { implementer: [{ reply: '', does: ['empty'], when: { model: 'qwen2.5-coder' } }], ...scenario },
    });
    const { dog } = await factory.run(aContract());
    expect(factory.breaker()).toBe('stalled');
    factory.git('branch', 'task/DOC-001', 'main');
    const mine = commit(factory, { [PATH]: MINE });
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expectLanded(factory, mine);
  });

  test('that merge the target into the branch leave only your own change to be judged', async () => {
    const { factory, dog } = await aHalt({ scenario });
    factory.write('README.md', '# Project A, moved on\n');
    factory.git('commit', '--quiet', '--all', '--message=Main moves');
    const folder = join(factory.folder, 'merging');
    factory.git('worktree', 'add', '--quiet', folder, 'task/DOC-001');
    factory.git('-C', folder, 'merge', '--quiet', '--no-edit', 'main');
    factory.git('worktree', 'remove', folder);
    commit(factory, { [PATH]: MINE });
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(MINE);
    expect(factory.read('README.md')).toBe('# Project A, moved on\n');
    expect(factory.calls('judge')).toHaveLength(1);
  });
});

describe('a task branch that somebody moved while the line was halted', () => {
  test('by rewriting the attempt is judged as it is now; the attempt stays in git', async () => {
    const { factory, dog } = await aHalt({ scenario });
    const attempt = branch(factory);
    const mine = commit(factory, { [PATH]: MINE }, '--amend');
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expectLanded(factory, mine);
    expect(isReachable(factory, attempt)).toBe(true);
  });

  test.each([
    ['back to the target', 'main', 'which is older than the change'],
    ['to another story', 'other', 'which does not build on main'],
  ])('%s is refused in words and can be put back', async (_where, name, why) => {
    const { factory, dog } = await aHalt();
    const attempt = branch(factory);
    factory.git('switch', '--quiet', '--orphan', 'other');
    factory.git('commit', '--quiet', '--allow-empty', '--message=Another story');
    factory.git('switch', '--quiet', 'main');
    factory.git('branch', '--force', 'task/DOC-001', name);
    const before = standing(factory);
    const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', '1');
    expect(code).toBe(1);
    expect(stderr).toContain(why);
    expect(stderr).toContain(`git branch -f task/DOC-001 ${attempt.slice(0, 12)}`);
    expect(standing(factory)).toEqual(before);
    factory.git('branch', '--force', 'task/DOC-001', attempt);
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
  });

  test('away altogether is put back, and the path does what it promised', async () => {
    const { factory, dog } = await aHalt();
    const attempt = branch(factory);
    factory.git('branch', '--delete', '--force', 'task/DOC-001');
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expectLanded(factory, attempt);
    expect(dog.output()).toContain('the branch was deleted; it is back at');
  });

  test('while it is not halted stops the line; its commits are taken by a path of that halt', async () => {
    const factory = await aFactory({
      scenario: { ...scenario, implementer: [{ ...write(1), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }] },
    });
    const dog = await factory.begin(aContract(), 'at');
    factory.git('branch', 'task/DOC-001', 'main');
    const mine = commit(factory, { [PATH]: MINE });
    factory.signal.give('go');
    await dog.until(factory.isHalted);
    expect(factory.breaker()).toBe('fault');
    expect(factory.paper('ERIK_HALT.md')).toContain('has commits that andon did not make');
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expectLanded(factory, mine);
    expect(people(factory)).toBe('Erik,');
  });
});
