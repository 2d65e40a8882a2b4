import type { Fault } from './fault.ts';
import { inOneTerminalLine } from './plain-text.ts';

/** A fault in a user's file, as whole sentences without the place; safe for a terminal. */
export function faultInWords({ found, expected, example }: Fault): string {
  const wanted = `found ${inOneTerminalLine(found)}; expected ${inOneTerminalLine(expected, 400)}`;
  if (example === undefined) return closed(wanted);
  const such = inOneTerminalLine(example);
  return closed(wanted.endsWith('.') ? `${wanted} For example: ${such}` : `${wanted}, such as ${such}`);
}

const closed = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
