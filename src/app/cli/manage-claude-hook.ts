import { maskKnown } from '../../base/known-secrets.ts';
import { toSingleLine, toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { findFacts } from '../../project/workspace/load-workspace.ts';
import { answerHook } from '../../rules/files/claude/answer-hook.ts';
import {
  readClaudeHookStates,
  installClaudeHook,
  removeClaudeHook,
  type ClaudeHookChange,
  type ClaudeHookState,
  type SettingsScope,
} from '../../rules/files/claude/install-claude-hook.ts';
import { readStandardInput } from './inspections.ts';
import { hasFlag } from './options.ts';
import { printJson, printLine, printText, colourText } from './print.ts';
import { conflictingOptions, missingArgument } from './usage-errors.ts';
import type { Invocation } from './command.ts';

/** `andon hook claude install|remove|status|run`: Claude Code asks andon at the end of every turn, or does so no more. */
export async function manageClaudeHook(invocation: Invocation): Promise<number> {
  const { args, options, env } = invocation;
  const what = args[1] as 'install' | 'remove' | 'status' | 'run' | undefined;
  if (what === 'run') return answer(env);
  if (what === 'status') return status(invocation);
  if (what === undefined) throw missingArgument('install, remove or status', 'andon hook claude status');
  const where = readScope(options);
  const root = where === 'user' ? '/' : (await findFacts(invocation.cwd, env)).root;
  const change = (what === 'install' ? installClaudeHook : removeClaudeHook)(where, root, env);
  if (hasFlag(options, 'json')) printJson({ ...change, command: change.command ?? null });
  else for (const text of sentences(what, change)) printLine(text);
  return 0;
}

/** What Claude Code runs: its input comes on standard input, and its answer is the exit code. */
async function answer(env: NodeJS.ProcessEnv): Promise<number> {
  const { exit, stdout, stderr } = await answerHook(await readStandardInput(), env, new Date());
  if (stdout !== '') printText(`${stdout}\n`);
  if (stderr !== '') process.stderr.write(`${maskKnown(stderr)}\n`);
  return exit;
}

async function status({ cwd, env, options }: Invocation): Promise<number> {
  const states = readClaudeHookStates(await rootIfAny(cwd, env), env);
  if (hasFlag(options, 'json')) printJson(states.map((state) => ({ ...state, wrong: state.wrong ?? null })));
  else for (const state of states) printLine(stateInWords(state));
  return states.some(({ installed, wrong }) => installed && wrong === undefined) ? 0 : 1;
}

function readScope(options: Invocation['options']): SettingsScope {
  const [local, user] = [hasFlag(options, 'local'), hasFlag(options, 'user')];
  if (local && user) throw conflictingOptions(['--local', '--user'], 'andon hook claude install --user');
  return user ? 'user' : local ? 'local' : 'project';
}

async function rootIfAny(cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    return (await findFacts(cwd, env)).root;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-a-repository') return undefined;
    throw error;
  }
}

function sentences(what: 'install' | 'remove', change: ClaudeHookChange): readonly string[] {
  const file = toTerminalLine(change.file);
  if (what === 'remove') {
    if (!change.changed) return [`there is no hook of andon in ${file}`];
    return [
      change.isGone
        ? `removed andon's hooks and ${file}, which held nothing else`
        : `removed andon's hooks from ${file}; the rest stays as it is`,
    ];
  }
  const others = change.others === 0 ? '' : `; hooks of others at the same moments stay as they are: ${change.others}`;
  return [
    change.changed
      ? `${file}: Claude Code asks andon at the end of every turn, its agents' as well${others}`
      : `${file} asks andon already${others}`,
    ...change.notices.map((notice) => `note: ${toSingleLine(notice)}`),
  ];
}

function stateInWords({ where, file, installed, commands, wrong }: ClaudeHookState): string {
  const head = `${where.padEnd(8)}${toTerminalLine(file)}  `;
  if (!installed) return `${head}${wrong === undefined ? 'not installed' : colourText('red', toSingleLine(wrong))}`;
  return `${head}${wrong === undefined ? `runs ${commands.map((one) => toSingleLine(one)).join(', ')}` : colourText('red', `installed, but ${toSingleLine(wrong)}`)}`;
}
