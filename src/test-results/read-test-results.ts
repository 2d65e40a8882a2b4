import { readCargo } from './cargo.ts';
import { readGoJson } from './go-json.ts';
import { readJsonReport } from './json-report.ts';
import { readJunit } from './junit.ts';
import { readNextest } from './nextest.ts';
import { readNodeSpec } from './node-spec.ts';
import { readPytest } from './pytest.ts';
import { readTap } from './tap.ts';
import { plainOutput } from './test-points.ts';
import { readUnittest } from './unittest.ts';
import type { PlainOutput, Reading, TestOutcome, TestPoint } from './test-points.ts';

/** What a run of tests says of each of its tests. */
export interface TestResults {
  readonly format: string;
  readonly tests: ReadonlyMap<string, TestOutcome>;
}

/** The most characters that are looked at. */
export const MAX_RESULTS = 67_108_864;

/**
 * Reads the results of tests, test by test, from what a runner printed or wrote; undefined where that cannot be done
 * for certain: no known format or two of them, cut off, not what its own plan or summary says, no test at all, or two
 * tests of one name that ended differently (which of them is which, nobody could tell the next time).
 *
 * It reads what tests are said to have done, and knows nothing of the run: a red run in whose results nothing is red
 * was red for another reason. A suite is a test as well, red when one of its tests is. `folder` is where the run took
 * place: file names are told from there.
 */
export function readTestResults(text: string, folder = ''): TestResults | undefined {
  if (text.length > MAX_RESULTS) return undefined;
  const output = plainOutput(text);
  const [structured] = readingsBy(STRUCTURED, output);
  const [printed, ...others] = structured === undefined ? readingsBy(PRINTED, output) : [];
  const found = structured ?? (others.length === 0 ? printed : undefined);
  if (found === undefined || found.reading === 'unreadable') return undefined;
  const tests = byName(found.reading, folder);
  return tests === undefined || tests.size === 0 ? undefined : { format: found.format, tests };
}

type Reader = (output: PlainOutput) => Reading;
interface Found {
  readonly format: string;
  readonly reading: Exclude<Reading, undefined>;
}

/** Made for programs; what tests print is quoted in them, and may look like anything. */
const STRUCTURED: Readonly<Record<string, Reader>> = {
  'go test -json': readGoJson,
  'JSON report': readJsonReport,
  'JUnit XML': readJunit,
};

/** Made to be looked at, line by line. */
const PRINTED: Readonly<Record<string, Reader>> = {
  TAP: readTap,
  'node:test': readNodeSpec,
  pytest: readPytest,
  unittest: readUnittest,
  'cargo test': readCargo,
  'cargo nextest': readNextest,
};

/** What each reader makes of an output that knows it for its own; no reader is asked before its answer is wanted. */
function* readingsBy(readers: Readonly<Record<string, Reader>>, output: PlainOutput): Generator<Found> {
  for (const [format, read] of Object.entries(readers)) {
    const reading = read(output);
    if (reading !== undefined) yield { format, reading };
  }
}

/** A name that comes again is another test (one less of them is then seen), as long as all of them ended alike. */
function byName(points: readonly TestPoint[], folder: string): Map<string, TestOutcome> | undefined {
  const tests = new Map<string, TestOutcome>();
  const times = new Map<string, number>();
  const outcomes = new Map<string, TestOutcome>();
  const start = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  for (const { id, outcome } of points) {
    const name = start !== '' && id.startsWith(start) ? id.slice(start.length) : id;
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
