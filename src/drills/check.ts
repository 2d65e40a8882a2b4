import { inOneTerminalLine } from '../base/plain-text.ts';

/** One thing that was looked at: what was expected, and what was found. */
export interface Check {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A check of a yes-or-no question; `found` says in words what is wrong. */
export const check = (what: string, wrong: string | undefined): Check => ({
  what,
  expected: 'yes',
  found: wrong ?? 'yes',
  ok: wrong === undefined,
});

/** A check that two texts or numbers are the same. */
export const same = (what: string, expected: unknown, found: unknown): Check => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
});

/** What is not as it must be, in one line. */
export const differenceInWords = ({ what, expected, found }: Check): string =>
  `${what}: expected ${inOneTerminalLine(expected, 200)}, found ${inOneTerminalLine(found, 400)}`;
