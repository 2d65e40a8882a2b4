import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readPlain } from '../door.ts';
import { gitDirOf } from './under-way.ts';

const LONGEST_PATH = 4096;

/** The git directory that all worktrees of a repository share, found without git; undefined where there is none. */
export function commonDirAbove(folder: string): string | undefined {
  if (!existsSync(join(folder, '.git')))
    return dirname(folder) === folder ? undefined : commonDirAbove(dirname(folder));
  const gitDir = gitDirOf(folder);
  const shared = readPlain(join(gitDir, 'commondir'), LONGEST_PATH);
  return shared.ok && shared.value !== undefined ? resolve(gitDir, textIn(shared.value)) : gitDir;
}

const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).trim();
