import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRepository, plan, put, type Here } from './a-repository.ts';

const HOOKS = [
  'applypatch-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'post-update',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'update',
];

/** A repository in which everything that git can be told to run leaves its name in a file. */
function aTrap({ longRunning = false } = {}): { here: Here; fired: () => string[] } {
  const here = aRepository({
    '.gitattributes': '* filter=trap diff=trap merge=trap\n',
    'docs/a.md': 'a\n',
  });
  const log = join(dirname(here.root), 'fired');
  const trap = join(dirname(here.root), 'trap');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${log}'\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(trap, 0o755);
  for (const folder of [here.path('.git/hooks'), join(dirname(here.root), 'hooks')]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(join(folder, hook), `#!/bin/sh\necho 'hook ${hook}' >> '${log}'\nexit 0\n`);
      chmodSync(join(folder, hook), 0o755);
    }
  }
  const set = (key: string, value: string): string => here.git('config', key, value);
  for (const what of ['clean', 'smudge', ...(longRunning ? ['process'] : [])])
    set(`filter.trap.${what}`, `${trap} filter-${what}`);
  set('filter.trap.required', 'true');
  set('diff.external', `${trap} diff-external`);
  set('diff.trap.command', `${trap} diff-command`);
  set('diff.trap.textconv', `${trap} textconv`);
  set('merge.trap.driver', `${trap} merge-driver`);
  set('core.fsmonitor', `${trap} fsmonitor`);
  set('core.hooksPath', join(dirname(here.root), 'hooks'));
  set('core.pager', `${trap} pager`);
  set('core.editor', `${trap} editor`);
  set('core.askPass', `${trap} askpass`);
  set('core.sshCommand', `${trap} ssh`);
  set('core.alternateRefsCommand', `${trap} alternate-refs`);
  set('core.gitProxy', `${trap} proxy`);
  set('gpg.program', `${trap} gpg`);
  set('log.showSignature', 'true');
  set('commit.gpgSign', 'true');
  set('credential.helper', `!${trap} credential`);
  set('uploadpack.packObjectsHook', `${trap} pack-objects`);
  set('gc.auto', '1');
  set('alias.diff-tree', `!${trap} alias`);
  return { here, fired: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) };
}

describe('a project that wants to run something', () => {
  it('has traps that do fire when anybody else uses git there', () => {
    const { here, fired } = aTrap();
    here.write('docs/a.md', 'b\n');
    here.git('status');
    expect(fired().length).toBeGreaterThan(0);
  });

  it('runs nothing while andon builds, looks, lays out and hands over', async () => {
    const { here, fired } = aTrap({ longRunning: true });
    const head = readFileSync(here.path('.git/refs/heads/main'), 'utf8').trim();
    const repository = await here.open();
    const opened = fired();
    const built = await repository.build([put('docs/a.md', 'b\n'), put('docs/b.md', 'b\n')], plan(head));
    await repository.diff(head, built.commit);
    expect(await repository.patch(head, built.commit)).toContain('+b');
    await repository.countLines(built.commit);
    await repository.files(built.commit);
    await repository.read(built.commit, ['docs/a.md']);
    const other = await repository.build([put('docs/a.md', 'c\n')], plan(head));
    expect((await repository.mergeTrees(other.commit, built.commit)).ok).toBe(false);
    const tree = join(dirname(here.root), 'tree');
    await repository.checkOut(head, tree);
    await repository.checkOut(built.commit, tree);
    expect(readFileSync(join(tree, 'docs/a.md'), 'utf8')).toBe('b\n');
    await repository.checkOut(built.commit, join(dirname(here.root), 'some'), ['docs/a.md']);
    const published = await repository.publish([{ ref: 'refs/heads/task/DOC-001', old: undefined, to: built.commit }]);
    expect(published.ok).toBe(true);
    await repository.commitTree(built.tree, plan(head, built.commit));
    await repository.isAncestor(head, built.commit);
    await repository.log('refs/heads/main');
    await repository.refsUnder('refs/heads/');
    await repository.removeRef('refs/heads/task/DOC-001', built.commit);
    expect(fired().slice(opened.length)).toEqual([]);
    expect(opened).toEqual([]);
  });

  it('runs no hook and no file monitor when the checkout is fast-forwarded', { tags: 'thorough' }, async () => {
    const { here, fired } = aTrap();
    const head = readFileSync(here.path('.git/refs/heads/main'), 'utf8').trim();
    const repository = await here.open();
    const built = await repository.build([put('docs/b.md', 'b\n')], plan(head));
    await repository.publish([{ ref: 'refs/heads/task/DOC-001', old: undefined, to: built.commit }]);
    expect((await repository.land('refs/heads/main', head, built.commit)).ok).toBe(true);
    // The filters that the user configured run, as they do in the user's own `git merge`; nothing else does.
    expect(fired().filter((line) => !line.includes(' filter-'))).toEqual([]);
  });
});
