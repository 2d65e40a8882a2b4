import { together } from './test-points.ts';
import type { PlainOutput, Reading, TestOutcome, TestPoint } from './test-points.ts';

/**
 * What Python's unittest prints with `-v`: a line for each test, and each failure once more below. The sums at the end
 * must be those of the lines; without `-v` there are only dots, which name nothing.
 */
export function readUnittest({ lines }: PlainOutput): Reading {
  const ends = lines.flatMap((line, at) => (RAN.test(line) ? [at] : []));
  if (ends.length === 0) return undefined;
  const sessions = ends.map((end, nth) => {
    const from = (ends[nth - 1] ?? -1) + 1;
    return sessionOf(lines.slice(from, end), Number(RAN.exec(lines[end] ?? '')?.[1]), sumsAfter(lines, end));
  });
  return together(sessions);
}

function sessionOf(
  lines: readonly string[],
  ran: number,
  sums: ReadonlyMap<string, number> | undefined,
): readonly TestPoint[] | undefined {
  if (sums === undefined) return undefined;
  const { outcomes, counts } = told(lines);
  const tests = [...outcomes.keys()].filter((id) => !FIXTURE.test(id));
  const agree = SUMMED.every((name) => (counts.get(name) ?? 0) === (sums.get(name) ?? 0));
  return agree && tests.length === ran ? [...outcomes].map(([id, outcome]) => ({ id, outcome })) : undefined;
}

/** The last word about each test, and how often each word came. */
function told(lines: readonly string[]): {
  readonly outcomes: ReadonlyMap<string, TestOutcome>;
  readonly counts: ReadonlyMap<string, number>;
} {
  const outcomes = new Map<string, TestOutcome>();
  const counts = new Map<string, number>();
  const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  let open: string | undefined;
  for (const [at, line] of lines.entries()) {
    const failed = SEPARATOR.test(lines[at - 1] ?? '') ? FAILURE.exec(line) : null;
    if (failed !== null) {
      outcomes.set(failed[2] ?? '', 'failed');
      count(FAILURES[failed[1] ?? ''] ?? '');
      continue;
    }
    // The line of a test, or its description below it.
    open = (NAME.exec(line)?.[1] ?? open) || undefined;
    const verdict = VERDICT.exec(line)?.[1]?.replace(/ ['"].*/, '');
    if (open === undefined || verdict === undefined) continue;
    if (outcomes.get(open) !== 'failed') outcomes.set(open, OUTCOMES[verdict] ?? 'failed');
    if (verdict === 'skipped') count('skipped');
    if (verdict === 'expected failure') count('expected failures');
    open = undefined;
  }
  return { outcomes, counts };
}

function sumsAfter(lines: readonly string[], at: number): ReadonlyMap<string, number> | undefined {
  const result = /^(?:OK|FAILED)(?: \((.+)\))?$/.exec(lines.slice(at + 1).find((line) => line !== '') ?? '');
  if (result === null) return undefined;
  const sums = new Map<string, number>();
  for (const [, name = '', count = ''] of (result[1] ?? '').matchAll(/([a-z ]+)=(\d{1,9})/g))
    sums.set(name.trim(), Number(count));
  return sums;
}

const RAN = /^Ran (\d{1,9}) tests? in \d/;
const SEPARATOR = /^={70}$/;
const NAME = /^(\w+ \([\w.<>]+\))(?= \.\.\. |$)/;
const FAILURE = /^(FAIL|ERROR|UNEXPECTED SUCCESS): ([\w.]+ \([\w.<>]+\))/;
const VERDICT = /(?:^|^.* \.\.\. )(ok|FAIL|ERROR|skipped (?:'.*'|".*")|expected failure|unexpected success)$/;
/** What stands before and behind the tests of a class or a module is none of those that ran. */
const FIXTURE = /^(?:setUp|tearDown)(?:Class|Module) /;
const FAILURES: Readonly<Record<string, string>> = {
  FAIL: 'failures',
  ERROR: 'errors',
  'UNEXPECTED SUCCESS': 'unexpected successes told',
};
const SUMMED = ['failures', 'errors', 'skipped', 'expected failures'];
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  ok: 'passed',
  skipped: 'skipped',
  'expected failure': 'skipped',
  'unexpected success': 'failed',
};
