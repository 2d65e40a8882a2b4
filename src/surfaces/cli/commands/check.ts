import { readText } from '../../../inspection/read-files.ts';
import type { Look } from '../../../inspection/subject-of.ts';
import { faultInWords } from '../../../base/fault-in-words.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { parseContract } from '../../../contract/task-contract-schema.ts';
import { mistake } from '../../../base/problem.ts';
import { phaseOption, proseOf, report, standardInput } from '../inspections.ts';
import { flag, givenOf, textOption, textsOption } from '../options.ts';
import type { Invocation } from '../command.ts';

/** `andon check`: applies the rules to a plan, a contract, a response, files, a diff, or what is staged. */
export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  if (textOption(options, 'response') !== undefined)
    return (await import('../response-options.ts')).checkResponse(invocation);
  const lonely = givenOf(options, ABOUT_RESPONSES);
  if (lonely.length > 0)
    throw mistake(
      `--${lonely[0] === 'profileVar' ? 'profile-var' : (lonely[0] ?? '')} says something about a response, and there is none`,
      'andon check --response <text|file>',
    );
  const look = await lookOf(invocation);
  return report(invocation, {
    look,
    // What is staged is asked about as a commit is; everything else is a plain question.
    surface: look.staged === undefined ? 'gate' : 'pre-commit',
    phase: phaseOption(options),
    task: textOption(options, 'task'),
  });
}

/** Options that say something about a response, and nothing without one. */
const ABOUT_RESPONSES = ['query', 'context', 'var', 'profileVar', 'scenario', 'remediate'] as const;

/** What the options of `andon check` say is to be looked at. */
export async function lookOf({ options, cwd, env }: Invocation): Promise<Look> {
  const [plan, diff, contract] = ['plan', 'diff', 'contract'].map((name) => textOption(options, name));
  const files = textsOption(options, 'file');
  const staged = flag(options, 'staged');
  const ofFiles = [diff !== undefined, files.length > 0, staged].filter(Boolean).length;
  if (ofFiles > 1) throw mistake('--file, --diff and --staged cannot be put together', 'check one after the other');
  if (ofFiles === 0 && plan === undefined && contract === undefined)
    throw mistake(
      'what is to be checked?',
      'andon check --staged, --diff <file|->, --file <files...>, --plan <text|file>, --contract <file> or --response <text|file>',
    );
  if (plan === '-' && diff === '-')
    throw mistake('standard input cannot be the plan and the diff', 'put one of them into a file');
  return {
    ...(plan === undefined
      ? {}
      : { plan: await proseOf(cwd, plan, 'plan', 'andon check --plan "what is to be done"') }),
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
      `${name === '-' ? 'standard input' : inOneTerminalLine(name)} is an empty diff`,
      'say --allow-empty if that is meant',
    );
  return { name: name === '-' ? 'from standard input' : name, text };
}

/** What is no contract has nothing in it that could be looked at. */
function contractOf(cwd: string, name: string): string {
  const text = readText(cwd, name);
  const read = parseContract(text);
  if (read.ok) return text;
  const [fault] = read.why;
  throw mistake(
    `${inOneTerminalLine(name)} is no contract: ${fault === undefined ? '' : inOneTerminalLine(`${fault.path}: ${faultInWords(fault)}`, 400)}`,
    `andon contract lint ${inOneTerminalLine(name)} says more`,
  );
}
