import type { RuleMatch } from '../../rule-model/inspection.ts';
import type { Rule } from '../../rule-model/rule.ts';
import { readPlan } from '../text/read-plan.ts';
import type { ReadPlan } from '../text/read-plan.ts';
import { remembered } from '../text/remembered.ts';
import { compare, vectorOf } from '../text/tf-idf.ts';
import type { TermVector } from '../text/tf-idf.ts';
import { isReversed } from '../text/order.ts';
import { isFault } from '../text/things.ts';
import { sentencesOf } from '../text/units.ts';
import type { Sentence } from '../text/units.ts';
import { statementsOf } from './keyword-statements.ts';

/**
 * Says how near a plan comes to what a rule asks for, and by which terms. It never accuses: nearness does not tell doing
 * from refusing, so it speaks only for sentences that deny nothing and for statements that forbid nothing.
 */
export function matchSemantics(rule: Rule, plan: string): RuleMatch {
  const { whole, asked } = readRule(rule);
  const said = readSentences(readPlan(plan));
  const relevance = nearest(said.all, [whole, ...asked]);
  const kept = nearest(said.plain, asked, true);
  const isKept = kept.score >= PASSES_FROM;
  const { score, terms } = isKept ? kept : relevance;
  const named = terms.slice(0, 5);
  const by = named.map(({ term, weight }) => `${term} ${weight.toFixed(2)}`).join(', ');
  return {
    layer: 'semantic',
    status: isKept ? 'PASS' : 'NOT_COVERED',
    confidence: round(isKept ? 0.5 + score / 2 : Math.min(score, JUST_BELOW)),
    reason: `similarity ${score.toFixed(2)}${by === '' ? '' : ` by ${by}`}`,
    places: [],
    terms: named,
  };
}

const PASSES_FROM = 0.4;
/** Nearness without approval never overrules the layer below. */
const JUST_BELOW = 0.59;

const round = (value: number): number => Math.round(value * 100) / 100;

function nearest(said: readonly Said[], asked: readonly Asked[], inOrder = false): ReturnType<typeof compare> {
  let best: ReturnType<typeof compare> = { score: 0, terms: [] };
  for (const one of said)
    for (const other of asked) {
      const compared = compare(one.vector, other.vector);
      const isBetter = compared.score > best.score && shared(one.parts, other.vector) >= SHARED_AT_LEAST;
      if (isBetter && !(inOrder && isReversed(other.text, one.text))) best = compared;
    }
  return best;
}

/** One thing in common is no subject. */
const SHARED_AT_LEAST = 2;

/** How many things a sentence speaks of that a statement speaks of as well. */
const shared = (parts: readonly TermVector[], statement: TermVector): number =>
  parts.filter(({ weights }) => [...weights.keys()].some((term) => statement.weights.has(term))).length;

interface Asked {
  readonly text: string;
  readonly vector: TermVector;
}

const unitsIn = (sentences: readonly Sentence[]): readonly Sentence['units'][] => sentences.map(({ units }) => units);

/** A rule as a whole, and each statement of it that asks for something. */
const readRule = remembered((rule: Rule) => {
  const all = sentencesOf([rule.title, rule.tags.join(' '), rule.content ?? '', rule.action_text ?? ''].join('\n'));
  const asked = statementsOf(rule).filter(({ forbids, accuses }) => !forbids && accuses);
  return {
    whole: { text: '', vector: vectorOf(unitsIn(all)) },
    asked: asked.map(({ text }) => ({ text, vector: vectorOf(unitsIn(sentencesOf(text))) })),
  };
});

interface Said {
  readonly text: string;
  readonly vector: TermVector;
  /** Each telling unit of the sentence by itself. */
  readonly parts: readonly TermVector[];
}

/** The sentences of a plan, and those of them that deny nothing and name no fault. */
const readSentences = remembered(({ sentences }: ReadPlan) => {
  const all = sentences.map(heard);
  return { all, plain: all.filter((_, at) => deniesNothing(sentences[at])) };
});

function heard(sentence: Sentence): Said {
  const telling = sentence.units.filter(({ weight }) => weight >= 0.4);
  return { text: sentence.text, vector: vectorOf([sentence.units]), parts: telling.map((unit) => vectorOf([[unit]])) };
}

const deniesNothing = (sentence: Sentence | undefined): boolean =>
  sentence !== undefined &&
  sentence.scopes.length === 0 &&
  sentence.units.every((unit) => unit.meanings.every(({ sign }) => sign === 1) && !isFault(unit));
