import { CST, Lexer, LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import type { JsonPath } from './fault.ts';
import type { JsonDocument } from './read-json.ts';
import { failure, success, type Outcome } from './outcome.ts';

/** The most bytes a rule file may have. */
export const MAX_RULE_FILE_BYTES = 256 * 1024;

/** Why a text is no YAML that can be trusted: where, what, and what to do. */
export interface YamlFault {
  readonly line: number | undefined;
  readonly path: JsonPath;
  readonly message: string;
  readonly remedy: string;
}

/**
 * Reads YAML that may be hostile: bounded in size and depth, no anchors, no unknown tags, no duplicate or reserved keys,
 * one document. `maxBytes` is lower where the text comes from outside the project.
 */
export function readYaml(text: string, maxBytes: number = MAX_RULE_FILE_BYTES): Outcome<JsonDocument, YamlFault> {
  if (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes)
    return stop(undefined, `more than ${maxBytes / 1024} kB`, 'split the file');
  const plain = text.replace(/^\uFEFF/, '');
  const scanned = scanYaml(plain);
  if (scanned !== undefined) return failure({ path: [], ...scanned });
  const lines = new LineCounter();
  try {
    const document = parseDocument(plain, {
      strict: true,
      uniqueKeys: false,
      version: '1.2',
      lineCounter: lines,
      prettyErrors: false,
    });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) {
      const sentence = (error.message.split('\n')[0] ?? '').slice(0, 120);
      const message = error.code === 'MULTIPLE_DOCS' ? 'a second document begins here' : `not valid YAML: ${sentence}`;
      return stop(lines.linePos(error.pos[0]).line, message, remedyOf(error.code));
    }
    return success(new Builder(lines).document(document.contents));
  } catch (stopped) {
    if (stopped instanceof Stopped) return failure(stopped.fault);
    return stop(undefined, 'not valid YAML', 'check brackets, quotes and indentation');
  }
}

/** Writes a value as YAML that reads back as the same value: regular expressions in single quotes, no anchors. */
export const writeYaml = (value: unknown): string =>
  stringify(value, { singleQuote: true, aliasDuplicateObjects: false, lineWidth: 120 });

const stop = (line: number | undefined, message: string, remedy: string): Outcome<never, YamlFault> =>
  failure({ path: [], line, message, remedy });

/** A backslash in double quotes is by far the most frequent reason. */
function remedyOf(code: string): string {
  if (code === 'BAD_DQ_ESCAPE')
    return 'use single quotes for regular expressions: there a backslash is only a backslash';
  if (code === 'MULTIPLE_DOCS') return 'one document per file: remove the line `---`, or split the file';
  if (code === 'TAG_RESOLVE_FAILED') return 'tags (`!…`) are not taken: remove it';
  return 'check brackets, quotes and indentation';
}

/** Carries a fault out of the recursion, whose depth was bounded before; never leaves this file. */
class Stopped extends Error {
  readonly fault: YamlFault;
  constructor(fault: YamlFault) {
    super(fault.message);
    this.fault = fault;
  }
}

const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** Plain data out of YAML nodes, and the line of every part of it. */
class Builder {
  readonly #lines: LineCounter;
  readonly #lineAt = new Map<string, number>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  document(contents: unknown): JsonDocument {
    return { value: this.#value(contents, []), lineOf: this.#lineOf };
  }

  #value(node: unknown, path: JsonPath): unknown {
    this.#note(node, path);
    if (isScalar(node)) return this.#scalar(node.value, path);
    if (isSeq(node)) return node.items.map((item, index) => this.#value(item, [...path, index]));
    if (isMap(node)) return this.#map(node.items, path);
    if (isAlias(node)) return this.#stop(path, 'an alias', 'write the text out');
    return null;
  }

  #map(items: readonly { readonly key: unknown; readonly value: unknown }[], path: JsonPath): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value) : undefined;
      if (name === undefined) return this.#stop(path, 'a key that is no text', 'write every key as plain text');
      const here = [...path, name];
      if (isScalar(key)) this.#note(key, here);
      if (RESERVED.has(name)) return this.#stop(here, `the reserved key \`${name}\``, 'use any other key');
      if (Object.hasOwn(made, name)) return this.#stop(here, 'the same key twice', 'keep one of the two');
      made[name] = this.#value(value, here);
      if (isScalar(key)) this.#note(key, here);
    }
    return made;
  }

  #scalar(value: unknown, path: JsonPath): unknown {
    const isData = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    return isData ? value : this.#stop(path, 'a value that is neither text nor number', 'write it as text in quotes');
  }

  #note(node: unknown, path: JsonPath): void {
    const range = (node as { readonly range?: readonly number[] | null } | null)?.range;
    if (range?.[0] !== undefined) this.#lineAt.set(JSON.stringify(path), this.#lines.linePos(range[0]).line);
  }

  readonly #lineOf = (path: JsonPath): number | undefined => this.#lineAt.get(JSON.stringify(path));

  #stop(path: JsonPath, message: string, remedy: string): never {
    throw new Stopped({ path, line: this.#lineOf(path), message, remedy });
  }
}

/** The most collections that may stand inside one another in a rule file. */
const MAX_YAML_DEPTH = 64;

/** Why a YAML text is not even parsed, and where that was seen. */
interface ScanFault {
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/**
 * Looks at the tokens of a YAML text before anything is built from it: no anchors, no aliases, no depth that could
 * exhaust a parser. Runs in one pass without recursion.
 */
function scanYaml(text: string): ScanFault | undefined {
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (control !== null) {
    const at = text.slice(0, control.index).split('\n').length;
    return { line: at, message: 'a control character', remedy: 'save the file as plain UTF-8 text' };
  }
  const depth = new Depth();
  const count: Record<string, number> = {};
  let line = 1;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'anchor' || type === 'alias') return referenceAt(line, token);
    const kind = KINDS[type ?? ''] ?? 'tokens';
    count[kind] = (count[kind] ?? 0) + 1;
    const most = MOST[kind];
    if (count[kind] > most.count) return { line, message: most.message, remedy: most.remedy };
    depth.take(type, token);
    if (depth.now > MAX_YAML_DEPTH) {
      const message = `more than ${MAX_YAML_DEPTH} levels of nesting`;
      return { line, message, remedy: 'a rule file needs a handful of levels: flatten it' };
    }
    for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) line += 1;
  }
  return undefined;
}

/** What is counted, because a parser pays for each of it. */
const MOST = {
  texts: { count: 40_000, message: 'more than 40,000 keys, values and separators', remedy: 'split the file' },
  tokens: { count: 150_000, message: 'too many separate parts', remedy: 'split the file' },
  directives: { count: 1, message: 'a second directive (`%…`)', remedy: 'remove it' },
  documents: {
    count: 1,
    message: 'a second document',
    remedy: 'one document per file: remove the line `---`, or split the file',
  },
};
const KINDS: Readonly<Record<string, keyof typeof MOST | undefined>> = {
  scalar: 'texts',
  'single-quoted-scalar': 'texts',
  'double-quoted-scalar': 'texts',
  'block-scalar-header': 'texts',
  'map-value-ind': 'texts',
  comma: 'texts',
  'doc-start': 'documents',
  'doc-end': 'documents',
  directive: 'directives',
  'directive-line': 'directives',
};

function referenceAt(line: number, token: string): ScanFault {
  const word = token.slice(0, 20).replaceAll(/[^\x20-\x7e]/g, '?');
  const message = `\`${word}\` is an anchor or alias of YAML, which rule files may not hold`;
  return { line, message, remedy: `put the text into single quotes if it is meant as text ('${word}…'), or repeat it` };
}

/** How deep the text is at a token: open brackets, plus the columns at which block collections began. */
class Depth {
  #flow = 0;
  #column = 0;
  #isLineStart = true;
  readonly #columns: number[] = [];

  get now(): number {
    return this.#flow + this.#columns.length;
  }

  take(type: string | null, token: string): void {
    if (type === 'flow-map-start' || type === 'flow-seq-start') this.#flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') this.#flow = Math.max(0, this.#flow - 1);
    else if (this.#flow === 0 && this.#isLineStart && ENTRIES.has(type)) this.#open();
    if (MARKS.has(token)) return;
    const breakAt = token.lastIndexOf('\n');
    this.#column = breakAt === -1 ? this.#column + token.length : token.length - breakAt - 1;
    this.#isLineStart = breakAt !== -1 || (this.#isLineStart && STAYS_AT_START.has(type));
  }

  #open(): void {
    while ((this.#columns.at(-1) ?? -1) >= this.#column) this.#columns.pop();
    this.#columns.push(this.#column);
  }
}

/** What may begin a block collection at the start of a line: a dash, a question mark, a colon, or a key. */
const ENTRIES: ReadonlySet<string | null> = new Set([
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
]);
/** After these a line may go on to open another collection. */
const STAYS_AT_START: ReadonlySet<string | null> = new Set([
  'space',
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
]);
/** What the lexer puts between tokens; it does not stand in the text. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);
