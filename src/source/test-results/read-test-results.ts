import { readGoJson } from './go-json.ts';
import { readJsonReport } from './json-report.ts';
import { readJunit } from './junit.ts';
import { readTap } from './tap.ts';
import { plainOutput, type PlainOutput, type Reading, type TestOutcome, type TestPoint } from './test-points.ts';

export interface TestResults {
  readonly format: string;
  readonly tests: ReadonlyMap<string, TestOutcome>;
  /** The number of tests that passed, without suites and files. */
  readonly passed: number;
  /** The first failed tests, without suites unless only a suite failed. */
  readonly failures: readonly FailedTest[];
}

/** A failed test and what its runner says of it. */
export interface FailedTest {
  readonly name: string;
  readonly message?: string;
}

/** More names would not be read. */
const MOST_FAILURES = 20;

/** Characters; a larger text is not read. */
const MAX_RESULTS = 67_108_864;

/** What programs write for programs. What a runner prints for people is not read. */
const READERS: Readonly<Record<string, (output: PlainOutput) => Reading>> = {
  'go test -json': readGoJson,
  'JSON report': readJsonReport,
  'JUnit XML': readJunit,
  TAP: readTap,
};

/**
 * Reads the results of tests from a text, or from the files of one run. Undefined means unknown: no machine format, two
 * of them, cut off, sums that contradict the tests, no test, two tests of one name that ended differently, or results of
 * only some of the packages that npm ran.
 *
 * A suite is a test as well, red when one of its tests is. File names are relative to `folder`, where the run took place.
 */
export function readTestResults(written: string | readonly string[], folder = ''): TestResults | undefined {
  const texts = typeof written === 'string' ? [written] : written;
  if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_RESULTS) return undefined;
  const found = texts.map(readOne);
  const format = found[0]?.format;
  const points: TestPoint[] = [];
  for (const one of found) {
    if (one === undefined || one.format !== format || one.reading === 'unreadable') return undefined;
    points.push(...one.reading);
  }
  const tests = byName(points, folder);
  if (format === undefined || tests === undefined || tests.size === 0) return undefined;
  return { format, tests, passed: points.filter(isPassedTest).length, failures: listFailures(points, folder) };
}

function listFailures(points: readonly TestPoint[], folder: string): readonly FailedTest[] {
  const failed = points.filter(({ outcome }) => outcome === 'failed');
  const tests = failed.filter(({ isSuite }) => isSuite !== true);
  return (tests.length > 0 ? tests : failed).slice(0, MOST_FAILURES).map(({ id, message }) => ({
    name: withoutFolder(id, folder),
    ...(message === undefined ? {} : { message }),
  }));
}

function withoutFolder(id: string, folder: string): string {
  const start = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  return start !== '' && id.startsWith(start) ? id.slice(start.length) : id;
}

function readOne(text: string): { readonly format: string; readonly reading: Exclude<Reading, undefined> } | undefined {
  const output = plainOutput(text);
  if (isOfSomePackages(output.lines)) return { format: '', reading: 'unreadable' };
  for (const [format, read] of Object.entries(READERS)) {
    const reading = read(output);
    if (reading !== undefined) return { format, reading };
  }
  return undefined;
}

/** npm's two lines before it runs the script of a package. */
const SCRIPT = /^> (\S+)@\S+ ([\w:.-]+)$/;
/** A script that does nothing, and one that runs those of other packages. */
const NOTHING = /^> (?:(?:echo\b[^&|;]*|(?:true|exit \d+)\s*)(?:&&\s*|$))+$/;
const OF_OTHERS =
  /--workspaces?\b|\s-ws\b|\b(?:pnpm|bun)\b[^&|;]{0,200}\s(?:-r|--recursive|--filter)\b|\bworkspaces? (?:run|foreach)\b|\b(?:nx|turbo|lerna|rush) /;

/** Scripts of one package that ran one after the other, such as `pretest` and `test`, and all that they printed. */
interface PackageRun {
  readonly name: string;
  readonly scripts: string[];
  readonly commands: string[];
  readonly lines: string[];
}

function listPackageRuns(lines: readonly string[]): readonly PackageRun[] {
  const starts = lines.flatMap((line, at) => {
    const [, name, script = ''] = SCRIPT.exec(line) ?? [];
    const command = lines[at + 1] ?? '';
    return name === undefined || !command.startsWith('> ') ? [] : [{ at, name, script, command }];
  });
  const runs: PackageRun[] = [];
  for (const [index, { at, name, script, command }] of starts.entries()) {
    const last = runs.at(-1);
    const run = last?.name === name ? last : { name, scripts: [], commands: [], lines: [] };
    if (run !== last) runs.push(run);
    run.scripts.push(script);
    run.commands.push(command);
    for (const line of lines.slice(at + 2, starts[index + 1]?.at)) run.lines.push(line);
  }
  return runs;
}

/** Whether npm ran in several packages a script that wrote results for programs in only some of them. */
function isOfSomePackages(lines: readonly string[]): boolean {
  const runs = listPackageRuns(lines).filter(
    ({ commands }) => !commands.every((one) => NOTHING.test(one)) && !commands.some((one) => OF_OTHERS.test(one)),
  );
  const whole = new Set(runs.length < 2 ? [] : runs.filter((run) => hasResults(run.lines)));
  const scripts = new Set([...whole].flatMap((run) => run.scripts));
  return runs.some((run) => !whole.has(run) && run.scripts.some((script) => scripts.has(script)));
}

const hasResults = (lines: readonly string[]): boolean =>
  Object.values(READERS).some((read) => read({ text: lines.join('\n'), lines }) !== undefined);

/** node:test reports a file without tests as a test of the file's name. */
const isPassedTest = ({ id, outcome, isSuite }: TestPoint): boolean =>
  outcome === 'passed' && isSuite !== true && !/^(?:test > )?\S+\.[cm]?[jt]sx?$/.test(id);

/** The second test of a name gets a number, so that a missing one shows; both must have ended alike. */
function byName(points: readonly TestPoint[], folder: string): Map<string, TestOutcome> | undefined {
  const tests = new Map<string, TestOutcome>();
  const times = new Map<string, number>();
  const outcomes = new Map<string, TestOutcome>();
  for (const { id, outcome } of points) {
    const name = withoutFolder(id, folder);
    if ((outcomes.get(name) ?? outcome) !== outcome) return undefined;
    outcomes.set(name, outcome);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const key = time === 1 ? name : `${name} [${time}]`;
    if (tests.has(key)) return undefined;
    tests.set(key, outcome);
  }
  return tests;
}
