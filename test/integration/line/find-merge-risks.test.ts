import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findMergeRisks } from '../../../src/line/intake/find-merge-risks.ts';
import { indexTree } from '../../../src/line/git/tree-index.ts';
import { withConstraints } from '../../support/records.ts';
import { aRepository, type Here } from '../project/git/a-repository.ts';

interface Case {
  readonly allowed?: readonly string[];
  readonly gated?: boolean;
  readonly share?: readonly string[];
  readonly target?: string;
}

/** What is found for a task in a real repository; by default it may change `src/` on main and has no gate. */
async function obstaclesIn(here: Here, { allowed = ['src/'], gated = false, share = [], target = 'main' }: Case = {}) {
  const repository = await here.open();
  const found = await repository.target(target);
  if (!found.ok) throw new Error(found.why);
  const files = await repository.files(found.value.commit);
  const contract = withConstraints({ allowedPaths: allowed });
  const settings = { gates: gated ? [{ name: 'test', run: 'npm test', timeoutMinutes: 10 }] : [], share };
  return findMergeRisks({ repository, settings }, contract, found.value, files, indexTree(files));
}

const FILES = { 'src/a.ts': 'one\n', 'src/b.ts': 'two\n', 'notes.md': 'notes\n' };

describe('what is in the way of a task', () => {
  test('is nothing in a clean repository', async () => {
    expect(await obstaclesIn(aRepository(FILES), { gated: true })).toEqual({ faults: [], notices: [] });
  });

  test('is an edit of a file that the task may change, and no other edit', async () => {
    const here = aRepository(FILES);
    here.write('src/a.ts', 'mine\n');
    here.write('src/new.ts', 'mine too\n');
    here.write('notes.md', 'mine as well\n');
    const { notices, faults } = await obstaclesIn(here);
    expect(faults).toEqual([]);
    expect(notices).toEqual([
      `uncommitted edits in ${here.root}: src/a.ts, src/new.ts; a change of the same file is not merged into main until you commit or stash them`,
    ]);
  });

  test('is a merge that was begun and not ended', async () => {
    const here = aRepository(FILES);
    here.write('.git/MERGE_HEAD', here.git('rev-parse', 'HEAD'));
    expect((await obstaclesIn(here)).notices.join()).toContain(
      'nothing can be merged into main now: a merge is under way',
    );
  });

  test('is a target behind its upstream', async () => {
    const here = aRepository(FILES);
    here.git('clone', '--quiet', '--bare', '.', '../upstream.git');
    here.git('remote', 'add', 'origin', '../upstream.git');
    here.commit('ahead');
    here.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    here.git('reset', '--quiet', '--hard', 'HEAD~1');
    expect((await obstaclesIn(here)).notices).toEqual([
      'main is 1 commit behind origin/main as of the last fetch, and the task is built on the older state; pull first if it should not be',
    ]);
  });

  test('is a target other than the branch that is checked out', async () => {
    const here = aRepository(FILES);
    here.git('switch', '--quiet', '--create', 'feature');
    expect((await obstaclesIn(here)).notices).toEqual([
      'the task is merged into main, not into feature, which is checked out',
    ]);
  });

  test.each([
    { what: 'a hook', hook: '.git/hooks/pre-commit', says: 'pre-commit' },
    { what: 'a hook behind andon’s own', hook: '.git/hooks/pre-commit.before-andon', says: 'pre-commit' },
    { what: 'a hook of husky 9', hook: '.husky/commit-msg', says: 'commit-msg', path: '.husky/_' },
    { what: 'a hook in a folder of the project', hook: '.githooks/commit-msg', says: 'commit-msg', path: '.githooks' },
  ])('is $what, which does not run', { tags: 'thorough' }, async ({ hook, says, path }) => {
    const here = aRepository(FILES);
    here.write('.git/hooks/pre-commit', '#!/bin/sh\n# andon pre-commit hook: checks what is staged.\nexec andon\n');
    here.write('.husky/_/h', '');
    for (const stub of ['pre-commit', 'commit-msg']) here.write(`.husky/_/${stub}`, '. "$(dirname "$0")/h"\n');
    here.write(hook, '#!/bin/sh\nnpm test\n');
    for (const file of [hook, '.git/hooks/pre-commit', '.husky/_/pre-commit']) chmodSync(here.path(file), 0o755);
    if (path !== undefined) here.git('config', 'core.hooksPath', path);
    expect((await obstaclesIn(here)).notices).toEqual([
      `andon's commits and merges run no git hook (here: ${says}); make a gate of what must be checked`,
    ]);
  });

  test('is not a hook that only asks andon', async () => {
    const here = aRepository(FILES);
    here.write('.husky/_/h', '');
    here.write('.husky/pre-commit', 'npx --no andon check --staged\n');
    here.git('config', 'core.hooksPath', '.husky/_');
    expect((await obstaclesIn(here)).notices).toEqual([]);
  });

  describe('with a filter of .gitattributes', () => {
    const LFS = { ...FILES, 'src/logo.psd': 'x', '.gitattributes': '*.psd filter=lfs -text\n' };

    test('is named where other files are in scope too', async () => {
      expect(await obstaclesIn(aRepository(LFS))).toEqual({
        faults: [],
        notices: ["git's filter lfs changes src/logo.psd, so the task cannot"],
      });
    });

    test.each([['src/logo.psd'], ['src/other.psd'], ['src/**/*.psd'], ['*.psd']])(
      'refuses a task that may change nothing but %s',
      { tags: 'thorough' },
      async (pattern) => {
        const { faults } = await obstaclesIn(aRepository(LFS), { allowed: [pattern] });
        expect(faults.map(({ path, found }) => ({ path, found }))).toEqual([
          { path: '$.constraints.allowed_paths', found: pattern },
        ]);
      },
    );
  });

  test.each([
    {
      share: [],
      says: [
        'gates find these submodules empty: vendor/lib; add those that a gate needs to `share` in .andon/config.yaml',
      ],
    },
    { share: ['vendor/lib'], says: [] },
  ])('is a submodule that gates would find empty, unless it is shared ($share)', async ({ share, says }) => {
    const here = aRepository(FILES);
    const commit = here.git('rev-parse', 'HEAD');
    execFileSync('git', ['update-index', '--add', '--cacheinfo', `160000,${commit},vendor/lib`], { cwd: here.root });
    here.git('commit', '--quiet', '--message', 'a submodule');
    expect((await obstaclesIn(here, { gated: true, share })).notices).toEqual(says);
    expect((await obstaclesIn(here, { gated: false, share })).notices).toEqual([]);
  });
});
