import { stripSequences } from '../../base/plain-text.ts';

/** How one test ended. A test that is marked as to do, or expected to fail, counts as skipped: it shows nothing. */
export type TestOutcome = 'passed' | 'failed' | 'skipped';

export interface TestPoint {
  readonly id: string;
  readonly outcome: TestOutcome;
  /** A file, package or suite: it can be red by itself, and is left out of counts. */
  readonly isSuite?: true;
  /** Of a failed test: what it expected and found, as its runner words it. */
  readonly message?: string;
}

/** The message of a failed test for a test point: without blank lines, cut; nothing where there is none. */
export function failureMessage(outcome: TestOutcome, written: string): Pick<TestPoint, 'message'> {
  if (outcome !== 'failed') return {};
  const plain = stripSequences(written.slice(0, LONGEST_MESSAGE * 4));
  const lines = plain.split(/\r\n|[\n\r]/).filter((line) => line.trim() !== '' && !STACK.test(line));
  const message = lines.slice(0, MESSAGE_LINES).join('\n').slice(0, LONGEST_MESSAGE);
  return message === '' ? {} : { message };
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
  const plain = stripSequences(text.replace(/^\ufeff/, ''));
  return { text: plain, lines: plain.split(/\r\n|[\n\r]/).map((line) => (line.length > LONGEST_LINE ? '' : line)) };
}

/** Joins the parts of a text; one unreadable part makes the whole unreadable. */
export const together = (parts: readonly (readonly TestPoint[] | undefined)[]): Reading =>
  parts.some((part) => part === undefined) ? 'unreadable' : parts.flatMap((part) => part ?? []);

export const count = (points: readonly TestPoint[], outcome: TestOutcome): number =>
  points.filter((point) => point.outcome === outcome).length;

/** The name of a test inside its suites. */
export const idOf = (path: readonly string[]): string => path.join(' > ');

const LONGEST_MESSAGE = 600;
const MESSAGE_LINES = 8;
/** A stack frame says where the runner was, not what failed. */
const STACK = /^\s+at \S|^\s*node:internal/;

/** Keeps every pattern over one line cheap. */
const LONGEST_LINE = 2000;
