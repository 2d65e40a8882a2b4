import { z } from 'zod';
import { tableOf } from '../base/table.ts';
import { passedTests } from '../test-results/count-passed.ts';
import data from './check-commands.json' with { type: 'json' };

/** A command that checks something, and its outcome. */
export interface CheckRun {
  /** Without parameters that only format its output. */
  readonly command: string;
  readonly isGreen: boolean;
  /** The passed and total tests, if its output has both. */
  readonly passed?: number;
  readonly all?: number;
}

const table = tableOf(
  'src/session/check-commands.json',
  z.strictObject({ wrappers: z.array(z.string().min(1)), commands: z.array(z.string().min(1)) }),
  data,
);
const WRAPPER = new RegExp(`^(?:${table.wrappers.join('|')}) `);
const COMMAND = new RegExp(`^(?:${table.commands.join('|')})(?=\\s|$)`);
/** The part of a command line that is inspected. */
const LONGEST = 20_000;

/**
 * The checks in one shell command line, with their outcomes. A check is left out when its outcome is unknown: the exit
 * code was that of another command (a pipe, `||`, `;`), and its output does not show it.
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
    const told = isOnly ? outcomeIn(output) : undefined;
    const byExit = exitOf(parts, at, exit, hasPipefail);
    const isGreen = told?.isRed === true ? false : (byExit ?? (told?.passed === undefined ? undefined : true));
    if (isGreen === undefined) return [];
    const counts = told?.passed === undefined || told.all === undefined ? {} : { passed: told.passed, all: told.all };
    return [{ command, isGreen, ...counts }];
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

/** The check in a single command, without wrappers and redirections. */
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

/** The outcome in a run's output. */
function outcomeIn(output: string): { readonly isRed: boolean; readonly passed?: number; readonly all?: number } {
  const passed = Object.values(passedTests(output)).reduce((sum, one) => sum + one, 0);
  const failed = [...output.matchAll(FAILED)].reduce(
    (sum, [, ...counts]) => sum + Number(counts.find((one) => one !== undefined) ?? 0),
    0,
  );
  const isRed = failed > 0 || RED.test(output);
  if (passed === 0) return { isRed };
  // Runners differ in counting skipped tests.
  return SKIPPED.test(output) ? { isRed, passed } : { isRed, passed, all: passed + failed };
}

/** Each runner's message about failed tests, at its end. */
const FAILED = new RegExp(
  [
    '^\\s*Tests:?\\s+(\\d+) failed', // vitest, jest
    '^=* ?(\\d+) failed\\b', // pytest
    '^test result: FAILED\\. \\d+ passed; (\\d+) failed', // cargo
    '^(?:# |ℹ )fail (\\d+)$', // node:test
    '^\\s+(\\d+) failing$', // mocha
    '\\d+ examples, (\\d+) failures', // rspec
    'Tests run: \\d+, Failures: (\\d+)', // maven, JUnit
    '\\bFailed: +(\\d+)', // dotnet
    '(\\d+) tests? failed out of', // ctest
  ].join('|'),
  'gm',
);
const RED =
  /(?:^|\n)(?:npm ERR!|error(?:\[E\d+\])?: |FAILED \(|FAIL\b|--- FAIL|Failed! {2}- )|error TS\d{3,5}:|✖ [1-9]\d* problems?|Found [1-9]\d* errors?|BUILD FAILED|BUILD FAILURE|Segmentation fault|Traceback \(most recent call last\)/;
const SKIPPED = /\b[1-9]\d* (?:skipped|todo|pending|ignored|deselected|xfailed)\b|Skipped: {1,6}[1-9]/i;
