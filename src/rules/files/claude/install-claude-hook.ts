import { findUserPath } from '../../../base/environment-variables.ts';
import { quoteForShell } from '../../../base/shell-word.ts';
import {
  existsSync,
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, basename, dirname } from 'node:path';
import type { Outcome } from '../../../base/outcome.ts';
import { Problem } from '../../../base/problem.ts';
import { isOnPath } from '../../../project/workspace/on-path.ts';
import { installRoot } from '../../../base/system/install-root.ts';
import { findHooks, isBlank, withHooks, withoutHooks } from './edit-settings.ts';
import { withWriteErrors } from '../../../base/with-write-errors.ts';
import { readPlainFile, findHome } from '../../../project/folders/user-folders.ts';
import { statPath, resolveReal } from '../read-files.ts';
import { isInside } from '../../../project/workspace/is-inside.ts';

/** What installing or removing came to. */
export interface ClaudeHookChange {
  readonly where: SettingsScope;
  readonly file: string;
  readonly changed: boolean;
  /** What Claude Code runs; undefined where nothing of andon is left. */
  readonly command: string | undefined;
  /** How many hooks of others stand at the same moments. */
  readonly others: number;
  /** Whether the file is gone, because it held nothing else. */
  readonly isGone: boolean;
  /** Notes for the user. */
  readonly notices: readonly string[];
}

export interface ClaudeHookState {
  readonly where: SettingsScope;
  readonly file: string;
  readonly installed: boolean;
  readonly commands: readonly string[];
  /** Why it does not work although it is there, or cannot be read. */
  readonly wrong: string | undefined;
}

/** Adds andon's hooks to Claude Code's settings; existing content keeps its order and spelling. */
export function installClaudeHook(where: SettingsScope, root: string, env: NodeJS.ProcessEnv): ClaudeHookChange {
  const found = readSettingsFile(where, root, env);
  const { command, notices } = commandFor(where, env);
  const before = found.text ?? '';
  const after = orProblem(found, withHooks(before, command));
  const { others, isOff } = orProblem(found, findHooks(after));
  const changed = after !== before;
  if (changed) writeSettingsFile(found, after);
  const off = isOff ? [`${found.file} switches every hook off (disableAllHooks)`] : [];
  return { where, file: found.file, changed, command, others, isGone: false, notices: [...notices, ...off] };
}

/** Removes andon's hooks, and a file that holds nothing else. */
export function removeClaudeHook(where: SettingsScope, root: string, env: NodeJS.ProcessEnv): ClaudeHookChange {
  const found = readSettingsFile(where, root, env);
  const { text = '' } = found;
  const { ours, others } = orProblem(found, text.trim() === '' ? findHooks('{}') : findHooks(text));
  const changed = ours.length > 0;
  const left = changed ? orProblem(found, withoutHooks(text)) : text;
  const isGone = changed && isBlank(left);
  if (isGone) removeSettingsFile(found);
  else if (changed) writeSettingsFile(found, left);
  return { where, file: found.file, changed, command: undefined, others, isGone, notices: [] };
}

/** The state of every settings file that Claude Code would read here. */
export function readClaudeHookStates(root: string | undefined, env: NodeJS.ProcessEnv): readonly ClaudeHookState[] {
  return SETTINGS_SCOPES.filter((where) => where === 'user' || root !== undefined).map((where) => {
    try {
      const { file, text } = readSettingsFile(where, root ?? '/', env);
      const there = findHooks(text === undefined || text.trim() === '' ? '{}' : text);
      if (!there.ok) return { where, file, installed: false, commands: [], wrong: there.why };
      const commands = [...new Set(there.value.ours.map(({ command }) => command))];
      const wrong =
        commands.length === 0
          ? undefined
          : there.value.isOff
            ? 'disableAllHooks switches it off'
            : explainNotRun(commands, env);
      return { where, file, installed: commands.length > 0, commands, wrong };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return {
        where,
        file: getSettingsPath(where, root ?? '/', env),
        installed: false,
        commands: [],
        wrong: error.message,
      };
    }
  });
}

/** A project's settings go to others by git, so they name andon by its name; your own name the very program. */
function commandFor(
  where: SettingsScope,
  env: NodeJS.ProcessEnv,
): { readonly command: string; readonly notices: readonly string[] } {
  const own = `${quoteForShell(process.execPath)} ${quoteForShell(join(installRoot(), 'bin', 'andon.mjs'))} hook claude run`;
  if (where !== 'project') return { command: own, notices: [] };
  if (hasAndon(env)) return { command: 'andon hook claude run', notices: [] };
  return {
    command: own,
    notices: [
      'no andon is on PATH, so the file names the one of this machine: on another machine it needs another path (use --local)',
    ],
  };
}

function explainNotRun(commands: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const gone = commands.flatMap((command) => {
    const [, program = '', script] = /^'([^']+)' '([^']+)' /.exec(command) ?? [];
    if (script === undefined) return command.startsWith('andon ') && !hasAndon(env) ? ['andon is not on PATH'] : [];
    return [program, script].filter((path) => !existsSync(path)).map((path) => `${path} is gone`);
  });
  return gone.length === 0 ? undefined : `${gone.join(', ')}; andon hook claude install mends it`;
}

/** `npm start` puts the project's own programs before those of the user. */
const hasAndon = (env: NodeJS.ProcessEnv): boolean => isOnPath('andon', findUserPath(env));
function orProblem<Value>({ file }: SettingsFile, read: Outcome<Value, string>): Value {
  if (read.ok) return read.value;
  throw new Problem(
    'bad-configuration',
    `${file}: ${read.why}`,
    'mend that line by hand, then try again; nothing was changed',
  );
}

/** Where Claude Code reads settings: the project's (shared by git), your own of this project, your own of all of them. */
const SETTINGS_SCOPES = ['project', 'local', 'user'] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

/** A settings file: its real path and its content, undefined if it does not exist. */
interface SettingsFile {
  readonly where: SettingsScope;
  /** The name in messages. */
  readonly file: string;
  /** The file that a link leads to, or the same. */
  readonly real: string;
  readonly text: string | undefined;
}

/** Of a settings file so much is read. */
const MOST = 1_000_000;

function getSettingsPath(where: SettingsScope, root: string, env: NodeJS.ProcessEnv): string {
  if (where === 'user') return join(env['CLAUDE_CONFIG_DIR'] ?? join(findHome(env), '.claude'), 'settings.json');
  return join(root, '.claude', where === 'local' ? 'settings.local.json' : 'settings.json');
}

/** Reads one; what is there and is no plain UTF-8 file, or a link that leads out of the project, is a Problem. */
function readSettingsFile(where: SettingsScope, root: string, env: NodeJS.ProcessEnv): SettingsFile {
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
function writeSettingsFile({ file, real }: Pick<SettingsFile, 'file' | 'real'>, text: string): void {
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
function removeSettingsFile({ file, real }: Pick<SettingsFile, 'file' | 'real'>): void {
  withWriteErrors(file, () => {
    rmSync(real);
    try {
      rmdirSync(dirname(real));
    } catch {
      // it holds other files
    }
  });
}
