import type { Rule, RuleSource, Rulebook } from '../../rule-model/rule.ts';
import { writeWhole } from '../../rules/load/write-rules.ts';

/** One rule with every default written out, and what was read differently from how it is written. */
export function formatRule(
  book: Rulebook,
  id: string,
):
  | { readonly rule: Rule; readonly source: RuleSource; readonly text: string; readonly notes: readonly string[] }
  | undefined {
  const found = book.rules.find(({ rule }) => rule.id === id);
  if (found === undefined) return undefined;
  const notes = book.notes.filter(({ message }) => message.startsWith(`${id}: `)).map(({ message }) => message);
  return { ...found, text: writeWhole(found.rule), notes };
}
