import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { resolveBaseFolder } from '../../base/environment-variables.ts';
import { sha256 } from '../../base/sha256.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { openDir, readPlain } from '../../base/system/safe-fs.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of everything that andon must trust: outside every project. */
export const findStateHome = (env: Environment): string =>
  join(
    resolveBaseFolder(env, 'XDG_STATE_HOME', () => join(findHome(env), '.local', 'state')),
    'andon',
  );

/** The user's own configuration file. */
export const findUserConfig = (env: Environment): string =>
  join(
    resolveBaseFolder(env, 'XDG_CONFIG_HOME', () => join(findHome(env), '.config')),
    'andon',
    'config.yaml',
  );

export const findHome = (env: Environment): string => resolveBaseFolder(env, 'HOME', homedir);

/** The state of one repository, named after its git directory, so that all its worktrees share it. */
export function findStateFolder(env: Environment, commonDir: string): string {
  const real = realpathSync(commonDir);
  const name = basename(real) === '.git' ? basename(dirname(real)) : basename(real);
  const digest = sha256(real).slice(0, 12);
  return join(findStateHome(env), 'repositories', `${name.replace(/[^A-Za-z0-9._-]/g, '_')}-${digest}`);
}

/** Makes the folders of a repository's state, readable by the user alone. */
export function makeStateFolder(folder: string): void {
  const door = openDir(folder);
  try {
    for (const name of ['', 'requests', 'trees', 'desks', 'calls', 'running', 'judging', 'examining'])
      door.makeFolder(name, 0o700);
  } catch (error) {
    const why = getErrorMessage(error);
    throw new Problem(
      'bad-configuration',
      `the state folder ${folder} cannot be made: ${why}`,
      'make it a folder that you may write to, or set XDG_STATE_HOME',
    );
  }
}

/**
 * A file's text; undefined when it does not exist, a Problem when it cannot be read: a folder, a pipe, or far too
 * large.
 */
export function readIfThere(file: string, most = 1_000_000): string | undefined {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined; // a file is at the path of its folder
  }
  const read = readPlainFile(file, most);
  if (read.ok) return read.value.toString('utf8');
  throw unreadable(file, read.why);
}

/** The same for a file below a folder of andon's own: links are not followed. */
export function readOwn(root: string, name: string, most = 1_000_000): string | undefined {
  const read = openDir(root).read(name, most);
  if (!read.ok) throw unreadable(join(root, name), read.why);
  return read.value === undefined ? undefined : Buffer.from(read.value).toString('utf8');
}

const unreadable = (file: string, why: string): Problem =>
  new Problem(
    'bad-configuration',
    `${toTerminalLine(file)} cannot be read: it ${toTerminalLine(why)}`,
    'make it a plain file, or remove it',
  );

/**
 * A plain file's bytes, or the reason for a failure; a link of the user's is followed, a pipe without a writer is not
 * waited for.
 */
export function readPlainFile(file: string, most: number): Outcome<Buffer, string> {
  let real: string;
  try {
    real = realpathSync(file);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return failure(code === 'ENOENT' ? 'is not there' : `cannot be opened (${code})`);
  }
  const read = readPlain(real, most);
  if (!read.ok) return read;
  return read.value === undefined ? failure('is not there') : success(Buffer.from(read.value));
}
