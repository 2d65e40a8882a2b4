import { toTerminalLine } from '../../base/plain-text.ts';

export interface DrillCheck {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A boolean check; `found` describes the fault. */
export const check = (what: string, wrong: string | undefined): DrillCheck => ({
  what,
  expected: 'yes',
  found: wrong ?? 'yes',
  ok: wrong === undefined,
});

export const checkSame = (what: string, expected: unknown, found: unknown): DrillCheck => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
});

export const formatDifference = ({ what, expected, found }: DrillCheck): string =>
  `${what}: expected ${toTerminalLine(expected, 200)}, found ${toTerminalLine(found, 400)}`;
