import { count } from './test-points.ts';
import type { PlainOutput, Reading, TestOutcome, TestPoint } from './test-points.ts';

/** `cargo nextest run`: a line a test, then the sums, then the failures once more. Stopped early, it says `2/3 tests run`. */
export function readNextest({ lines }: PlainOutput): Reading {
  const end = lines.findIndex((line) => SUMMARY.test(line));
  if (end === -1) return lines.some((line) => /^ *Nextest run ID \S+ with /.test(line)) ? 'unreadable' : undefined;
  const [, run = '', of, passed = ''] = SUMMARY.exec(lines[end] ?? '') ?? [];
  if (of !== undefined || lines.slice(end + 1).some((line) => SUMMARY.test(line))) return 'unreadable';
  const points = lines.slice(0, end).flatMap(pointOf);
  return count(points, 'passed') + count(points, 'failed') === Number(run) && count(points, 'passed') === Number(passed)
    ? points
    : 'unreadable';
}

/** `PASS [   0.002s] (1/3) name tests::a`; the last try of several says how a test ended. */
function pointOf(line: string): readonly TestPoint[] {
  const [, tries, word = '', id = ''] = POINT.exec(line) ?? [];
  const outcome = OUTCOMES.get(word) ?? (word === '' || tries !== undefined ? undefined : 'failed');
  return outcome === undefined ? [] : [{ id, outcome }];
}

const OUTCOMES: ReadonlyMap<string, TestOutcome> = new Map([
  ['PASS', 'passed'],
  ['LEAK', 'passed'],
  ['SKIP', 'skipped'],
]);
const POINT =
  /^ *(TRY \d+ )?(PASS|LEAK|FAIL|SKIP|TIMEOUT|ABORT|XFAIL|SIG[A-Z]+) \[ *[\d.]*s?\] (?:\( *\d+\/ *\d+\) )?(\S+(?: \S+)?)$/;
const SUMMARY = /^ *Summary \[ *[\d.]+s\] (\d+)(?:\/(\d+))? tests? run: (\d+) passed/;
