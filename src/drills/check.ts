import { inOneTerminalLine } from '../base/plain-text.ts';

/** One check: expected and actual. */
export interface Check {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A boolean check; `found` describes the fault. */
export const check = (what: string, wrong: string | undefined): Check => ({
  what,
  expected: 'yes',
  found: wrong ?? 'yes',
  ok: wrong === undefined,
});

export const same = (what: string, expected: unknown, found: unknown): Check => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
});

export const differenceInWords = ({ what, expected, found }: Check): string =>
  `${what}: expected ${inOneTerminalLine(expected, 200)}, found ${inOneTerminalLine(found, 400)}`;
