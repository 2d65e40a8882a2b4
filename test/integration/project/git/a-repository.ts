import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { makeRepository } from '../../../support/make-repository.ts';
import { findRepository } from '../../../../src/project/git/find-repository.ts';
import { openRepository, type Repository } from '../../../../src/project/git/git-repository.ts';
import type { CommitPlan } from '../../../../src/project/git/repository-facts.ts';
import type { FileWrite } from '../../../../src/base/changed-file.ts';

/** A real repository with one commit on `main`, and andon's view of it. */
export interface Here {
  readonly root: string;
  readonly path: (name: string) => string;
  readonly git: (...args: string[]) => string;
  readonly write: (name: string, text: string | Uint8Array) => void;
  /** Commits everything that lies in the checkout. */
  readonly commit: (message?: string) => string;
  readonly open: () => Promise<Repository>;
}

/** One shell: a test's process is large, and each program that it starts itself costs it a copy of its page tables. */
const COMMIT = 'git add --all; git commit --quiet --allow-empty --message "$1"; git rev-parse HEAD';

/** Makes a repository in a folder of its own; `read` in the same folder is for what a test puts beside it. */
export function aRepository(files: Readonly<Record<string, string>> = { 'README.md': '# Project\n' }): Here {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'project');
  const path = (name: string): string => join(root, name);
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Erik',
        GIT_AUTHOR_EMAIL: 'erik@localhost',
        GIT_COMMITTER_NAME: 'Erik',
        GIT_COMMITTER_EMAIL: 'erik@localhost',
      },
    }).trim();
  const git = (...args: string[]): string => run('git', args);
  const write = (name: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  const commit = (message = 'a commit'): string => run('sh', ['-ec', COMMIT, 'sh', message]);
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) write(name, text);
  makeRepository(root, files, 'first');
  const open = async (): Promise<Repository> => {
    const facts = await findRepository(root);
    if (!facts.ok) throw new Error(facts.why.sentence);
    mkdirSync(join(folder, 'state'), { recursive: true });
    return openRepository(facts.value, join(folder, 'state'));
  };
  return { root, path, git, write, commit, open };
}

export const AT = '2026-01-16T12:00:00.000Z';
export const plan = (...parents: string[]): CommitPlan => ({
  parents,
  message: 'by andon\n',
  at: AT,
  author: 'andon <andon@localhost>',
});
export const put = (path: string, text: string | Uint8Array, mode: '100644' | '100755' = '100644'): FileWrite => ({
  path,
  mode,
  content: typeof text === 'string' ? new TextEncoder().encode(text) : text,
});
export const drop = (path: string): FileWrite => ({ path, content: null });

/** A git that does this instead of a command with these words, as one that dies in the middle of it; it stands in PATH before the real one, until the test unstubs its environment. */
export function gitThatDies(root: string, script: string, end = 'exit 128', words = 'merge'): void {
  const wrap = join(dirname(root), 'wrap');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  mkdirSync(wrap);
  writeFileSync(
    join(wrap, 'git'),
    `#!/bin/sh\ncase " $* " in *" ${words} "*) cd ${root} && ${script}; ${end};; esac\nexec ${real} "$@"\n`,
  );
  chmodSync(join(wrap, 'git'), 0o755);
  vi.stubEnv('PATH', [wrap, process.env['PATH']].join(delimiter));
}
