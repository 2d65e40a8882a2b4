import { findUserPath } from '../../../base/base-folders.ts';
import { quoteForShell } from '../../../base/shell-word.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../base/outcome.ts';
import { Problem } from '../../../base/problem.ts';
import { isOnPath } from '../../../project/workspace/on-path.ts';
import { installRoot } from '../../../base/system/install-root.ts';
import { findHooks, isBlank, withHooks, withoutHooks } from './edit-settings.ts';
import {
  SETTINGS_SCOPES,
  readSettingsFile,
  removeSettingsFile,
  getSettingsPath,
  writeSettingsFile,
  type SettingsFile,
  type SettingsScope,
} from './settings-files.ts';

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
