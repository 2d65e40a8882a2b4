import { undecidedAnswer, checkThreshold, type AnswerCheck } from '../model/rule-opinion.ts';
import { compare, vectorOf } from '../text/tf-idf.ts';
import { sentencesOf, type PlanSentence } from '../text/units.ts';
import { isRefusal } from './refusal.ts';

export interface RelevanceQuestion {
  readonly query: string;
  readonly response: string;
  /** What a score must reach, 0 to 1; 0.5 is where as much speaks for the answer as against it. */
  readonly threshold: number;
  /** Whether an answer that admits to have none passes unmeasured. Default: true. */
  readonly refusalBypass?: boolean;
}

/**
 * Whether an answer is about what was asked, by the words and concepts that both speak of. It knows no synonyms beyond
 * its concepts, so where one side says too little, or both speak different languages, it abstains.
 */
export function checkRelevance({ query, response, threshold, refusalBypass = true }: RelevanceQuestion): AnswerCheck {
  if (refusalBypass && isRefusal(response))
    return { status: 'passed', score: 1, details: 'the answer says that there is none', bypass: true };
  const [asked, answered] = [sentencesOf(parted(query)), sentencesOf(parted(response))];
  const score = calibrated(compare(vectorOfAll(asked), vectorOfAll(answered)).score);
  if (score >= threshold) return checkThreshold(score, threshold, 'the answer speaks of what was asked');
  if (telling(asked) === 0) return undecidedAnswer('the question says too little to be compared by words');
  if (telling(answered) === 0) return undecidedAnswer('the answer says too little to be compared by words');
  if (scriptOf(query) !== scriptOf(response))
    return undecidedAnswer('question and answer are in different scripts, and words cannot be compared');
  return checkThreshold(
    score,
    threshold,
    `the answer does not speak of what was asked (${score.toFixed(2)}, at least ${threshold})`,
  );
}

/** A text with the words apart that code joins: `formatDate`, `max_rows`. */
const parted = (text: string): string => text.replace(/(?<=[a-z\d])(?=[A-Z][a-z])|(?<=[a-z])_(?=[a-z])/g, ' ');

const vectorOfAll = (sentences: readonly PlanSentence[]) => vectorOf(sentences.map(({ units }) => units));

/**
 * Words of an answer meet those of its question by far less than their half, so the cosine is brought to the scale on
 * which 0.5 is the boundary; `EVEN` is the cosine at which true and random answers were told apart best.
 */
const calibrated = (cosine: number): number => cosine / (cosine + EVEN);
const EVEN = 0.07;

/** How many things sentences speak of that tell something. */
const telling = (sentences: readonly PlanSentence[]): number =>
  sentences.reduce((sum, { units }) => sum + units.filter(({ weight }) => weight >= 0.3).length, 0);

function scriptOf(text: string): string {
  const counts = SCRIPTS.map(([name, letters]) => [name, text.match(letters)?.length ?? 0] as const);
  return counts.reduce((most, one) => (one[1] > most[1] ? one : most), ['none', 0] as const)[0];
}

const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['latin', /\p{Script=Latin}/gu],
  ['hangul', /\p{Script=Hangul}/gu],
  ['han', /\p{Script=Han}/gu],
];
