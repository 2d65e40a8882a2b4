import { jsonPath, oneLine, printable } from './fault.ts';
import type { JsonPath } from './fault.ts';

/** A JSON text that was read: its value, and the line on which each part of it stands. */
export interface JsonDocument {
  readonly value: unknown;
  /** The 1-based line of a key or an array element; undefined when the document has no such part. */
  lineOf(path: JsonPath): number | undefined;
}

/** Why a text is not JSON that can be trusted. */
export interface JsonFault {
  /** `incomplete`: the text ends too early, more may follow; `invalid`: wrong whatever follows. */
  readonly kind: 'incomplete' | 'invalid' | 'too-big' | 'too-deep' | 'duplicate-key' | 'reserved-key';
  /** JSON path, `$.a.b[0]`. */
  readonly path: string;
  readonly line: number | undefined;
  /** Printable, at most 80 characters. */
  readonly found: string;
  readonly expected: string;
}

/** The most objects and arrays that may stand inside one another. */
export const MAX_JSON_DEPTH = 64;

const RESERVED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LITERALS: ReadonlyMap<string, unknown> = new Map([
  ['t', true],
  ['f', false],
  ['n', null],
]);
const ANY_VALUE = 'a value: an object, an array, text in double quotes, a number, true, false or null';
const NUMBER_CHARACTERS = /[-+.\deE]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Carries a fault out of the recursion. */
export class Stopped extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

/** Reads one JSON text; a fault is thrown as `Stopped`. */
export class Scanner {
  readonly #text: string;
  #at: number;
  #line = 1;
  readonly #path: (string | number)[] = [];
  /** For every object and array read: the line of each of its children. */
  readonly #lines = new Map<unknown, Map<string, number> | number[]>();

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  document(): JsonDocument {
    this.#skipBlanks();
    const rootLine = this.#line;
    const value = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#unexpected('nothing after the end of the JSON');
    const lines = this.#lines;
    return { value, lineOf: (path) => findLine(value, rootLine, lines, path) };
  }

  #value(depth: number): unknown {
    const character = this.#text[this.#at];
    if (character === undefined) return this.#unexpected('a value');
    if (character === '{' || character === '[') {
      if (depth === MAX_JSON_DEPTH) this.#stop('too-deep', `level ${depth + 1}`, `at most ${depth} levels of nesting`);
      return character === '{' ? this.#object(depth + 1) : this.#array(depth + 1);
    }
    if (character === '"') return this.#string();
    if (LITERALS.has(character)) return this.#literal(LITERALS.get(character));
    if (character === '-' || (character >= '0' && character <= '9')) return this.#number();
    return this.#unexpected(ANY_VALUE);
  }

  #object(depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    const lines = new Map<string, number>();
    this.#lines.set(members, lines);
    const start = this.#at;
    this.#at += 1;
    this.#skipBlanks();
    if (this.#skip('}')) return members;
    for (;;) {
      if (this.#text[this.#at] !== '"') this.#noKey(start);
      const line = this.#line;
      const key = this.#string();
      this.#path.push(key);
      this.#refuseKey(key, lines.get(key));
      this.#skipBlanks();
      if (!this.#skip(':')) this.#unexpected('a colon after the key');
      this.#skipBlanks();
      members[key] = this.#value(depth);
      lines.set(key, line);
      this.#path.pop();
      this.#skipBlanks();
      if (this.#skip('}')) return members;
      if (!this.#skip(',')) this.#unexpected('a comma or the closing brace');
      this.#skipBlanks();
    }
  }

  /** Where one bracket follows the other, all of them are shown. */
  #noKey(start: number): never {
    if (/[{[]/.test(this.#text[start + 1] ?? '')) this.#at = start;
    return this.#unexpected(this.#at === start ? 'a key in double quotes after the {' : 'a key in double quotes');
  }

  #array(depth: number): unknown[] {
    const elements: unknown[] = [];
    const lines: number[] = [];
    this.#lines.set(elements, lines);
    this.#at += 1;
    this.#skipBlanks();
    if (this.#skip(']')) return elements;
    for (;;) {
      lines.push(this.#line);
      this.#path.push(elements.length);
      elements.push(this.#value(depth));
      this.#path.pop();
      this.#skipBlanks();
      if (this.#skip(']')) return elements;
      if (!this.#skip(',')) this.#unexpected('a comma or the closing bracket');
      this.#skipBlanks();
    }
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) this.#escape();
      else if (code >= SPACE) this.#at += 1;
      else this.#unexpected('the closing quote (a line break inside text is written \\n, other controls \\u…)');
    }
    this.#at += 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #escape(): void {
    this.#at += 1;
    const character = this.#text[this.#at];
    if (character === undefined || !'"\\/bfnrtu'.includes(character)) this.#unexpected('one of " \\ / b f n r t u');
    this.#at += 1;
    if (character !== 'u') return;
    for (const end = this.#at + 4; this.#at < end; this.#at += 1) {
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) this.#unexpected('four hexadecimal digits');
    }
  }

  #literal(value: unknown): unknown {
    const start = this.#at;
    for (const character of String(value)) {
      if (this.#skip(character)) continue;
      if (this.#at < this.#text.length) this.#at = start; // the word is shown whole
      this.#unexpected(ANY_VALUE);
    }
    return value;
  }

  #number(): number {
    NUMBER_CHARACTERS.lastIndex = this.#at;
    const written = NUMBER_CHARACTERS.exec(this.#text)?.[0] ?? '';
    const value = NUMBER.test(written) ? Number(written) : Number.NaN;
    const endsText = this.#at + written.length === this.#text.length;
    if (Number.isNaN(value) && endsText && NUMBER.test(`${written}0`)) this.#at = this.#text.length;
    if (!Number.isFinite(value)) this.#unexpected('a number as JSON writes it, not beyond 1.8e308', written);
    this.#at += written.length;
    return value;
  }

  #refuseKey(key: string, firstLine: number | undefined): void {
    if (RESERVED_KEYS.has(key)) this.#stop('reserved-key', printable(key), 'any other key: this name is never data');
    if (firstLine === undefined) return;
    const found = `${oneLine(JSON.stringify(key), 40)} twice, on lines ${firstLine} and ${this.#line}`;
    this.#stop('duplicate-key', found, 'each key once');
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x0a) this.#line += 1;
      else if (code !== SPACE && code !== 0x09 && code !== 0x0d) return;
      this.#at += 1;
    }
  }

  #skip(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #unexpected(expected: string, found = this.#text.slice(this.#at, this.#at + 20)): never {
    if (this.#at >= this.#text.length) this.#stop('incomplete', 'the end of the file', expected);
    const isNoText = found.startsWith('\0') || found.startsWith('\uFFFD');
    this.#stop('invalid', oneLine(found, 40), isNoText ? 'text in UTF-8' : expected);
  }

  #stop(kind: JsonFault['kind'], found: string, expected: string): never {
    throw new Stopped({ kind, path: jsonPath(this.#path), line: this.#line, found, expected });
  }
}

function findLine(
  root: unknown,
  rootLine: number,
  lines: ReadonlyMap<unknown, Map<string, number> | number[]>,
  path: JsonPath,
): number | undefined {
  let [value, line]: [unknown, number | undefined] = [root, rootLine];
  for (const step of path) {
    const children = lines.get(value);
    line = Array.isArray(children) ? children[Number(step)] : children?.get(String(step));
    if (line === undefined) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return line;
}
