import type { Rule } from '../rule-model/rule.ts';
import { sentencesOf } from './text/units.ts';
import type { Sentence } from './text/units.ts';

/**
 * Whether a rule in prose is about secrets that stand in code, so that the lines of a change can be looked through for them
 * and nobody is told that it passed where nobody has looked: a sentence of it speaks of secrets together with hard-coding
 * them, or says that they do not belong into what is kept in the repository.
 */
export function forbidsSecretsInCode({ title, content, action_text: action }: Rule): boolean {
  return sentencesOf([title, content ?? '', action ?? ''].join('\n')).some(
    (sentence) =>
      speaksOf(sentence, 'secret') &&
      (speaksOf(sentence, 'hardcode') || (speaksOf(sentence, 'sourcecode') && sentence.scopes.length > 0)),
  );
}

/** The concept itself: what is said in its place (an environment variable) is not it. */
const speaksOf = ({ byConcept }: Sentence, concept: string): boolean =>
  (byConcept.get(concept) ?? []).some(({ meanings }) =>
    meanings.some((meaning) => meaning.concept === concept && meaning.sign === 1),
  );
