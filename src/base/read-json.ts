import { findNodeAtLocation, parseTree, visit, type Node } from 'jsonc-parser';
import { formatJsonPath, toOneLine, formatValue, type Fault, type JsonPath } from './fault.ts';
import { findLineNumber } from './find-line-number.ts';
import { lazy } from './lazy.ts';
import { failure, success, type Outcome } from './outcome.ts';

/** A parsed JSON text: its value, and the line of each part. */
export interface JsonDocument {
  readonly value: unknown;
  /** The 1-based line of a key or an array element; undefined when it does not exist. */
  readonly lineOf: (path: JsonPath) => number | undefined;
}

/** Why a JSON text is refused. */
export interface JsonFault extends Pick<Fault, 'path' | 'line' | 'found' | 'expected'> {
  /** `incomplete`: the text ends too early, more may follow; `invalid`: wrong in any case. */
  readonly kind: 'incomplete' | 'invalid' | 'too-big' | 'too-deep' | 'duplicate-key' | 'reserved-key';
}

/** Limit of nested objects and arrays. */
export const MAX_JSON_DEPTH = 64;

/** Limit of UTF-8 bytes of a JSON text. */
export const MAX_JSON_BYTES = 1_048_576;

/**
 * Parses strict JSON in linear time. It is stricter than JSON.parse (no duplicate or reserved keys, at most 1 MB, 64
 * deep, finite numbers), but accepts a byte order mark.
 */
export function readJson(whole: string): Outcome<JsonDocument, JsonFault> {
  // A text has at least as many bytes as characters: check the length first.
  if (whole.length > MAX_JSON_BYTES || new TextEncoder().encode(whole).length > MAX_JSON_BYTES) {
    const found = `more than ${MAX_JSON_BYTES} bytes`;
    return failure({ kind: 'too-big', path: '$', line: undefined, found, expected: 'at most 1 MB of JSON' });
  }
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
  try {
    refuseFaults(text);
  } catch (stopped) {
    if (stopped instanceof Stopped) return failure(stopped.fault);
    throw stopped;
  }
  const tree = lazy(() => parseTree(text));
  return success({ value: JSON.parse(text) as unknown, lineOf: (path) => lineOfPart(text, tree(), path) });
}

/** Carries a fault out of the scan. */
class Stopped extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

const RESERVED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const ANY_VALUE = 'a value: an object, an array, text in double quotes, a number, true, false or null';
const QUOTED = 'text that ends in a double quote, on one line, with the escapes of JSON (\\n, \\t, \\u0041)';
const ANY_NUMBER = 'a number as JSON writes it, not beyond 1.8e308';
const WORDS = ['true', 'false', 'null'];
/** A quoted text without its closing quote. */
const UNCLOSED = /"(?:[^"\\\u0000-\u001F]+|\\[^])*\\?/y;
const CUT_NUMBER = /^-?\d*\.?\d*(?:[eE][+-]?)?$/;

/** An enclosing object (with the places of its keys) or array of the scan. */
interface Holder {
  readonly keys: Map<string, number> | undefined;
  /** Elements of an array so far. */
  count: number;
  /** The current key or index; undefined between two of them. */
  at: string | number | undefined;
}

/** Scans a text, and throws `Stopped` at its first fault. */
function refuseFaults(text: string): void {
  const walk = new Walk(text);
  const strictly = { disallowComments: true, allowTrailingComma: false };
  visit(
    text,
    {
      onObjectBegin: (offset) => walk.begin(offset, new Map()),
      onArrayBegin: (offset) => walk.begin(offset, undefined),
      onObjectEnd: (_offset, length) => walk.end(length),
      onArrayEnd: (_offset, length) => walk.end(length),
      onObjectProperty: (key, offset) => walk.key(key, offset),
      onLiteralValue: (value, offset) => walk.literal(value, offset),
      onSeparator: (sign) => walk.separator(sign),
      onError: (_code, offset, length) => walk.fault(offset, length),
    },
    strictly,
  );
}

/** The position of the scan, and what may follow. */
class Walk {
  readonly #text: string;
  readonly #holders: Holder[] = [];
  #expected = ANY_VALUE;

  constructor(text: string) {
    this.#text = text;
  }

  begin(offset: number, keys: Holder['keys']): void {
    if (this.#holders.length === MAX_JSON_DEPTH)
      this.#stop('too-deep', offset, `level ${MAX_JSON_DEPTH + 1}`, `at most ${MAX_JSON_DEPTH} levels of nesting`);
    this.#holders.push({ keys, count: 0, at: keys === undefined ? 0 : undefined });
    this.#expected = keys === undefined ? ANY_VALUE : 'a key in double quotes after the {';
  }

  end(length: number): void {
    if (length === 0) return; // the text ends before its bracket
    this.#holders.pop();
    this.#valueIsRead();
  }

  key(key: string, offset: number): void {
    const holder = this.#holders.at(-1);
    if (holder?.keys === undefined) return;
    const first = holder.keys.get(key);
    holder.keys.set(key, offset);
    holder.at = key;
    this.#expected = 'a colon after the key';
    if (RESERVED_KEYS.has(key))
      this.#stop('reserved-key', offset, formatValue(key), 'any other key: this name is never data');
    if (first === undefined) return;
    const lines = `lines ${findLineNumber(this.#text, first)} and ${findLineNumber(this.#text, offset)}`;
    this.#stop('duplicate-key', offset, `${toOneLine(JSON.stringify(key), 40)} twice, on ${lines}`, 'each key once');
  }

  literal(value: unknown, offset: number): void {
    if (typeof value === 'number' && !Number.isFinite(value)) this.#unexpected(offset, ANY_NUMBER);
    this.#valueIsRead();
  }

  separator(sign: string): void {
    const holder = this.#holders.at(-1);
    this.#expected = sign === ',' && holder?.keys !== undefined ? 'a key in double quotes' : ANY_VALUE;
    if (sign === ',' && holder !== undefined && holder.keys === undefined) holder.at = holder.count += 1;
  }

  fault(offset: number, length: number): never {
    const token = this.#text.slice(offset, offset + length);
    if (token === '' || this.#isCut(token, offset)) this.#endsEarly();
    const isText = token.startsWith('"') && /^a (?:value|key)/.test(this.#expected);
    const isNumber = /^[-\d]/.test(token) && this.#expected === ANY_VALUE;
    return this.#unexpected(offset, isText ? QUOTED : isNumber ? ANY_NUMBER : this.#expected);
  }

  /** Whether more of a word, a number or a text may follow at the end of the file. */
  #isCut(token: string, offset: number): boolean {
    UNCLOSED.lastIndex = offset;
    const unclosed = UNCLOSED.exec(this.#text)?.[0] ?? '';
    if (unclosed !== '') return offset + unclosed.length === this.#text.length;
    if (offset + token.length < this.#text.length || this.#expected !== ANY_VALUE) return false;
    return CUT_NUMBER.test(token) || WORDS.some((word) => word.startsWith(token));
  }

  #valueIsRead(): void {
    const holder = this.#holders.at(-1);
    if (holder === undefined) this.#expected = 'nothing after the end of the JSON';
    else this.#expected = `a comma or the closing ${holder.keys === undefined ? 'bracket' : 'brace'}`;
    if (holder !== undefined) holder.at = undefined;
  }

  #endsEarly(): never {
    return this.#stop('incomplete', this.#text.length, 'the end of the file', this.#expected);
  }

  #unexpected(offset: number, expected: string): never {
    const found = this.#text.slice(offset, offset + 20);
    const isNoText = found.startsWith('\0') || found.startsWith('\uFFFD');
    return this.#stop('invalid', offset, toOneLine(found, 40), isNoText ? 'text in UTF-8' : expected);
  }

  #stop(kind: JsonFault['kind'], offset: number, found: string, expected: string): never {
    const path = formatJsonPath(this.#holders.flatMap(({ at }) => at ?? []));
    throw new Stopped({ kind, path, line: findLineNumber(this.#text, offset), found, expected });
  }
}

function lineOfPart(text: string, tree: Node | undefined, path: JsonPath): number | undefined {
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  // The line of a member is that of its key.
  const from = node?.parent?.type === 'property' ? node.parent : node;
  return from === undefined ? undefined : findLineNumber(text, from.offset);
}
