import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import { readTestResults } from '../../source/test-results/read-test-results.ts';
import data from './check-commands.json' with { type: 'json' };

export interface CheckRun {
  /** Without parameters that only format its output. */
  readonly command: string;
  readonly isGreen: boolean;
  /** The number of tests that passed, and of all that ran, where its output has machine-readable results. */
  readonly passed?: number;
  readonly all?: number;
}

const table = loadTable(
  'src/rules/session/check-commands.json',
  z.strictObject({ wrappers: z.array(z.string().min(1)), commands: z.array(z.string().min(1)) }),
  data,
);
const WRAPPER = new RegExp(`^(?:${table.wrappers.join('|')}) `);
const COMMAND = new RegExp(`^(?:${table.commands.join('|')})(?=\\s|$)`);
const LONGEST = 20_000;

/**
 * The checks in one command line of a shell, with their outcomes. A check of unknown outcome is left out: the exit code
 * was that of another command (a pipe, `||`, `;`), and its output has no machine-readable results.
 */
export function checkRuns(line: string, exit: number, output: string): readonly CheckRun[] {
  const parts = partsOf(line.slice(0, LONGEST));
  const checks = parts.flatMap((part, at) => {
    const command = checkIn(part.text);
    return command === undefined ? [] : [{ command, at }];
  });
  const isOnly = checks.length === 1;
  if (
    !isOnly &&
    exit !== 0 &&
    parts.every(({ text, next }) => (next === '&&' || next === '') && (checkIn(text) ?? PREPARES.exec(text)) !== null)
  )
    return [{ command: checks.map(({ command }) => command).join(' && '), isGreen: false }];
  const hasPipefail = /\bpipefail\b/.test(line);
  return checks.flatMap(({ command, at }) => {
    const counted = isOnly ? countsIn(output) : undefined;
    const byExit = exitOf(parts, at, exit, hasPipefail);
    const isGreen = counted?.isRed === true ? false : (byExit ?? (counted === undefined ? undefined : true));
    return isGreen === undefined ? [] : [{ command, isGreen, ...counted?.counts }];
  });
}

/** Whether a command ended well, as far as the exit code of the whole line shows. */
function exitOf(parts: readonly Part[], at: number, exit: number, hasPipefail: boolean): boolean | undefined {
  const after = parts.slice(at).map(({ next }) => next);
  if (at === parts.length - 1) {
    const mayBeToBlame = parts.slice(0, at).some(({ text, next }) => next === '&&' && !PREPARES.test(text));
    return exit === 0 ? true : mayBeToBlame ? undefined : false;
  }
  const isAnded = after.slice(0, -1).every((next) => next === '&&' || (hasPipefail && next === '|'));
  // Followed by `&&` alone, it succeeded if the whole did; otherwise any of them may have failed.
  return isAnded && exit === 0 ? true : undefined;
}

/** Commands that only prepare the next one. */
const PREPARES = /^(?:cd|pushd|export|set|source|\.|unset|mkdir -p|sleep)(?:\s|$)/;

interface Part {
  readonly text: string;
  /** The separator before the next one; empty after the last. */
  readonly next: string;
}

/** Splits a command line into single commands; quoted text is not split. */
function partsOf(line: string): readonly Part[] {
  const parts: Part[] = [];
  let text = '';
  for (const { 0: whole, 1: quoted, 2: sign } of line.matchAll(
    /('[^']*'|"(?:[^"\\]|\\.)*"|\\.)|(&&|\|\||\||;|\n)|[^'"\\&|;\n]+|[^]/g,
  )) {
    if (sign === undefined || quoted !== undefined) text += whole;
    else {
      parts.push({ text: text.trim(), next: sign === '\n' ? ';' : sign });
      text = '';
    }
  }
  return [...parts, { text: text.trim(), next: '' }].filter((part) => part.text !== '');
}

function checkIn(part: string): string | undefined {
  let rest = part.replace(/^[({!]\s*/, '').replace(/\s*[)}]$/, '');
  for (let round = 0; round < 6; round += 1) {
    const command = COMMAND.exec(rest)?.[0];
    if (command !== undefined) return plain(rest);
    const shorter = rest.replace(WRAPPER, '').trimStart();
    if (shorter === rest) return undefined;
    rest = shorter;
  }
  return undefined;
}

const plain = (command: string): string =>
  command
    .replace(/\s*\d?>{1,2}\s?(?:&\d|\S+)/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The machine-readable results in an output. Where tests were skipped, runners disagree about the number of all. */
function countsIn(
  output: string,
): { readonly isRed: boolean; readonly counts: Pick<CheckRun, 'passed' | 'all'> } | undefined {
  const results = readTestResults(output);
  if (results === undefined) return undefined;
  const outcomes = [...results.tests.values()];
  const isRed = outcomes.includes('failed');
  const hasAll = !isRed && !outcomes.includes('skipped');
  return { isRed, counts: hasAll ? { passed: results.passed, all: results.passed } : {} };
}
