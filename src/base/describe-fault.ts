import type { Fault } from './fault.ts';
import { toTerminalLine } from './plain-text.ts';

/** A fault in a user's file, as whole sentences without the place; safe for a terminal. */
export function describeFault({ found, expected, example }: Fault): string {
  const wanted = `found ${toTerminalLine(found)}; expected ${toTerminalLine(expected, 400)}`;
  if (example === undefined) return closed(wanted);
  const such = toTerminalLine(example);
  return closed(wanted.endsWith('.') ? `${wanted} For example: ${such}` : `${wanted}, such as ${such}`);
}

const closed = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
