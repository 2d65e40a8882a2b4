import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withWriteErrors } from '../../../base/cannot-write.ts';
import { Problem } from '../../../base/problem.ts';
import { readPlainFile, findHome } from '../../../project/folders/user-folders.ts';
import { statPath, resolveReal } from '../read-files.ts';
import { isInside } from '../../../project/workspace/is-inside.ts';

/** Where Claude Code reads settings: the project's (shared by git), your own of this project, your own of all of them. */
export const SETTINGS_SCOPES = ['project', 'local', 'user'] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

/** A settings file: its real path and its content, undefined if it does not exist. */
export interface SettingsFile {
  readonly where: SettingsScope;
  /** The name in messages. */
  readonly file: string;
  /** The file that a link leads to, or the same. */
  readonly real: string;
  readonly text: string | undefined;
}

/** Of a settings file so much is read. */
const MOST = 1_000_000;

export function getSettingsPath(where: SettingsScope, root: string, env: NodeJS.ProcessEnv): string {
  if (where === 'user') return join(env['CLAUDE_CONFIG_DIR'] ?? join(findHome(env), '.claude'), 'settings.json');
  return join(root, '.claude', where === 'local' ? 'settings.local.json' : 'settings.json');
}

/** Reads one; what is there and is no plain UTF-8 file, or a link that leads out of the project, is a Problem. */
export function readSettingsFile(where: SettingsScope, root: string, env: NodeJS.ProcessEnv): SettingsFile {
  const file = getSettingsPath(where, root, env);
  const real = resolveReal(file);
  if (where !== 'user' && !isInside(real, realpathSync(root)))
    throw new Problem(
      'conflict',
      `${file} leads out of this repository (to ${real})`,
      'put a plain file in its place, or use --user',
    );
  const folder = dirname(real);
  if (statPath(folder)?.isDirectory() === false)
    throw new Problem('bad-configuration', `${folder} is no folder`, 'move it away; nothing was changed');
  if (statPath(file) === undefined) return { where, file, real, text: undefined };
  const read = readPlainFile(file, MOST);
  const text = read.ok ? read.value.toString('utf8') : '';
  const why = read.ok ? (Buffer.from(text).equals(read.value) ? undefined : 'is not valid UTF-8') : read.why;
  if (why === undefined) return { where, file, real, text };
  throw new Problem(
    'bad-configuration',
    `${file} cannot be read: it ${why}`,
    'mend it, or move it away; nothing was changed',
  );
}

/** Replaces it as a whole, with the rights that it has. */
export function writeSettingsFile({ file, real }: Pick<SettingsFile, 'file' | 'real'>, text: string): void {
  withWriteErrors(file, () => {
    mkdirSync(dirname(real), { recursive: true });
    const mode = statSync(real, { throwIfNoEntry: false })?.mode;
    const fresh = join(dirname(real), `.${basename(real)}.andon-${process.pid}`);
    try {
      writeFileSync(fresh, text, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
      if (mode !== undefined) chmodSync(fresh, mode);
      renameSync(fresh, real);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  });
}

/** Removes it, and its folder where that holds nothing else. */
export function removeSettingsFile({ file, real }: Pick<SettingsFile, 'file' | 'real'>): void {
  withWriteErrors(file, () => {
    rmSync(real);
    try {
      rmdirSync(dirname(real));
    } catch {
      // it holds other files
    }
  });
}
