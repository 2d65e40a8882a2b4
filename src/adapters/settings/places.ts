import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { failure, success } from '../../formats/outcome.ts';
import type { Outcome } from '../../formats/outcome.ts';
import { inOneTerminalLine } from '../../formats/plain-text.ts';
import { Problem } from '../../problems/problem.ts';
import { makeFolder } from '../durable.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where andon keeps what it must be able to trust: outside every project. */
export const stateHome = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] ?? join(homeFolder(env), '.local', 'state'), 'andon');

/** The user's own configuration file. */
export const userConfigFile = (env: Environment): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(homeFolder(env), '.config'), 'andon', 'config.yaml');

export const homeFolder = (env: Environment): string => env['HOME'] ?? homedir();

/** The state of one repository, named after its git directory, so that all its worktrees share it. */
export function stateFolder(env: Environment, commonDir: string): string {
  const real = realpathSync(commonDir);
  const name = basename(real) === '.git' ? basename(dirname(real)) : basename(real);
  const digest = createHash('sha256').update(real).digest('hex').slice(0, 12);
  return join(stateHome(env), 'repositories', `${name.replace(/[^A-Za-z0-9._-]/g, '_')}-${digest}`);
}

/** Makes the folders of a repository's state, readable by nobody else. */
export function makeStateFolder(folder: string): void {
  try {
    for (const name of ['', 'requests', 'trees', 'desks', 'calls', 'running', 'judging', 'examining'])
      makeFolder(join(folder, name), 0o700);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem(
      'bad-configuration',
      `the state folder ${folder} cannot be made: ${why}`,
      'make it a folder that you may write to, or set XDG_STATE_HOME',
    );
  }
}

/** A file's text; undefined when there is none, a Problem when it cannot be read: a folder, a pipe, or far too large. */
export function readIfThere(file: string, most = 1_000_000): string | undefined {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined; // a file stands where its folder would be
  }
  const read = readPlainFile(file, most);
  if (read.ok) return read.value.toString('utf8');
  throw new Problem(
    'bad-configuration',
    `${inOneTerminalLine(file)} cannot be read: it ${read.why}`,
    'make it a plain file, or remove it',
  );
}

/** A plain file's bytes, or why there are none; opened so that a pipe nobody writes to does not make everybody wait. */
export function readPlainFile(file: string, most: number): Outcome<Buffer, string> {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return failure(code === 'ENOENT' ? 'is not there' : `cannot be opened (${code})`);
  }
  try {
    const facts = fstatSync(handle);
    if (!facts.isFile()) return failure('is no plain file');
    if (facts.size > most) return failure(`is larger than ${most / 1_000_000} MB`);
    return success(readFileSync(handle));
  } finally {
    closeSync(handle);
  }
}
