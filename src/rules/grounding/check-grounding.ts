import { abstained, held } from '../../rule-model/answer-check.ts';
import type { AnswerCheck } from '../../rule-model/answer-check.ts';
import { sentencesOf } from '../text/units.ts';
import type { Sentence } from '../text/units.ts';
import { LIGHT_WORDS } from '../text/words.ts';
import { claimsOf } from './claims.ts';
import { contextOf, holdingOf } from './held-by.ts';
import type { Context } from './held-by.ts';
import { contradicts, stemSetOf, stemsOf } from './polarity.ts';
import { NUMBER_WORDS, UNITS } from './words.ts';

/** An answer and what it may rest on. */
export interface GroundingQuestion {
  readonly response: string;
  /** What the answer may rest on; what was asked belongs to it where the answer may repeat it. */
  readonly context: readonly string[];
  /** What a score must reach: 1 is supported, 0.5 goes beyond the context, 0 contradicts it. */
  readonly threshold: number;
}

/**
 * Whether a context carries an answer, as far as it can be shown without understanding either: a number, path, identifier
 * or test count that the context does not hold, or a sentence that denies one of the context, contradicts it (0); a name
 * that it does not know goes beyond it (0.5); an answer of which every telling word stands there is supported (1).
 * Anything else is abstained from: word counts do not tell what follows from what.
 */
export function checkGrounding({ response, context, threshold }: GroundingQuestion): AnswerCheck {
  const text = context.join('\n').slice(0, LONGEST);
  const known = contextOf(text);
  if (text.trim() === '') return abstained('there is no context to hold the answer against');
  const spoken = response.slice(0, LONGEST).replace(/^(```|~~~)[\s\S]*?(?:^\1|(?![\s\S]))/gm, ' ');
  const about = statementsOf(sentencesOf(text));
  const lines = linesOf(spoken);
  const found = lines.slice(0, MOST_LINES).map((line) => lookedAt(line, known, about));
  const against = found.flatMap((one) => one.against);
  if (against.length > 0) return held(0, threshold, `contradiction: ${told(against)}`);
  const missing = found.flatMap((one) => one.missing);
  if (missing.length > 0) return held(0.5, threshold, `beyond the context: ${told(missing)}`);
  if (lines.length === found.length && found.every(({ isSupported }) => isSupported) && found.some(({ says }) => says))
    return held(1, threshold, 'every sentence of the answer stands in the context, word by word');
  return abstained('words alone do not show whether the context carries the answer');
}

const LONGEST = 200_000;
const MOST_TOLD = 5;

const told = (reasons: readonly string[]): string => {
  const all = [...new Set(reasons)];
  return `${all.slice(0, MOST_TOLD).join('; ')}${all.length > MOST_TOLD ? `; and ${all.length - MOST_TOLD} more` : ''}`;
};

/** Sentences as they stand, with their full stops: whether one is a question is told by its end. */
const linesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|[;；]|\n+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => line.match(/[\s\S]{1,400}(?=\s|$)|[\s\S]{1,400}/gu) ?? [])
    .filter((line, at, all) => at === 0 || all[at - 1] !== line);

/** More sentences than anybody says; none beyond is looked at, and the answer is not supported then. */
const MOST_LINES = 2000;

/** The sentences of a context by their words, so that a sentence is compared only with those that share some with it. */
type Statements = ReadonlyMap<string, readonly Sentence[]>;

function statementsOf(sentences: readonly Sentence[]): Statements {
  const byStem = new Map<string, Sentence[]>();
  const seen = new Set<string>();
  for (const sentence of sentences) {
    if (seen.has(sentence.text)) continue;
    seen.add(sentence.text);
    for (const { stem } of new Set(stemsOf(sentence))) {
      const filed = byStem.get(stem);
      if (filed === undefined) byStem.set(stem, [sentence]);
      else if (filed.length < MOST_ALIKE) filed.push(sentence);
    }
  }
  return byStem;
}

/** A word that more sentences share tells nothing about which of them is meant. */
const MOST_ALIKE = 200;

/** The sentences that may say the same or the opposite: they share one of the two rarest words. */
function near(said: Sentence, statements: Statements): readonly Sentence[] {
  const filed = stemsOf(said)
    .map(({ stem }) => statements.get(stem) ?? [])
    .filter((sentences) => sentences.length > 0);
  const rarest = filed.toSorted((one, other) => one.length - other.length).slice(0, 2);
  return [...new Set(rarest.flat())];
}

interface LookedAt {
  readonly against: readonly string[];
  readonly missing: readonly string[];
  readonly isSupported: boolean;
  /** Whether it says anything that could be supported. */
  readonly says: boolean;
}

function lookedAt(line: string, context: Context, statements: Statements): LookedAt {
  const holdings = claimsOf(line).map((claim) => holdingOf(claim, context));
  const sentences = sentencesOf(line);
  const compared = sentences.map((said) => ({ said, about: near(said, statements) }));
  const denied = /[?？]\s*$/u.test(line)
    ? undefined
    : compared.find(
        ({ said, about }) =>
          about.some((other) => contradicts(said, other)) && !about.some((other) => says(other, said)),
      );
  const red = allGreen(line) && SOME_RED.test(context.text) ? ['not all tests pass by what the context says'] : [];
  const isSupported =
    holdings.every(({ is }) => is === 'held') &&
    compared.every(({ said, about }) => stemsOf(said).length === 0 || about.some((other) => carries(other, said)));
  return {
    against: [
      ...holdings.flatMap((one) => (one.is === 'against' ? [one.why] : [])),
      ...(denied === undefined
        ? []
        : [`the context says the opposite of ${JSON.stringify(denied.said.text.slice(0, 120))}`]),
      ...red,
    ],
    missing: holdings.flatMap((one) => (one.is === 'missing' ? [one.why] : [])),
    isSupported,
    says: sentences.some((one) => stemsOf(one).length > 0) || holdings.length > 0,
  };
}

/**
 * Whether one sentence of the context holds every telling word of a sentence: words from all over it say nothing together, and
 * numbers with their units are held against it by themselves.
 */
function carries(context: Sentence, said: Sentence): boolean {
  const stems = stemSetOf(context);
  return stemsOf(said).every(
    ({ text, stem }) => stems.has(stem) || LIGHT_WORDS.has(text) || UNITS.has(text) || NUMBER_WORDS.has(text),
  );
}

/** A sentence that stands there as it is contradicts nothing, whatever else stands there. */
const says = (context: Sentence, said: Sentence): boolean =>
  context.text.toLowerCase().includes(said.text.toLowerCase());

const allGreen = (line: string): boolean =>
  /\b(?:all|every|each)\b[^.!?]{0,40}\b(?:tests?|specs?|suites?|checks?)\b[^.!?]{0,30}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b/i.test(
    line,
  );
const SOME_RED = /(?<![\d.])[1-9]\d* (?:tests? |specs? )?(?:failed|failing|failures?)\b|\bfail(?:ed|ures?)?:? [1-9]/i;
