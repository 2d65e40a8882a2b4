/** How one test ended. What is still to do, or expected to fail, counts as skipped: nothing is shown by it. */
export type TestOutcome = 'passed' | 'failed' | 'skipped';

/** One test as an output names it. */
export interface TestPoint {
  readonly id: string;
  readonly outcome: TestOutcome;
}

/** What a reader makes of an output: its tests; that it is of the reader's format, but cannot be believed; or that it is of another. */
export type Reading = readonly TestPoint[] | 'unreadable' | undefined;

/** The lines of an output, with nothing in them that colours or moves; a line too long for a test's name is noise. */
export interface PlainOutput {
  readonly text: string;
  readonly lines: readonly string[];
}

/** Takes colours and other terminal sequences out of an output. */
export function plainOutput(text: string): PlainOutput {
  const plain = text.replace(/^\ufeff/, '').replace(SEQUENCE, '');
  return { text: plain, lines: plain.split(/\r\n|[\n\r]/).map((line) => (line.length > LONGEST_LINE ? '' : line)) };
}

/** What the parts of an output say together; one that cannot be believed leaves nothing to believe. */
export const together = (parts: readonly (readonly TestPoint[] | undefined)[]): Reading =>
  parts.some((part) => part === undefined) ? 'unreadable' : parts.flatMap((part) => part ?? []);

/** How many points ended in this way. */
export const count = (points: readonly TestPoint[], outcome: TestOutcome): number =>
  points.filter((point) => point.outcome === outcome).length;

/** The name of a test inside of what it belongs to. */
export const idOf = (path: readonly string[]): string => path.join(' > ');

/** What is still a test's name: keeps every pattern over one line cheap. */
const LONGEST_LINE = 2000;

/** CSI, OSC, the choice of a character set, and the other two-character sequences. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()*+][0-9A-Za-z]|[@-Z\\^_])/g;
