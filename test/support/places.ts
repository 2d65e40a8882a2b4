import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stateIn, type Ended, type Factory } from './factory.ts';

/** The state folder of the only repository that a factory's home knows. */
export function stateOf({ folder }: Factory): string {
  return stateIn(folder);
}

/** git in any folder of a factory's world, with an identity, and with leave to clone from a path. */
export const gitIn = (factory: Factory, folder: string, ...args: readonly string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=Erik', '-c', 'user.email=e@x.org', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd: folder,
      env: { ...factory.env, GIT_OPTIONAL_LOCKS: '0' },
      stdio: 'pipe',
    },
  )
    .toString()
    .trimEnd();

/** Moves the repository away, so that a test can put a clone, a link or a work tree in its place; where it is now. */
export function movedAway(factory: Factory, name = 'origin'): string {
  const origin = join(factory.folder, name);
  renameSync(factory.repo, origin);
  return origin;
}

/** Makes the repository anew from the files that lie in it, as `git init` with these options does. */
export function madeAnew(factory: Factory, ...options: readonly string[]): void {
  rmSync(join(factory.repo, '.git'), { recursive: true });
  factory.git('init', '--quiet', '--initial-branch=main', ...options);
  gitIn(factory, factory.repo, 'add', '--all');
  gitIn(factory, factory.repo, 'commit', '--quiet', '--message=First version');
}

/** A refusal is one sentence and one line with what to do, exit code 2, and no stack. */
export function expectRefusal({ code, stdout, stderr }: Ended, ...words: readonly string[]): void {
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^andon: .+\n {7}.+\n$/),
  });
  for (const word of words) expect(stderr).toContain(word);
}
