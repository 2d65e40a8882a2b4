import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import type { RuleExtract } from '../model/rule.ts';
import data from './flags.json' with { type: 'json' };
import { withoutHidden } from '../text/words.ts';
import { findDiscounts, findMoney } from './amounts.ts';
import { extractOwn, picked, wordsIn } from './own-extract.ts';

const texts = z.array(z.string());
const FLAGS = loadTable(
  'src/rules/variables/flags.json',
  z.record(z.string(), z.strictObject({ beginnings: texts, words: texts, phrases: texts, parts: texts })),
  data,
);

/** A second name of a variable, as policies of elsewhere write it. */
const ALIASES: ReadonlyMap<string, string> = new Map([['contains_competitor_mention', 'contains_competitor']]);

/** What can be asked of a text with yes or no: whether it speaks of a refund, a promise, a competitor, an apology. */
const FLAG_NAMES: readonly string[] = [...Object.keys(FLAGS), ...ALIASES.keys()];

/** The variables that every text has without a rule saying how: sums, discounts, what it speaks of. */
export const BUILT_IN: readonly string[] = [
  'amount',
  'amounts',
  'currency',
  'discount_percent',
  'discount_percents',
  ...FLAG_NAMES,
];

/** The kind of a built-in variable, for other sources of it. */
const typeOfBuiltIn = (name: string): 'number' | 'boolean' | undefined =>
  name === 'amount' || name === 'discount_percent' ? 'number' : FLAG_NAMES.includes(name) ? 'boolean' : undefined;

/**
 * Reads variables out of a text, those alone that are asked for: a rule's own `extract:` first, else the packs. What
 * the text does not hold is not there; of several sums and discounts the largest counts.
 */
export function extractFrom(given: string, names: readonly string[], own: Readonly<Record<string, RuleExtract>> = {}) {
  const text = withoutHidden(given);
  const found: Record<string, unknown> = {};
  const unsure: string[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const entry = Object.hasOwn(own, name) ? own[name] : undefined;
    if (entry !== undefined && entry.llm === undefined) {
      const extracted = extractOwn(entry, text);
      if ('problem' in extracted) problems.push(`${name}: ${extracted.problem}`);
      else if (extracted.isUnsure === true) unsure.push(name);
      else if (extracted.value !== undefined) found[name] = extracted.value;
    } else if (entry === undefined) {
      const { value, isUnsure = false } = builtIn(name, text);
      if (isUnsure) unsure.push(name);
      else if (value !== undefined) found[name] = value;
    }
  }
  return {
    found,
    /** Variables that the text speaks of in a spelling that is not read; a language model can. */
    unsure,
    problems,
  };
}

function builtIn(name: string, text: string): { readonly value: unknown; readonly isUnsure?: boolean } {
  if (FLAG_NAMES.includes(name)) return { value: isFlagged(name, text) };
  if (name === 'discount_percent' || name === 'discount_percents') {
    const { values, isUnsure } = findDiscounts(text);
    return { value: name === 'discount_percent' ? picked(values, 'max') : values, isUnsure };
  }
  if (!MONEY.has(name)) return { value: undefined };
  const { sums, isUnsure } = findMoney(text, name === 'amounts' ? 'all' : 'largest');
  const largest = sums.toSorted((one, other) => other.value - one.value)[0];
  if (name === 'amounts') return { value: sums.map(({ value }) => value), isUnsure };
  return { value: name === 'amount' ? largest?.value : largest?.currency, isUnsure };
}

const MONEY: ReadonlySet<string> = new Set(['amount', 'amounts', 'currency']);

/** Whether a text speaks of it in whatever form, also where it denies it. */
function isFlagged(name: string, text: string): boolean {
  const flag = FLAGS[ALIASES.get(name) ?? name];
  if (flag === undefined) return false;
  const words = wordsIn(text);
  const spoken = ` ${words.join(' ')} `;
  return (
    flag.parts.some((part) => text.includes(part)) ||
    words.some((word) => flag.words.includes(word) || flag.beginnings.some((one) => word.startsWith(one))) ||
    flag.phrases.some((phrase) => spoken.includes(` ${phrase} `))
  );
}

/**
 * What a language model read out of a text, those values alone that are of the kind they must be: a number is no text,
 * and a list or object is nothing. What is left out counts as not there.
 */
export function selectByKind(
  answered: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, RuleExtract>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(answered).filter(([name, value]) => isOf(getVariableKind(name, own), value)),
  );
}

/** Which variables a language model may be asked for: those of a rule that says so, and those every text has. */
export const mayBeAsked = (name: string, own: Readonly<Record<string, RuleExtract>>): boolean =>
  Object.hasOwn(own, name) ? own[name]?.llm !== undefined : typeOfBuiltIn(name) !== undefined;

export function getVariableKind(
  name: string,
  own: Readonly<Record<string, RuleExtract>>,
): 'number' | 'text' | 'boolean' {
  const entry = Object.hasOwn(own, name) ? own[name] : undefined;
  return entry === undefined ? (typeOfBuiltIn(name) ?? 'text') : (entry.type ?? 'text');
}

function isOf(kind: 'number' | 'text' | 'boolean', value: unknown): boolean {
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && value.length <= LONGEST;
}

/** In characters of a text. */
const LONGEST = 1000;
