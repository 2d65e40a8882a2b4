/** One thing that is wrong with a file a user wrote, in words that let the user repair it. */
export interface Fault {
  /** JSON path, `$.constraints.allowed_paths[0]`. */
  readonly path: string;
  /** 1-based; undefined when no place in the text can be named. */
  readonly line: number | undefined;
  /** The actual value, printable and at most 80 characters. */
  readonly found: string;
  readonly expected: string;
  /** A value that would be accepted, as JSON. */
  readonly example: string | undefined;
  /** `incomplete`: the text ends before the JSON does, so it may still be being written. */
  readonly kind: 'incomplete' | 'invalid';
}

/** A place in a JSON document: keys and indexes from the root. */
export type JsonPath = readonly (string | number)[];

const FOUND_LENGTH = 80;
const KEY_LENGTH = 60;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;
/** Control, format, private, unassigned and half characters, line separators, and every blank but the space. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Writes a path as people write it: `$.gates[0].run`, with quotes around keys that are no plain names. */
export function jsonPath(path: JsonPath): string {
  return path.reduce<string>((written, step) => written + oneStep(step), '$');
}

function oneStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (PLAIN_KEY.test(step) && step.length <= KEY_LENGTH) return `.${step}`;
  return `[${oneLine(JSON.stringify(step), KEY_LENGTH)}]`;
}

/** The line of the nearest thing at or above a path that has one. */
export function nearestLine(lineOf: (path: JsonPath) => number | undefined, path: JsonPath): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const line = lineOf(path.slice(0, length));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Shows a JSON value in at most 80 printable characters; `nothing` when it is not there. */
export function printable(value: unknown): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), FOUND_LENGTH);
}

/** Makes any text one line of visible characters, cut to a length: nothing in it can steer a terminal. */
export function oneLine(text: string, length: number): string {
  const seen = text.slice(0, length * 2).replace(INVISIBLE, escapeCharacter);
  const characters = Array.from(seen);
  const whole = characters.length <= length && text.length <= length * 2;
  return whole ? seen : `${characters.slice(0, length - 1).join('')}…`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
