import { toTerminalLine } from './plain-text.ts';

/** A fault in a user's file, in words that let the user repair it. */
export interface Fault {
  /** JSON path, `$.constraints.allowed_paths[0]`. */
  readonly path: string;
  /** 1-based; undefined when the place is unknown. */
  readonly line: number | undefined;
  /** The actual value, printable and at most 80 characters. */
  readonly found: string;
  readonly expected: string;
  /** An acceptable value, as JSON. */
  readonly example: string | undefined;
  /** `incomplete`: the text ends early, so it may still be being written. */
  readonly kind: 'incomplete' | 'invalid';
}

/** A place in a JSON document: keys and indexes from the root. */
export type JsonPath = readonly (string | number)[];

const FOUND_LENGTH = 80;
const KEY_LENGTH = 60;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;
/** Control, format, private, unassigned and half characters, line separators, and every blank except the space. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** A fault of a contract that shows only in its surroundings; its line is undefined where none was looked for. */
export const createFault = (path: string, found: string, expected: string, example?: string, line?: number): Fault => ({
  path,
  line,
  found,
  expected,
  example,
  kind: 'invalid',
});

/** Formats a path: `$.gates[0].run`, with quotes around unusual keys. */
export function formatJsonPath(path: JsonPath): string {
  return path.reduce<string>((written, step) => written + oneStep(step), '$');
}

function oneStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (PLAIN_KEY.test(step) && step.length <= KEY_LENGTH) return `.${step}`;
  return `[${toOneLine(JSON.stringify(step), KEY_LENGTH)}]`;
}

/** The line of a path, or of its nearest ancestor with one. */
export function findNearestLine(lineOf: (path: JsonPath) => number | undefined, path: JsonPath): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const line = lineOf(path.slice(0, length));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** A JSON value in at most 80 printable characters; `nothing` when it is missing. */
export function formatValue(value: unknown): string {
  return value === undefined ? 'nothing' : toOneLine(JSON.stringify(value), FOUND_LENGTH);
}

/** Any text as one line of visible characters, cut to a length, so that it cannot control a terminal. */
export function toOneLine(text: string, length: number): string {
  const seen = text.slice(0, length * 2).replace(INVISIBLE, escapeCharacter);
  const characters = Array.from(seen);
  const whole = characters.length <= length && text.length <= length * 2;
  return whole ? seen : `${characters.slice(0, length - 1).join('')}…`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A fault in a user's file, as whole sentences without the place; safe for a terminal. */
export function describeFault({ found, expected, example }: Fault): string {
  const wanted = `found ${toTerminalLine(found)}; expected ${toTerminalLine(expected, 400)}`;
  if (example === undefined) return closed(wanted);
  const such = toTerminalLine(example);
  return closed(wanted.endsWith('.') ? `${wanted} For example: ${such}` : `${wanted}, such as ${such}`);
}

const closed = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
