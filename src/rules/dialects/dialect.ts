import { toLatinLetters } from '../../base/to-latin-letters.ts';
import type { JsonPath } from '../../base/fault.ts';
import { MAX_RULE_FILE_BYTES } from '../../base/strict-yaml.ts';
import type { RuleNote } from '../model/rule.ts';
import { faultAt, type RuleFault } from '../../project/config/rule-fault.ts';

/** A file that holds rules; its name is the path from the root of the project. */
export interface RuleFileText {
  readonly name: string;
  readonly text: string;
}

/** One rule in the keys of `andon.rules/v1`, not yet checked, and the place of its parts in its file. */
export interface RuleDraft {
  readonly value: unknown;
  /** The path of the rule in its file, as faults show it. */
  readonly path: JsonPath;
  /** The 1-based line of a part of the file. */
  readonly lineOf: (path: JsonPath) => number | undefined;
  /** The category of a rule that names none. */
  readonly category: string;
}

/** A file of rules in andon's own format, whatever it was written in. */
export interface RuleDocument {
  readonly rules: readonly RuleDraft[];
  readonly faults: readonly RuleFault[];
  readonly notes: readonly RuleNote[];
}

/** A way to write rules that another tool knows; a file is converted whenever it is loaded. */
export interface RuleDialect {
  /** Whether a file of this name, without its folder, is written in it. */
  readonly matches: (fileName: string) => boolean;
  /** Converts a file; what has no counterpart is a note or a fault. */
  readonly convert: (file: RuleFileText) => RuleDocument;
}

/** A file that could not be read at all. */
export const unreadable = (...fault: Parameters<typeof faultAt>): RuleDocument => ({
  rules: [],
  faults: [faultAt(...fault)],
  notes: [],
});

export const isTooLarge = (text: string): boolean => text.length > MAX_RULE_FILE_BYTES;

export const refuseLargeDocument = (name: string): RuleDocument =>
  unreadable(name, undefined, [], `more than ${MAX_RULE_FILE_BYTES / 1024} kB`, 'split the file');

/** An id made of words or a path: letters, digits, dots and dashes, beginning with a letter, at most 64. */
export function idFrom(text: string): string {
  const plain = toLatinLetters(text)
    .replaceAll('/', '.')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  const begun = /^[A-Za-z]/.test(plain) ? plain : `r-${plain}`;
  return begun.slice(0, 64).replace(/[-.]+$/, '');
}

/** The path below the folder of rules, without its ending: what a rule file is called by. */
export function pathInRules(name: string): string {
  const below = /(?:^|\/)rules\/(.+)$/.exec(name)?.[1] ?? name.split('/').at(-1) ?? name;
  return below.replace(/\.[A-Za-z]+$/, '');
}

/** The category of a rule that names none: the first folder below the folder of rules, else `general`. */
export function categoryOf(name: string): string {
  const parts = pathInRules(name).split('/');
  return parts.length > 1 ? (parts[0] ?? 'general') : 'general';
}
