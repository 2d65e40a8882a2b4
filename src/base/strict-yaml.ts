import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import type { JsonPath } from './fault.ts';
import type { JsonDocument } from './json.ts';
import { failure, success, type Outcome } from './outcome.ts';
import { scanYaml } from './yaml-scan.ts';

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
    const value = this.#value(contents, []);
    return { value, lineOf: (path) => this.#lineOf(path) };
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

  #lineOf(path: JsonPath): number | undefined {
    return this.#lineAt.get(JSON.stringify(path));
  }

  #stop(path: JsonPath, message: string, remedy: string): never {
    throw new Stopped({ path, line: this.#lineOf(path), message, remedy });
  }
}
