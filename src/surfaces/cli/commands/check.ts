import { readText } from '../../../inspection/read-files.ts';
import type { Look } from '../../../inspection/subject-of.ts';
import { partedBy } from '../../../base/letter-case.ts';
import { baseBranch } from '../base-branch.ts';
import { faultInWords } from '../../../base/fault-in-words.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { parseContract } from '../../../contract/task-contract-schema.ts';
import { mistake } from '../../../base/problem.ts';
import { phaseOption, proseOf, report, standardInput } from '../inspections.ts';
import { LOOKS, flag, givenOf, textOption, textsOption } from '../options.ts';
import { conflictingOptions, misplacedOption, missingArgument, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon check`: applies the rules to a plan, a contract, a response, files, a diff, what is staged, or a branch. */
export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  if (textOption(options, 'response') !== undefined)
    return (await import('../response-options.ts')).checkResponse(invocation);
  const [misplaced] = givenOf(options, ABOUT_RESPONSES);
  if (misplaced !== undefined)
    throw misplacedOption(`--${partedBy('-', misplaced)}`, '--response', 'andon check --response ANSWER.md');
  const look = options['base'] === undefined ? await lookOf(invocation) : await changeOf(invocation);
  return report(invocation, {
    look,
    // What is staged is asked about as a commit is, and a branch as in CI; everything else is a plain question.
    surface: look.base !== undefined ? 'ci' : look.staged === undefined ? 'gate' : 'pre-commit',
    phase: phaseOption(options),
    task: textOption(options, 'task'),
  });
}

/** The change of this branch, which is no part of another subject. */
async function changeOf(invocation: Invocation): Promise<Look> {
  const [other] = givenOf(invocation.options, LOOKS);
  if (other !== undefined) throw conflictingOptions(['--base', `--${other}`], 'andon check --base');
  return { base: await baseBranch(invocation) };
}

/** Options that say something about a response, and nothing without one. */
const ABOUT_RESPONSES = ['query', 'context', 'var', 'profileVar', 'scenario', 'remediate'] as const;

/** The subject that the options of `andon check` select. */
export async function lookOf({ options, cwd, env }: Invocation): Promise<Look> {
  const [plan, diff, contract] = ['plan', 'diff', 'contract'].map((name) => textOption(options, name));
  const files = textsOption(options, 'file');
  const staged = flag(options, 'staged');
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
    ...(plan === undefined ? {} : { plan: await proseOf(cwd, plan, 'plan', 'andon check --plan "Add a login page"') }),
    ...(contract === undefined ? {} : { contract: contractOf(cwd, contract) }),
    ...(files.length === 0 ? {} : { files }),
    ...(diff === undefined ? {} : { diff: await diffOf(cwd, diff, flag(options, 'allowEmpty')) }),
    ...(staged ? { staged: { index: env['GIT_INDEX_FILE'] } } : {}),
  };
}

async function diffOf(
  cwd: string,
  name: string,
  mayBeEmpty: boolean,
): Promise<{ readonly name: string; readonly text: string }> {
  const text = name === '-' ? await standardInput() : readText(cwd, name);
  if (text.trim() === '' && !mayBeEmpty)
    throw mistake(
      `Empty diff: ${name === '-' ? 'standard input' : inOneTerminalLine(name)}.`,
      runCommand(`andon check --diff ${inOneTerminalLine(name)} --allow-empty`, 'if that is meant'),
    );
  return { name: name === '-' ? 'from standard input' : name, text };
}

/** A value that is not a contract has nothing to check. */
function contractOf(cwd: string, name: string): string {
  const text = readText(cwd, name);
  const read = parseContract(text);
  if (read.ok) return text;
  const [fault] = read.why;
  throw mistake(
    `Invalid contract: ${inOneTerminalLine(name)}. ${fault === undefined ? '' : inOneTerminalLine(`${fault.path}: ${faultInWords(fault)}`, 400)}`,
    runCommand(`andon contract lint ${inOneTerminalLine(name)}`, 'to see every fault'),
  );
}
