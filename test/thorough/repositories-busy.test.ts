/** @module-tag thorough */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL } from '../support/scenario.ts';

/** Two branches that changed the README differently; `main` is checked out. */
async function withTwoBranches(): Promise<Factory> {
  const factory = await aFactory();
  factory.git('switch', '--quiet', '--create', 'other');
  factory.write('README.md', 'other\n');
  factory.git('commit', '--quiet', '--all', '--message=other');
  factory.git('switch', '--quiet', 'main');
  factory.write('README.md', 'main\n');
  factory.git('commit', '--quiet', '--all', '--message=main');
  return factory;
}

const fails = (factory: Factory, ...args: string[]): void => expect(() => factory.git(...args)).toThrow();

function solved(factory: Factory): void {
  factory.write('README.md', 'both\n');
  factory.git('add', 'README.md');
}

/** The checkout, and the papers in `.git` that an operation keeps about itself. */
function standing(factory: Factory, target = 'refs/heads/none'): object {
  const folder = join(factory.repo, '.git');
  const papers = readdirSync(folder).filter((name) => /^(?:[A-Z]+_HEAD|[A-Z]+_MSG|BISECT_.*)$/.test(name));
  return [factory.snapshot(target), papers.map((name) => [name, readFileSync(join(folder, name), 'utf8')])];
}

describe('in the middle of', () => {
  test.each([
    ['a merge', 'git merge --abort', (factory: Factory) => fails(factory, 'merge', 'other')],
    [
      'a commit whose message',
      'git reset',
      (factory: Factory) => (fails(factory, 'merge', '--squash', 'other'), solved(factory)),
    ],
    ['a cherry-pick', 'git cherry-pick --abort', (factory: Factory) => fails(factory, 'cherry-pick', 'other')],
    [
      'a revert',
      'git revert --continue',
      (factory: Factory) => (fails(factory, 'revert', '--no-edit', 'main~1'), solved(factory)),
    ],
    [
      'a cherry-pick',
      'git cherry-pick --continue',
      (factory: Factory) => fails(factory, 'cherry-pick', 'main..other', 'main~1'),
    ],
    [
      'an am',
      'git am --abort',
      (factory: Factory) => {
        factory.write('../x.patch', `${factory.git('format-patch', '--stdout', '-1', 'other')}\n`);
        fails(factory, 'am', join(factory.folder, 'x.patch'));
      },
    ],
  ] as const)('%s (%s) nothing is moved: the line halts and says how to end it', async (what, remedy, begin) => {
    const factory = await withTwoBranches();
    begin(factory);
    const before = standing(factory);
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    expect(factory.paper('ERIK_HALT.md')).toContain(what);
    expect(factory.paper('ERIK_HALT.md')).toContain(`is under way in ${factory.repo}`);
    expect(factory.paper('ERIK_HALT.md')).toContain(remedy);
    expect(standing(factory)).toEqual(before);
  });

  test('a revert, once that is over, the line goes on', async () => {
    const factory = await withTwoBranches();
    fails(factory, 'revert', '--no-edit', 'main~1');
    const { dog } = await factory.run(aContract());
    factory.git('revert', '--abort');
    expect(await factory.andon('resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0 });
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read('README.md')).toBe('main\n');
  });

  test('a rebase of a stack that will also move the target nothing is moved either', async () => {
    const factory = await withTwoBranches();
    factory.git('switch', '--quiet', '--create', 'top');
    factory.git('commit', '--quiet', '--allow-empty', '--message=top');
    fails(factory, 'rebase', '--update-refs', 'other');
    const before = standing(factory);
    expect((await factory.run(aContract({ git: { base_branch: 'main' } }))).status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain('a rebase is under way');
    expect(standing(factory)).toEqual(before);
  });

  test('a bisect the target moves by its ref alone, and the bisect goes on', async () => {
    const factory = await withTwoBranches();
    for (const message of ['two', 'three']) factory.git('commit', '--quiet', '--allow-empty', `--message=${message}`);
    factory.git('bisect', 'start', 'main', 'main~3');
    const before = standing(factory, 'refs/heads/main');
    expect((await factory.run(aContract({ git: { base_branch: 'main' } }))).status).toBe('merged');
    expect(standing(factory, 'refs/heads/main')).toEqual(before);
    expect(factory.git('bisect', 'good')).toMatch(/Bisecting|first bad commit/);
    factory.git('bisect', 'reset');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    expect(factory.git('status', '--porcelain')).toBe('');
  });
});

describe('a lock that a dead git left', () => {
  test('in the way of the merge is named and not deleted, and not one file of yours is written', async () => {
    const locks = ['index.lock', 'HEAD.lock', 'refs/heads/main.lock'];
    const factories = await Promise.all(locks.map(() => aFactory()));
    await Promise.all(
      factories.map(async (factory, at) => {
        const lock = join('.git', locks[at] ?? '');
        factory.write(lock, '');
        const before = standing(factory);
        expect((await factory.run(aContract())).status).toBe('erik_consultation');
        expect(factory.breaker()).toBe('merge_blocked');
        expect(factory.paper('ERIK_HALT.md')).toMatch(
          /\.lock is there since .+ UTC: another git is at work, or one died; when none is, delete that file/,
        );
        expect(factory.paper('ERIK_HALT.md')).toContain(join(factory.repo, lock));
        expect(standing(factory)).toEqual(before);
        expect(factory.git('status', '--porcelain')).toBe('');
      }),
    );
  });

  test("on the task's branch is a fault that names it; once it is gone the line goes on", async () => {
    const factory = await aFactory();
    const lock = '.git/refs/heads/task/DOC-001.lock';
    factory.write(lock, '');
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain(join(factory.repo, lock));
    expect(factory.has(lock)).toBe(true);
    rmSync(join(factory.repo, lock));
    expect(await factory.andon('resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0 });
    expect(await factory.end(dog)).toBe('merged');
  });

  test('elsewhere is in nobody’s way and stays', async () => {
    const factory = await aFactory();
    const locks = ['packed-refs.lock', 'config.lock', 'shallow.lock'];
    for (const lock of locks) factory.write(`.git/${lock}`, '');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(locks.filter((lock) => factory.has(`.git/${lock}`))).toEqual(locks);
  });
});
