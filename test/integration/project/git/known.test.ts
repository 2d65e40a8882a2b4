import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listRefs, readSingleHead, readRef } from '../../../../src/project/git/refs.ts';
import { aRepository, plan, put, type Here } from './a-repository.ts';

const NAMES: Readonly<Record<string, string>> = {
  'a.md': 'a\n',
  'a/b.md': 'b\n',
  'a-b/c.md': 'c\n',
  'é/ü.md': 'u\n',
  'zz\nz.md': 'z\n',
};

/** How many gits this process has started from now on. */
function countedGits(): () => number {
  const folder = mkdtempSync(join(tmpdir(), 'counted-gits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [log, path] = [join(folder, 'log'), process.env['PATH'] ?? ''];
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(log, '');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho >>'${log}'\nexec '${real}' "$@"\n`, { mode: 0o755 });
  vi.stubEnv('PATH', [folder, path].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(log, 'utf8').length;
}

/** A commit's files as git lists them. */
const listed = (here: Here, commit: string): readonly string[] =>
  here
    .git('ls-tree', '-r', '-z', '--long', commit)
    .split('\0')
    .filter((row) => row !== '')
    .map((row) => row.replace(/ +/g, ' '));

const inGitsWords = (files: readonly { path: string; mode: string; oid: string; size: number }[]): readonly string[] =>
  files.map(({ path, mode, oid, size }) => `${mode} blob ${oid} ${size}\t${path}`);

describe('what andon remembers of commits', () => {
  it('keeps the patch of a change that was built, byte for byte as git shows it', async () => {
    const here = aRepository({ ...NAMES, 'old name.md': 'x\n'.repeat(9) });
    const repository = await here.open();
    const base = here.git('rev-parse', 'HEAD');
    const { commit } = await repository.build(
      [
        put('new name.md', 'x\n'.repeat(9)),
        { path: 'old name.md', content: null },
        put('zz\nz.md', 'diff --git a/x b/x\n'),
        put('bin', 'a\0b\n'),
        put('leer', ''),
      ],
      plan(base),
    );
    expect((await repository.diff(base, commit)).map(({ path, status }) => [path, status])).toEqual([
      ['bin', 'added'],
      ['leer', 'added'],
      ['new name.md', 'moved'],
      ['zz\nz.md', 'modified'],
    ]);
    await repository.publish([{ ref: 'refs/heads/task/T-1', old: undefined, to: commit }]);
    const said = here.git('-c', 'core.quotePath=false', 'diff-tree', '-r', '-p', '-M', base, commit);
    expect((await repository.patch(base, commit)).trimEnd()).toBe(said);
  });

  it('is what git says, after every kind of change, whoever made it', async () => {
    const here = aRepository(Object.fromEntries(Object.entries(NAMES).filter(([path]) => path !== 'a.md')));
    const repository = await here.open();
    const base = here.git('rev-parse', 'HEAD');
    expect(inGitsWords(await repository.files(base))).toEqual(listed(here, base));
    const { commit, tree } = await repository.build(
      [put('a.md', 'new\n'), put('a-b/c.md', 'longer\n'), put('a/0.md', '0\n'), { path: 'é/ü.md', content: null }],
      plan(base),
    );
    const merged = await repository.commitTree(tree, plan(base, commit));
    await repository.publish([{ ref: 'refs/heads/task/T-1', old: undefined, to: merged }]);
    for (const one of [commit, merged, base])
      expect(inGitsWords(await repository.files(one))).toEqual(listed(here, one));
    const read = await repository.read(merged, ['a.md', 'a-b/c.md', 'zz\nz.md', 'é/ü.md', 'a', 'gone.md']);
    expect([...read].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['a.md', 'new\n'],
      ['a-b/c.md', 'longer\n'],
      ['zz\nz.md', 'z\n'],
    ]);
    here.write('a/b.md', 'by a human\n');
    const theirs = here.commit();
    expect(inGitsWords(await repository.files(theirs))).toEqual(listed(here, theirs));
    expect(Buffer.from((await repository.read(theirs, ['a/b.md'])).get('a/b.md') ?? []).toString()).toBe(
      'by a human\n',
    );
  });

  it('does not make the fortieth merge look at all before it', { tags: 'thorough' }, async () => {
    const here = aRepository();
    const repository = await here.open();
    let tip = here.git('rev-parse', 'HEAD');
    const gits = countedGits();
    const asked: number[] = [];
    for (let number = 1; number <= 40; number += 1) {
      const before = gits();
      const { commit, tree } = await repository.build([put('notes.md', `${number}\n`)], plan(tip));
      const merge = await repository.commitTree(tree, plan(tip, commit));
      const pin = { ref: `refs/andon/T-${number}/merged`, old: undefined, to: merge };
      expect(await repository.publish([pin])).toEqual({ ok: true, value: undefined });
      tip = merge;
      asked.push(gits() - before);
    }
    expect(asked.at(-1)).toBeGreaterThan(0);
    expect(asked.at(-1)).toBe(asked[1]);
    expect(here.git('rev-list', '--count', '--merges', tip)).toBe('40');
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

describe('a ref that is read from its file', () => {
  it('is what git says, loose or packed, and missing where it is missing', () => {
    const here = aRepository();
    const gitDir = join(here.root, '.git');
    const head = here.git('rev-parse', 'HEAD');
    here.git('branch', 'task/T-1');
    expect(readRef(gitDir, 'refs/heads/task/T-1')).toBe(head);
    expect(readRef(gitDir, 'refs/heads/task')).toBe(null); // a folder
    here.git('pack-refs', '--all');
    expect(readRef(gitDir, 'refs/heads/task/T-1')).toBe(head);
    expect(readRef(gitDir, 'refs/heads/T-1')).toBe(null); // the end of another name
    const next = here.commit('next');
    expect(readRef(gitDir, 'refs/heads/main')).toBe(next);
    expect(readSingleHead(here.root)).toBe('refs/heads/main');
    here.git('checkout', '--quiet', '--detach');
    expect(readSingleHead(here.root)).toBe('');
  });

  it('is left to git where a file does not say it: symbolic, outside, or in a worktree', () => {
    const here = aRepository();
    const gitDir = join(here.root, '.git');
    here.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    expect(readRef(gitDir, 'refs/heads/alias')).toBe(undefined);
    for (const ref of ['refs/heads/../../HEAD', 'HEAD', 'refs/tags/v1', 'refs/heads/a b'])
      expect(readRef(gitDir, ref)).toBe(undefined);
    execFileSync('git', ['worktree', 'add', '--quiet', '-b', 'side', join(here.root, '../side')], { cwd: here.root });
    expect(readSingleHead(here.root)).toBe(undefined);
  });
});

describe('refs that are listed from files', () => {
  const asGitLists = (here: Here, prefix: string): unknown =>
    here
      .git('for-each-ref', '--format=%(objectname) %(refname)', prefix)
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => ({ commit: row.split(' ')[0], ref: row.split(' ')[1] }));

  it('are what git lists, loose or packed or both, moved and deleted', () => {
    const here = aRepository();
    const gitDir = join(here.root, '.git');
    const same = (prefix: string, count: number): void => {
      expect(listRefs(gitDir, prefix)).toEqual(asGitLists(here, prefix));
      expect(listRefs(gitDir, prefix)).toHaveLength(count);
    };
    same('refs/andon/', 0);
    for (const name of ['T-1/1', 'T-1/merged', 'T-10/1', 'a/b']) here.git('update-ref', `refs/andon/${name}`, 'HEAD');
    writeFileSync(join(gitDir, 'refs/andon/T-1/2.lock'), ''); // one that is being written
    same('refs/andon/', 4);
    same('refs/andon/T-1/', 2);
    here.git('pack-refs', '--all');
    same('refs/andon/', 4);
    here.commit('next');
    here.git('update-ref', 'refs/andon/T-1/1', 'HEAD');
    here.git('update-ref', 'refs/andon/T-2/1', 'HEAD');
    here.git('update-ref', '-d', 'refs/andon/a/b');
    same('refs/andon/', 4);
    same('refs/andon/T-1/', 2);
    same('refs/heads/', 1);
    here.git('tag', '--annotate', '--message', 'v1', 'v1'); // its row in the packed file has a second one
    here.git('pack-refs', '--all');
    same('refs/andon/', 4);
  });

  it('are left to git where a file does not say them: symbolic, a link, an odd name', () => {
    const here = aRepository();
    const gitDir = join(here.root, '.git');
    here.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    expect(listRefs(gitDir, 'refs/heads/')).toBe(undefined);
    here.git('update-ref', 'refs/andon/odd/é', 'HEAD');
    expect(listRefs(gitDir, 'refs/andon/')).toBe(undefined);
    here.git('update-ref', '-d', 'refs/andon/odd/é');
    symlinkSync(join(gitDir, 'refs/heads'), join(gitDir, 'refs/andon/link'));
    expect(listRefs(gitDir, 'refs/andon/')).toBe(undefined);
    expect(listRefs(gitDir, 'refs/andon')).toBe(undefined); // git takes the end of a name for the whole of it
  });
});
