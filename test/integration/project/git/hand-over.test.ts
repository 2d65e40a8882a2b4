import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findRepository } from '../../../../src/project/git/find-repository.ts';
import { aRepository, drop, gitThatDies, plan, put } from './a-repository.ts';

const TASK = 'refs/heads/task/DOC-001';
const MAIN = 'refs/heads/main';

/** A repository with a change that andon has built, and not handed over yet. */
async function withChange(files?: Record<string, string>) {
  const here = aRepository(files);
  const repository = await here.open();
  const base = here.git('rev-parse', 'HEAD');
  const { commit } = await repository.build([put('docs/a.md', 'task\n')], plan(base));
  /** A commit that exists, and that no branch stands at. */
  const other = here.git('commit-tree', `${base}^{tree}`, '-m', 'another');
  return { here, repository, base, commit, other };
}

describe('handing commits over', () => {
  it('makes them the user’s: git finds them whole, without the vault', async () => {
    const { here, repository, commit } = await withChange();
    expect(await repository.publish([{ ref: TASK, old: undefined, to: commit }])).toEqual({
      ok: true,
      value: undefined,
    });
    expect(here.git('rev-parse', TASK)).toBe(commit);
    expect(here.git('show', `${TASK}:docs/a.md`)).toBe('task');
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(await repository.resolve(TASK)).toBe(commit);
    expect(await repository.refsUnder('refs/heads/task/')).toEqual([{ ref: TASK, commit }]);
  });

  it('moves a ref only from the value it is said to have', async () => {
    const { here, repository, base, commit, other } = await withChange();
    here.git('update-ref', TASK, base);
    const refused = await repository.publish([{ ref: TASK, old: other, to: commit }]);
    expect(refused.ok).toBe(false);
    expect(here.git('rev-parse', TASK)).toBe(base);
    expect((await repository.publish([{ ref: TASK, old: base, to: commit }])).ok).toBe(true);
  });

  // Reported: an empty old value means "do not check" to update-ref; 40 zeros mean "must not exist". Drop `.fails` with it.
  it('does not take a ref that somebody else has made in the meantime', async () => {
    const { here, repository, base, commit } = await withChange();
    here.git('update-ref', TASK, base);
    expect((await repository.publish([{ ref: TASK, old: undefined, to: commit }])).ok).toBe(false);
  });

  it('moves all refs or none', async () => {
    const { here, repository, base, commit, other } = await withChange();
    const refs = [
      { ref: 'refs/andon/DOC-001/1', old: undefined, to: commit },
      { ref: MAIN, old: other, to: commit },
    ];
    expect((await repository.publish(refs)).ok).toBe(false);
    expect(here.git('for-each-ref', 'refs/andon')).toBe('');
    expect(here.git('rev-parse', MAIN)).toBe(base);
  });

  it('removes a branch only where it is said to be', { tags: 'thorough' }, async () => {
    const { here, repository, base, commit } = await withChange();
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    await repository.removeRef(TASK, base);
    expect(here.git('rev-parse', TASK)).toBe(commit);
    await repository.removeRef(TASK, commit);
    expect(await repository.resolve(TASK)).toBeUndefined();
  });
});

describe('resolving a ref that git must be asked about', () => {
  const ODD = 'refs/odd/main';

  it('tells a missing one from a git that fails', async () => {
    const { here, repository } = await withChange();
    expect(await repository.resolve(ODD)).toBeUndefined();
    rmSync(here.path('.git/HEAD'));
    await expect(repository.resolve(ODD)).rejects.toThrow('git rev-parse failed (128)');
  });
});

afterEach(() => vi.unstubAllEnvs());

/** A change that turns a file into a folder, or the reverse. */
const TURNS = [
  ['file into a folder', 'conf', 'conf/deep/a.txt'],
  ['folder into a file', 'conf/deep/a.txt', 'conf'],
] as const;

/** A repository with `from`, and a change that has `to` in its place. */
async function withTurn(from: string, to: string) {
  const here = aRepository({ [from]: 'old\n' });
  const repository = await here.open();
  const base = here.git('rev-parse', 'HEAD');
  const { commit } = await repository.build([drop(from), put(to, 'new\n')], plan(base));
  await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
  return { here, repository, base, commit };
}

describe('landing a change that turns a', () => {
  it.each(TURNS)('%s brings the checkout along', async (_, from, to) => {
    const { here, repository, base, commit } = await withTurn(from, to);
    expect(await repository.land(MAIN, base, commit)).toEqual({ ok: true, value: undefined });
    expect(readFileSync(here.path(to), 'utf8')).toBe('new\n');
    expect(here.git('status', '--porcelain')).toBe('');
  });

  it.each(TURNS)('%s leaves everything as it was when git dies midway', async (_, from, to) => {
    const { here, repository, base, commit } = await withTurn(from, to);
    gitThatDies(here.root, `rm -r conf && mkdir -p $(dirname ${to}) && echo new >${to}`);
    expect((await repository.land(MAIN, base, commit)).ok).toBe(false);
    vi.unstubAllEnvs();
    expect(readFileSync(here.path(from), 'utf8')).toBe('old\n');
    expect(here.git('status', '--porcelain')).toBe('');
  });

  it('folder into a file leaves a file of yours that stands there when git has died', async () => {
    const { here, repository, base, commit } = await withTurn('conf/deep/a.txt', 'conf');
    gitThatDies(here.root, 'rm -r conf && echo mine >conf');
    await repository.land(MAIN, base, commit);
    expect(readFileSync(here.path('conf'), 'utf8')).toBe('mine\n');
  });
});

describe('landing', () => {
  it('is refused where a file of yours is in the place of a folder, and names it', async () => {
    const { here, repository, base, commit } = await withChange();
    here.write('docs', 'mine\n');
    const landed = await repository.land(MAIN, base, commit);
    expect(landed).toMatchObject({ ok: false, why: { reason: expect.stringContaining('your own docs would be') } });
    expect(readFileSync(here.path('docs'), 'utf8')).toBe('mine\n');
  });

  it('brings the checkout along where the branch is checked out', async () => {
    const { here, repository, base, commit } = await withChange();
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    expect(await repository.land(MAIN, base, commit)).toEqual({ ok: true, value: undefined });
    expect(readFileSync(here.path('docs/a.md'), 'utf8')).toBe('task\n');
    expect(here.git('status', '--porcelain')).toBe('');
  });

  it('keeps local edits that do not overlap', async () => {
    const { here, repository, base, commit } = await withChange({ 'README.md': 'x\n', 'docs/a.md': 'old\n' });
    here.write('README.md', 'mine\n');
    here.write('note.md', 'mine\n');
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    expect((await repository.land(MAIN, base, commit)).ok).toBe(true);
    expect(readFileSync(here.path('README.md'), 'utf8')).toBe('mine\n');
    expect(readFileSync(here.path('docs/a.md'), 'utf8')).toBe('task\n');
  });

  it.each([
    ['a local edit', { 'docs/a.md': 'old\n' }],
    ['an untracked file', { 'README.md': 'x\n' }],
  ] as [string, Record<string, string>][])(
    'is refused where %s is in the way, and nothing is lost',
    { tags: 'thorough' },
    async (_, files) => {
      const { here, repository, base, commit } = await withChange(files);
      here.write('docs/a.md', 'mine\n');
      await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
      const landed = await repository.land(MAIN, base, commit);
      expect(landed.ok).toBe(false);
      if (!landed.ok) expect(landed.why.reason).toContain('docs/a.md');
      expect(readFileSync(here.path('docs/a.md'), 'utf8')).toBe('mine\n');
      expect(here.git('rev-parse', MAIN)).toBe(base);
    },
  );

  it.each([
    ['a plain index', []],
    ['a compressed index', ['--index-version', '4']],
    ['a split index', ['--split-index']],
  ])('is refused where the new file is staged in %s, and gone from the folder', async (_, form) => {
    const { here, repository, base, commit } = await withChange({ 'docs/b.md': 'x\n' });
    here.write('docs/a.md', 'mine\n');
    here.git('add', 'docs/a.md');
    rmSync(here.path('docs/a.md'));
    here.git('update-index', ...form);
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    const landed = await repository.land(MAIN, base, commit);
    expect(landed).toMatchObject({ ok: false, why: { reason: expect.stringContaining('docs/a.md') } });
    expect(here.git('show', ':docs/a.md')).toBe('mine');
  });

  it('moves the ref alone where the branch is not checked out', async () => {
    const { here, repository, base, commit } = await withChange();
    here.git('checkout', '--quiet', '-b', 'mine');
    expect((await repository.land(MAIN, base, commit)).ok).toBe(true);
    expect(here.git('rev-parse', MAIN)).toBe(commit);
    expect(existsSync(here.path('docs/a.md'))).toBe(false);
  });

  it('goes to the worktree that has the branch', { tags: 'thorough' }, async () => {
    const { here, repository, base, commit } = await withChange();
    here.git('checkout', '--quiet', '-b', 'mine');
    const other = join(dirname(here.root), 'other');
    here.git('worktree', 'add', '--quiet', other, 'main');
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    expect((await repository.land(MAIN, base, commit)).ok).toBe(true);
    expect(readFileSync(join(other, 'docs/a.md'), 'utf8')).toBe('task\n');
  });

  it('never goes backwards or sideways', { tags: 'thorough' }, async () => {
    const { here, repository, base, commit } = await withChange();
    here.write('README.md', 'moved\n');
    const moved = here.commit();
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    expect((await repository.land(MAIN, base, commit)).ok).toBe(false);
    expect(here.git('rev-parse', MAIN)).toBe(moved);
    here.git('checkout', '--quiet', '--detach');
    expect((await repository.land(MAIN, base, commit)).ok).toBe(false);
    expect(here.git('rev-parse', MAIN)).toBe(moved);
  });

  it('waits for a rebase of the branch', { tags: 'thorough' }, async () => {
    const { here, repository, base, commit } = await withChange();
    mkdirSync(here.path('.git/rebase-merge'));
    writeFileSync(here.path('.git/rebase-merge/head-name'), `${MAIN}\n`);
    const landed = await repository.land(MAIN, base, commit);
    expect(landed).toMatchObject({ ok: false, why: { reason: expect.stringContaining('rebase') } });
  });
});

describe('finding the repository', () => {
  it('finds it from a folder inside, and its target branch', async () => {
    const here = aRepository({ 'docs/a.md': 'a\n' });
    const facts = await findRepository(here.path('docs'));
    expect(facts).toMatchObject({ ok: true, value: { root: here.root } });
    const repository = await here.open();
    expect(await repository.checkedOut()).toBe(MAIN);
    expect(await repository.target(undefined)).toMatchObject({ ok: true, value: { ref: MAIN } });
    expect(await repository.target('nowhere')).toMatchObject({ ok: false });
  });

  it('says so where there is none', async () => {
    const here = aRepository();
    const facts = await findRepository(dirname(here.root));
    expect(facts.ok).toBe(false);
    if (!facts.ok) expect(facts.why.sentence).toContain('not a git repository');
  });

  it(
    'asks for a branch where HEAD is detached, and for a commit where there is none',
    { tags: 'thorough' },
    async () => {
      const here = aRepository();
      here.git('checkout', '--quiet', '--detach');
      expect(await (await here.open()).target(undefined)).toMatchObject({
        ok: false,
        why: expect.stringMatching(/^HEAD is detached .*`target: main`.*`git switch <branch>`$/),
      });
      const empty = aRepository();
      empty.git('update-ref', '-d', 'HEAD');
      expect(await (await empty.open()).target(undefined)).toMatchObject({
        ok: false,
        why: expect.stringContaining('no commits yet'),
      });
    },
  );
});
