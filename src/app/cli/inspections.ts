import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { maskKnown } from '../../base/known-secrets.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Inspection } from '../../rules/model/inspection.ts';
import { FORMATS } from '../../rules/model/rule-words.ts';
import { inspect, type InspectionRequest } from '../../rules/files/inspect.ts';
import { isThere, readText } from '../../rules/files/read-files.ts';
import { loadWorkspace } from '../../project/workspace/load-workspace.ts';
import { createUsageError } from '../../base/problem.ts';
import { REPORTERS, type Reporter } from '../../rules/reporters/index.ts';
import { hasFlag, readTextOption, readWordOption } from './options.ts';
import { printLine, printText } from './print.ts';
import { conflictingOptions, runCommand } from './usage-errors.ts';
import type { Invocation } from './command.ts';

/** Applies the rules, writes the report, and gives the exit code that was decided. */
export async function report(
  invocation: Invocation,
  wanted: Pick<InspectionRequest, 'look' | 'surface' | 'phase' | 'task' | 'profile'>,
): Promise<number> {
  const { options, cwd, env } = invocation;
  const write = formatOption(options);
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const inspection = await inspect(
    place,
    { cwd, env },
    {
      ...wanted,
      ...(await readLlmOption(invocation)),
      trace: hasFlag(options, 'trace'),
      updateBaseline: hasFlag(options, 'updateBaseline'),
    },
  );
  writeReport(inspection, write, readTextOption(options, 'out'), cwd);
  return inspection.exit;
}

/** What opens the models of `--llm`, and what ends their questions; nothing without it. */
export async function readLlmOption(invocation: Invocation): Promise<Pick<InspectionRequest, 'llm' | 'signal'>> {
  if (!hasFlag(invocation.options, 'llm')) return { llm: undefined };
  const { openModels } = await import('../checks/open-models.ts');
  return { llm: openModels, signal: (await import('./signals.ts')).abortOnSignal(invocation) };
}

/** Prose from a file, from standard input (`-`), or from the argument itself. */
export async function readProseArgument(cwd: string, written: string, what: string, example: string): Promise<string> {
  const text = written === '-' ? await readStandardInput() : isThere(cwd, written) ? readText(cwd, written) : written;
  if (text === written && (what === 'plan' ? SINGLE_WORD : NAME_OF_A_FILE).test(written))
    throw createUsageError(
      `There is no file ${toTerminalLine(written)}.`,
      `Name a file, or give the ${what} in words: \`${example}\`.`,
    );
  if (text.trim() !== '') return text;
  throw createUsageError(`The ${what} is empty.`, runCommand(example));
}

/** A path, or a name that ends as files of prose do. */
const NAME_OF_A_FILE = /^\S*(?:[/\\]\S*|\.(?:md|markdown|txt|rst|adoc|json|ya?ml))$/i;
/** No plan in English has only one word; an answer may. */
const SINGLE_WORD = /^[!-~]+$/;

/** Everything on standard input, for `-`; more than rules would ever look at is refused. */
export const readStandardInput = async (): Promise<string> => (await readStandardBytes()).toString('utf8');

/** The same as bytes, for what may come in another encoding. */
export async function readStandardBytes(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > MOST_INPUT) throw createUsageError('Standard input holds more than 50 MB.', 'Check it in parts.');
  }
  return Buffer.concat(parts);
}

const MOST_INPUT = 50_000_000;

export function formatOption(options: Invocation['options']): Reporter {
  const named = readWordOption(options, 'format', FORMATS);
  if (named !== undefined && named !== 'json' && hasFlag(options, 'json'))
    throw conflictingOptions(['--json', '--format'], 'andon check --staged --format json');
  return REPORTERS[named ?? (hasFlag(options, 'json') ? 'json' : 'text')];
}

/** Writes a report where it is wanted: to the screen, or to a file and in words to the screen. */
export function writeReport(inspection: Inspection, write: Reporter, out: string | undefined, cwd: string): void {
  if (out === undefined) {
    printText(write(inspection));
    return;
  }
  try {
    writeFileSync(resolve(cwd, out), maskKnown(write(inspection)));
  } catch (error) {
    throw createUsageError(
      `${toTerminalLine(out)} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
      'Name another file with --out.',
    );
  }
  printLine(REPORTERS.text(inspection).trimEnd());
}
