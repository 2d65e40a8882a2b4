import type { RuleMatch } from '../model/inspection.ts';
import type { Rule } from '../model/rule.ts';
import { isFault, isThing } from '../text/concepts.ts';
import { remembered } from '../text/remembered.ts';
import { compare, vectorOf } from '../text/tf-idf.ts';
import { readPlan, sentencesOf, type PlanSentence, type Unit } from '../text/units.ts';
import { isAffirmed } from './acts.ts';
import { isReversed, statementsOf } from './statements.ts';

/**
 * Says how near a plan comes to what a rule asks for (TF-IDF, cosine), and by which terms. It never accuses: nearness does
 * not tell doing from refusing, so only sentences without negation and demands without one can pass.
 */
export function matchSemantics(rule: Rule, plan: string): RuleMatch {
  const { whole, demands } = readRule(rule);
  const sentences = readSentences(readPlan(plan));
  const kept = nearest(sentences.plain, demands);
  const isKept = kept.score >= PASSES_FROM;
  const { score, terms } = isKept ? kept : nearest(sentences.all, [whole, ...demands]);
  const named = terms.slice(0, 5);
  const by = named.map(({ term, weight }) => `${term} ${weight.toFixed(2)}`).join(', ');
  return {
    layer: 'semantic',
    status: isKept ? 'PASS' : 'NOT_COVERED',
    confidence: Math.round((isKept ? 0.5 + score / 2 : Math.min(score, JUST_BELOW)) * 100) / 100,
    reason: `similarity ${score.toFixed(2)}${by === '' ? '' : ` by ${by}`}`,
    places: [],
    terms: named,
  };
}

const PASSES_FROM = 0.4;
/** Nearness without approval never overrules the layer below. */
const JUST_BELOW = 0.59;

function nearest(sentences: readonly Compared[], demands: readonly Compared[]): ReturnType<typeof compare> {
  let best: ReturnType<typeof compare> = { score: 0, terms: [] };
  for (const sentence of sentences)
    for (const demand of demands) {
      const compared = compare(sentence.vector, demand.vector);
      if (compared.score > best.score && !isReversed(demand.text, sentence.text)) best = compared;
    }
  return best;
}

/** A rule as a whole, and each statement of it that asks for something. */
const readRule = remembered((rule: Rule) => {
  const all = [rule.title, rule.tags.join(' '), rule.content ?? '', rule.action_text ?? ''].join('\n');
  const statements = statementsOf(rule).filter(({ forbids }) => !forbids);
  return { whole: { ...withVector(all), text: '' }, demands: statements.map(({ text }) => withVector(text)) };
});

type Compared = ReturnType<typeof withVector>;

const withVector = (text: string) => ({
  text,
  vector: vectorOf(sentencesOf(text).map(({ units }) => units)),
});

/** The sentences of a plan, and those of them that deny nothing and name no fault. */
const readSentences = remembered((sentences: readonly PlanSentence[]) => {
  const vectors = sentences.map(({ text, units }): Compared => ({
    text,
    vector: vectorOf([units]),
  }));
  return { all: vectors, plain: vectors.filter((_, at) => isPlain(sentences[at]!)) };
});

const isPlain = (sentence: PlanSentence): boolean =>
  sentence.scopes.length === 0 &&
  sentence.units.filter(isTelling).every((unit) => isAffirmed(unit, sentence)) &&
  sentence.units.every(({ meanings }) => meanings.every(({ concept, sign }) => sign === 1 && !isFault(concept)));

/** Things are not done, so nothing can be said of their being done. */
const isTelling = (unit: Unit): boolean =>
  unit.weight >= 0.4 && !unit.meanings.every(({ concept }) => isThing(concept));
