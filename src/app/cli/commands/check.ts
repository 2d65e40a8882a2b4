import { readText } from '../../../rules/files/read-files.ts';
import type { SubjectOptions } from '../../../rules/files/gather-subject.ts';
import { describeFault } from '../../../base/fault.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { parseContract } from '../../../project/contract/task-contract-schema.ts';
import { createUsageError } from '../../../base/problem.ts';
import { readProseArgument, report, readStandardInput } from '../inspections.ts';
import {
  SUBJECT_OPTIONS,
  hasFlag,
  listGivenOptions,
  readTextOption,
  readTextsOption,
  readWordOption,
} from '../options.ts';
import { PHASES } from '../../../rules/model/rule-words.ts';
import { conflictingOptions, missingArgument, runCommand, invalidValue } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import type { BaseBranch } from '../../../project/git/changes.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';

/** `andon check`: applies the rules to a plan, a contract, a response, files, a diff, what is staged, or a branch. */
export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  if (readTextOption(options, 'response') !== undefined)
    return (await import('../response-options.ts')).runResponseCheck(invocation);
  const [narrowing] = hasFlag(options, 'updateBaseline') ? listGivenOptions(options, ['phase', 'task']) : [];
  // Rules that are left out would find nothing, so their entries would be forgotten.
  if (narrowing !== undefined)
    throw conflictingOptions(['--update-baseline', `--${narrowing}`], 'andon check --file FILE --update-baseline');
  const look = options['base'] === undefined ? await lookOf(invocation) : await changeOf(invocation);
  return report(invocation, {
    look,
    // What is staged is asked about as a commit is, and a branch as in CI; everything else is a plain question.
    surface: look.base !== undefined ? 'ci' : look.staged === undefined ? 'gate' : 'pre-commit',
    phase: readWordOption(options, 'phase', PHASES),
    task: readTextOption(options, 'task'),
  });
}

/** The change of this branch, which is no part of another subject. */
async function changeOf(invocation: Invocation): Promise<SubjectOptions> {
  const [other] = listGivenOptions(invocation.options, SUBJECT_OPTIONS);
  if (other !== undefined) throw conflictingOptions(['--base', `--${other}`], 'andon check --base');
  return { base: await baseBranch(invocation) };
}

/** The subject that the options of `andon check` select. */
export async function lookOf({ options, cwd, env }: Invocation): Promise<SubjectOptions> {
  const [plan, diff, contract] = ['plan', 'diff', 'contract'].map((name) => readTextOption(options, name));
  const files = readTextsOption(options, 'file');
  const staged = hasFlag(options, 'staged');
  const ofFiles = [diff !== undefined, files.length > 0, staged].filter(Boolean).length;
  if (ofFiles > 1) throw conflictingOptions(['--file', '--diff', '--staged'], 'andon check --staged');
  if (ofFiles === 0 && plan === undefined && contract === undefined)
    throw missingArgument(
      '--plan, --contract, --file, --diff, --staged, --base or --response',
      'andon check --staged',
      'to check what git would commit',
    );
  if (plan === '-' && diff === '-')
    throw conflictingOptions(['--plan -', '--diff -'], 'andon check --plan PLAN.md --diff -');
  return {
    ...(plan === undefined
      ? {}
      : { plan: await readProseArgument(cwd, plan, 'plan', 'andon check --plan "Add a login page"') }),
    ...(contract === undefined ? {} : { contract: contractOf(cwd, contract) }),
    ...(files.length === 0 ? {} : { files }),
    ...(diff === undefined ? {} : { diff: await diffOf(cwd, diff, hasFlag(options, 'allowEmpty')) }),
    ...(staged ? { staged: { index: env['GIT_INDEX_FILE'] } } : {}),
  };
}

async function diffOf(
  cwd: string,
  name: string,
  mayBeEmpty: boolean,
): Promise<{ readonly name: string; readonly text: string }> {
  const text = name === '-' ? await readStandardInput() : readText(cwd, name);
  if (text.trim() === '' && !mayBeEmpty)
    throw createUsageError(
      `Empty diff: ${name === '-' ? 'standard input' : toTerminalLine(name)}.`,
      runCommand(`andon check --diff ${toTerminalLine(name)} --allow-empty`, 'if that is meant'),
    );
  return { name: name === '-' ? 'from standard input' : name, text };
}

/** A value that is not a contract has nothing to check. */
function contractOf(cwd: string, name: string): string {
  const text = readText(cwd, name);
  const read = parseContract(text);
  if (read.ok) return text;
  const [fault] = read.why;
  throw createUsageError(
    `Invalid contract: ${toTerminalLine(name)}. ${fault === undefined ? '' : toTerminalLine(`${fault.path}: ${describeFault(fault)}`, 400)}`,
    runCommand(`andon contract lint ${toTerminalLine(name)}`, 'to see every fault'),
  );
}

/** The branch that this one will go into: exactly as it was typed, else as CI knows it, else the target. */
export async function baseBranch({ options, cwd, env }: Invocation): Promise<BaseBranch> {
  const named = readTextOption(options, 'base');
  if (named !== undefined && !isRevision(named))
    throw invalidValue('--base', named, 'the name of a branch', 'andon check --base main');
  if (named !== undefined) return { name: named, isNamed: true };
  const name = pullRequestBase(env)?.replace(/^origin\//, '') ?? (await targetOf(cwd, env)) ?? 'main';
  return { name, isNamed: false };
}

/** Where a pull request goes is what CI knows of it; the branch itself could name any other target. */
function pullRequestBase(env: NodeJS.ProcessEnv): string | undefined {
  const names = [env['GITHUB_BASE_REF'], env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']];
  return names.find((name) => name !== undefined && isRevision(name));
}

const targetOf = async (cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  (await loadWorkspace(cwd, env, { tolerates: 'nothing' })).settings.target;

/** Names of branches, tags and commits as people write them; nothing that git or a shell could take for more. */
function isRevision(name: string): boolean {
  return (
    /^[\p{L}\p{N}_][\p{L}\p{N}_./@+#-]*(?:[~^]\d*)*$/u.test(name) &&
    !/\.\.|@\{|\/\/|\.lock$|\/$/.test(name) &&
    name.length <= 250
  );
}
