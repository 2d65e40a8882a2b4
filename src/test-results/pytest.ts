import type { PlainOutput, Reading, TestOutcome, TestPoint } from './test-points.ts';

/**
 * pytest with one line a test: while they run (`-v`, also of xdist), or in the short summary (`-rA`). One of the two
 * must be what the last line counts; without either pytest names failures only, which is too little.
 */
export function readPytest({ lines }: PlainOutput): Reading {
  if (!lines.some((line) => START.test(line) || SUMMARY.test(line))) return undefined;
  const points: TestPoint[] = [];
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const counted = END.exec(line)?.[1];
    if (counted === undefined) continue;
    const session = lines.slice(from, at);
    const read = sessionOf(session, sumsOf(counted));
    if (read === undefined) return 'unreadable';
    points.push(...read);
    from = at + 1;
  }
  const rest = lines.slice(from);
  return rest.some((line) => START.test(line) || SUMMARY.test(line)) ? 'unreadable' : points;
}

/** One phase of a test, in pytest's own word. */
interface Told {
  readonly id: string;
  readonly word: string;
}

function sessionOf(
  lines: readonly string[],
  sums: ReadonlyMap<string, number> | undefined,
): readonly TestPoint[] | undefined {
  // Stopped at the first failures, by a key, or by a file that could not be read: the rest was not run.
  if (sums === undefined || lines.some((line) => /^!{3,} .+ !{3,}$/.test(line))) return undefined;
  const heading = lines.findIndex((line) => HEADING.test(line) && !START.test(line));
  const running = heading === -1 ? lines : lines.slice(0, heading);
  const summary = lines.slice(lines.findLastIndex((line) => SUMMARY.test(line)) + 1);
  return [running.flatMap(whileRunning), summary.flatMap(inSummary)]
    .filter((told) => agree(told, sums))
    .map(verdicts)
    .at(0);
}

/** `file.py::test PASSED [ 50%]`, or `[gw0] [ 50%] PASSED file.py::test`. */
function whileRunning(line: string): readonly Told[] {
  const worker = /^\[gw\d+\] \[ *\d+%\] ([A-Z]+) (\S.*)$/.exec(line);
  if (worker !== null) return [{ id: (worker[2] ?? '').trimEnd(), word: worker[1] ?? '' }];
  const told = / (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|SUBFAILED)(?= |\(|\[|$)/.exec(line);
  const id = told === null ? '' : line.slice(0, told.index);
  return id.includes('::') ? [{ id, word: told?.[1] ?? '' }] : [];
}

/** `FAILED file.py::test - why`; of what was skipped only a place and a number. */
function inSummary(line: string): readonly Told[] {
  const skipped = /^SKIPPED \[(\d{1,6})\] (.+)$/.exec(line);
  if (skipped !== null)
    return Array.from({ length: Number(skipped[1]) }, () => ({ id: skipped[2] ?? '', word: 'SKIPPED' }));
  const [, word = '', rest = ''] =
    /^(PASSED|FAILED|ERROR|XFAIL|XPASS|SUBFAILED)(?:\(.*?\)|\[.*?\])? (.+)$/.exec(line) ?? [];
  return word === '' ? [] : [{ id: withoutReason(rest), word }];
}

/** A parameter may hold what stands before the reason: the first one outside of brackets counts. */
function withoutReason(rest: string): string {
  let open = 0;
  for (let at = 0; at < rest.length; at += 1) {
    if (rest[at] === '[') open += 1;
    if (rest[at] === ']') open -= 1;
    if (open <= 0 && rest.startsWith(' - ', at)) return rest.slice(0, at);
  }
  return rest;
}

/** A test whose setting up or taking down failed is red, whatever the test itself said. */
function verdicts(told: readonly Told[]): readonly TestPoint[] {
  const broken = new Set(told.filter(({ word }) => RED_PHASE.has(word)).map(({ id }) => id));
  const points = told
    .filter(({ word }) => !RED_PHASE.has(word))
    .map(({ id, word }) => ({ id, outcome: broken.has(id) ? ('failed' as const) : (OUTCOMES.get(word) ?? 'failed') }));
  const named = new Set(points.map(({ id }) => id));
  return [...points, ...[...broken].filter((id) => !named.has(id)).map((id) => ({ id, outcome: 'failed' as const }))];
}

function agree(told: readonly Told[], sums: ReadonlyMap<string, number>): boolean {
  const found = new Map<string, number>();
  for (const { word } of told) {
    const sum = SUMS.get(word);
    if (sum === undefined) return false;
    found.set(sum, (found.get(sum) ?? 0) + 1);
  }
  return [...new Set(SUMS.values())].every((sum) => (found.get(sum) ?? 0) === (sums.get(sum) ?? 0));
}

/** `1 failed, 2 passed, 1 warning`: a word that is not known may be tests. */
function sumsOf(counted: string): ReadonlyMap<string, number> | undefined {
  const sums = new Map<string, number>();
  for (const part of counted.split(', ')) {
    const [, number = '', word = ''] = /^(\d{1,9}) ([a-z ]+)$/.exec(part) ?? [];
    if (!COUNTED.has(word)) return undefined;
    sums.set(word === 'error' ? 'errors' : word, Number(number));
  }
  return sums;
}

const RED_PHASE: ReadonlySet<string> = new Set(['ERROR', 'SUBFAILED']);
const OUTCOMES: ReadonlyMap<string, TestOutcome> = new Map([
  ['PASSED', 'passed'],
  ['XPASS', 'passed'],
  ['SKIPPED', 'skipped'],
  ['XFAIL', 'skipped'],
]);
const SUMS: ReadonlyMap<string, string> = new Map([
  ['PASSED', 'passed'],
  ['FAILED', 'failed'],
  ['SUBFAILED', 'failed'],
  ['ERROR', 'errors'],
  ['SKIPPED', 'skipped'],
  ['XFAIL', 'xfailed'],
  ['XPASS', 'xpassed'],
]);
/** Besides those: what is no test. */
const COUNTED: ReadonlySet<string> = new Set([
  ...SUMS.values(),
  'error',
  'warning',
  'warnings',
  'deselected',
  'rerun',
  'subtests passed',
]);

const START = /^=+ test session starts =+$/;
const SUMMARY = /^=+ short test summary info =+$/;
const HEADING = /^=+ .+ =+$/;
const END = /^(?:=+ )?(no tests ran|\d+ [a-z]+(?:, \d+ [a-z ]+)*) in \d+(?:\.\d+)?s(?: \([\d:, days]+\))?(?: =+)?$/;
