/** How one test ended. A test that is marked as to do, or expected to fail, counts as skipped: it shows nothing. */
export type TestOutcome = 'passed' | 'failed' | 'skipped';

/** One test as its runner names it. */
export interface TestPoint {
  readonly id: string;
  readonly outcome: TestOutcome;
  /** A file, package or suite: it can be red by itself, and is left out of counts. */
  readonly isSuite?: true;
}

/** The tests of one text; `unreadable`: the text has the reader's format and contradicts itself; undefined: another format. */
export type Reading = readonly TestPoint[] | 'unreadable' | undefined;

/** A text without terminal sequences, whole and in lines; a line too long for the name of a test is empty. */
export interface PlainOutput {
  readonly text: string;
  readonly lines: readonly string[];
}

/** Takes colours and other terminal sequences out of an output. */
export function plainOutput(text: string): PlainOutput {
  const plain = text.replace(/^\ufeff/, '').replace(SEQUENCE, '');
  return { text: plain, lines: plain.split(/\r\n|[\n\r]/).map((line) => (line.length > LONGEST_LINE ? '' : line)) };
}

/** Joins the parts of a text; one unreadable part makes the whole unreadable. */
export const together = (parts: readonly (readonly TestPoint[] | undefined)[]): Reading =>
  parts.some((part) => part === undefined) ? 'unreadable' : parts.flatMap((part) => part ?? []);

/** The number of points with an outcome. */
export const count = (points: readonly TestPoint[], outcome: TestOutcome): number =>
  points.filter((point) => point.outcome === outcome).length;

/** The name of a test inside its suites. */
export const idOf = (path: readonly string[]): string => path.join(' > ');

/** Keeps every pattern over one line cheap. */
const LONGEST_LINE = 2000;

/** CSI, OSC, the choice of a character set, and the other two-character sequences. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()*+][0-9A-Za-z]|[@-Z\\^_])/g;
