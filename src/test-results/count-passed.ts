import { plainOutput } from './test-points.ts';

/** How many tests passed, as each runner that worked says at its end. */
export type PassedTests = Readonly<Record<string, number>>;

/** Of a runner fewer tests passed than before. */
export interface FewerPassed {
  readonly runner: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Counts the tests that passed in what a command printed, by the sums that runners print when they are done. It names no
 * test, and so needs no special reporter; of several runs, and several runners, it takes them all.
 */
export function passedTests(text: string): PassedTests {
  const found: Record<string, number> = {};
  const { lines } = plainOutput(text);
  for (const line of lines)
    for (const { runner, says, passed } of SUMS) {
      const match = says.exec(line);
      if (match !== null) found[runner] = (found[runner] ?? 0) + passed(match);
    }
  return Object.fromEntries(Object.entries(found).map(([runner, count]) => [runner, Math.max(0, count)]));
}

/** The runner of which most tests are missing; undefined where none passed fewer than before. */
export function fewerPassed(before: PassedTests, after: PassedTests): FewerPassed | undefined {
  return Object.entries(before)
    .map(([runner, count]) => ({ runner, before: count, after: after[runner] ?? 0 }))
    .filter((one) => one.after < one.before)
    .toSorted((one, other) => other.before - other.after - (one.before - one.after))
    .at(0);
}

interface Sum {
  readonly runner: string;
  readonly says: RegExp;
  readonly passed: (match: RegExpExecArray) => number;
}

/** The number in the first bracket, without those in the others. */
const rest = ([, all, ...others]: RegExpExecArray): number =>
  others.reduce((left, other) => left - Number(other ?? 0), Number(all));
const one = (): number => 1;

const sum = (runner: string, says: RegExp, passed: Sum['passed'] = rest): Sum => ({ runner, says, passed });

/** What each runner says at its end. Where it counts a file without tests as a test, that is taken off. */
const SUMS: readonly Sum[] = [
  sum('pytest', /^(?:=+ )?(?:\d+ [a-z]+, ){0,9}(\d+) passed(?:, \d+ [a-z ]+){0,9} in \d/),
  sum('unittest', /^Ran (\d+) tests? in \d/),
  sum(
    'unittest',
    /^(?:FAILED|OK) \(((?:[a-z ]+=\d+(?:, )?){1,5})\)$/,
    ([, parts = '']) => -[...parts.matchAll(/\d+/g)].reduce((all, [count]) => all + Number(count), 0),
  ),
  sum('node:test', /^(?:ℹ|#) pass {1,2}(\d+)$/),
  sum('node:test', /^(?:✔ |ok \d+ - )\S+\.[cm]?[jt]sx?(?: \(\d[\d.]*ms\))?$/, () => -1),
  sum('jest', /^Tests:\s+(?:\d+ [a-z]+, ){0,5}(\d+) passed/),
  sum('vitest', /^\s+Tests\s+(?:\d+ [a-z ]+\| ){0,5}(\d+) passed/),
  sum('mocha', /^\s+(\d+) passing\b/),
  sum('ava', /^\s+(\d+) tests? passed$/),
  sum('jasmine', /^(\d+) specs?, (\d+) failures?(?:, (\d+) pending)?/),
  sum('playwright', /^\s+(\d+) passed \(\d/),
  sum('deno', /^(?:ok|FAILED) \| (\d+) passed\b/),
  sum('bun', /^\s*(\d+) pass$/),
  sum('jest --json', /"numPassedTests":\s*(\d+)/),
  sum('cargo test', /^test result: \w+\. (\d+) passed;/),
  sum('cargo nextest', /^\s*Summary \[.*\] +\d+ tests? run: (\d+) passed/),
  sum('go test -v', /^\s*--- PASS: /, one),
  sum('go test -json', /"Action":"pass",[^\n]*"Test":/, one),
  sum('go test', /^ok\s+\S+\s+(?:\d[\d.]*s|\(cached\))(?!.*\[no tests to run\])/, one),
  sum('PHPUnit', /^OK \((\d+) tests?, \d+ assertions?\)/),
  sum(
    'PHPUnit',
    /^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?(?:, Skipped: (\d+))?(?:, Incomplete: (\d+))?/,
  ),
  sum('RSpec', /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?/),
  sum('minitest', /^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors(?:, (\d+) (?:skips|pendings))?/),
  sum('Maven', /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/),
  sum('dotnet test', /\bPassed:\s+(\d+)(?:,|$)/),
  sum('XCTest', /^\s*Executed (\d+) tests?, with (\d+) failures?/),
  sum('CTest', /^\d+% tests passed, \d+ tests failed out of (\d+)/),
  sum('tests', /^(?:\d+ \w+, ){0,3}(\d+) tests, (\d+) failures?/),
  sum('TAP', /^\s*ok \d+\b(?! - \S+\.[cm]?[jt]sx?$)(?!.*# (?:skip|todo))/i, one),
];
