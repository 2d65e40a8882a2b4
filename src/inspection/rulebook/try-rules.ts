import { tryExamples, type ExampleResult } from '../../rules/load/self-test.ts';
import { readProjectRulebook, type ProjectRulebook } from './rulebook.ts';

/** A rule and how each of its examples came out. */
export interface TriedRule {
  readonly id: string;
  readonly results: readonly ExampleResult[];
}

/** Tries the rules of a project, or one of them, on their own examples. */
export async function tryRules(
  root: string,
  id: string | undefined,
): Promise<{ readonly book: ProjectRulebook; readonly tried: readonly TriedRule[] }> {
  const book = await readProjectRulebook(root, { selfTests: false });
  const tried: TriedRule[] = [];
  for (const { rule } of book.rules)
    if (id === undefined || rule.id === id) tried.push({ id: rule.id, results: await tryExamples(rule) });
  return { book, tried };
}
