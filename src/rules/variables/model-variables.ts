import type { RuleExtract } from '../../rule-model/rule.ts';
import { typeOfBuiltIn } from './extract.ts';

/**
 * What a language model read out of a text, those values alone that are of the kind they must be: a number is no text,
 * and a list or object is nothing. What is left out counts as not there.
 */
export function ofKind(
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

/** Of what kind the value of a variable must be. */
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

const LONGEST = 1000;
