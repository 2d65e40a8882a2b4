import { undecidedAnswer, checkThreshold, type AnswerCheck } from '../model/rule-opinion.ts';
import { compare, vectorOf } from '../text/tf-idf.ts';
import { sentencesOf, type PlanSentence } from '../text/units.ts';
import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import data from './refusal-words.json' with { type: 'json' };

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
  if (repliesTo(query, response)) return undecidedAnswer('the answer speaks of the question without its words');
  if (scriptOf(query) !== scriptOf(response))
    return undecidedAnswer('question and answer are in different scripts, and words cannot be compared');
  return checkThreshold(
    score,
    threshold,
    `the answer does not speak of what was asked (${score.toFixed(2)}, at least ${threshold})`,
  );
}

/** Whether an answer has its subject in the question: yes or no to what asks for it, `It lives in …`, a name alone. */
const repliesTo = (query: string, response: string): boolean =>
  /^\W*(?:it|they|he|she|that|this)(?:['’]s|['’]re|['’]ll)?\s/i.test(response) ||
  (/^\W*(?:yes|no|not yet)\b/i.test(response) && POLAR.test(query)) ||
  (/^\W*(?:done|fixed)\b/i.test(response) && !/[?？]\s*$/.test(query)) ||
  (response.match(/[\p{L}\p{N}]+/gu) ?? []).length <= FEW;

const POLAR =
  /^\W*(?:and |so )?(?:am|is|are|was|were|do|does|did|has|have|had|can|could|may|might|will|would|shall|should|must)(?:n['’]t)?\s/i;
/** Words. */
const FEW = 2;

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

/**
 * Whether a text says that it gives no answer ("I don't know", "I cannot help with that"). It is read sentence by
 * sentence: one of the first must refuse in the first person, or say that nothing is known, and none may go on with an
 * answer all the same ("… but here is the code"). Words that only sound like it ("There is no information leak") do not count.
 */
export function isRefusal(text: string): boolean {
  if (text.includes('```')) return false; // code is an answer
  const spoken = text
    .slice(0, LONGEST)
    .replace(/[’‘]/g, "'")
    .replace(/"[^"\n]{0,300}"|`[^`\n]{0,300}`/g, ' ');
  if (
    /\b(?:but|however|still|anyway)\b[^.!?\n]{0,40}\b(?:here(?:'s| is| are)|this is how|you can|it is done)/i.test(
      spoken,
    )
  )
    return false;
  const sentences = spoken.split(/(?<=[.!?。！？])\s*|\n+/u).filter((one) => one.trim() !== '');
  return sentences.slice(0, OPENING).some((one) => REFUSING.some((form) => form.test(one.trim())));
}

/** A refusal comes first; what follows are alternatives. */
const OPENING = 2;
const LONGEST = 4000;

const list = z.array(z.string().min(1)).describe('alternatives of a regular expression');
const WORDS = loadTable(
  'src/rules/response/refusal-words.json',
  z.strictObject({
    not_able: list.describe('how an assistant declines'),
    to_answer: list.describe('services of an assistant; declining anything else is no refusal'),
    knowledge: list.describe('knowledge that an answer needs'),
    asian: list.describe('forms in Korean and Chinese, as regular expressions'),
  }),
  data,
);
const any = (words: readonly string[]): string => words.join('|');
const OPEN = String.raw`(?:(?:(?:i'm|i am|we're|we are)\s+)?(?:very |so |truly |really )?(?:sorry|afraid)|apologies|my apologies|i apologi[sz]e|unfortunately|regrettably|as an ai(?: (?:language )?model| assistant)?)`;
const NOT_ABLE = String.raw`(?:i|we)(?:\s+(?:just|simply|really))?\s*(?:${any(WORDS.not_able)})`;
const form = (source: string): RegExp => new RegExp(source, 'iu');
/** A form that may begin with an apology. */
const opening = (source: string): RegExp => form(String.raw`^(?:${OPEN}[,.:;]?\s+(?:but\s+)?)?${source}`);

/** `no data centers` lacks no knowledge. */
const NO_COMPOUND = String.raw`(?!\s+(?!(?:about|on|of|for|regarding|concerning|related|that|to|in|at|available|here|right|yet|from|with|and|or|as|which|whether|how|what|why|when|where|who|specific|beyond|after|is|are|the|this|these|necessary|enough|\w+ed)\b)\w)`;

const REFUSING: readonly RegExp[] = [
  opening(String.raw`(?:that\s+)?${NOT_ABLE}\s+(?:\w+ly\s+)?(?:to\s+)?(?:be able to\s+)?(?:${any(WORDS.to_answer)})\b`),
  opening(
    String.raw`(?:that\s+)?(?:i|we)\s+(?:(?:do not|don't|did not|didn't|currently do not)\s+have|have no|have not been given|haven't been given|lack|could not find|couldn't find|cannot find|can't find)\s+(?:been given\s+)?(?:(?:any|the|enough|sufficient|access to|an?|personal|specific|that|relevant|further|reliable|details of)\s+){0,3}(?:${any(WORDS.knowledge)})\b${NO_COMPOUND}`,
  ),
  opening(String.raw`(?:that\s+)?i\s+(?:(?:do not|don't)\s+have\s+access|have no access)\b`),
  opening(
    String.raw`(?:i|we)\s+(?:(?:really|honestly)\s+)?(?:do not|don't)\s+know(?:\s+(?:that|this|anything\b.*|the answer\b.*|about(?!\s+you\b)\b.*|much\b.*))?\s*[.!…]*$`,
  ),
  opening(String.raw`i'?(?:\s+a)?m not sure(?:\s+(?:about|what|how|which)\b[^,]*)?(?:;.*)?[.!]?$`),
  opening(
    String.raw`[^.!?]{0,80}\b(?:is|are|falls?|lies?|goes)\s+(?:outside|beyond)\s+(?:of\s+)?(?:my|our|the scope of (?:my|what i|what we))\b`,
  ),
  opening(
    String.raw`(?:there is|there's|i see)\s+no\s+(?:information|data|mention|record)\s+(?:about|on|of|regarding|concerning)\b.*\b(?:in|available|provided|given)\b`,
  ),
  opening(
    String.raw`no\s+(?:information|data|details?)\b.*\b(?:is|are)\s+(?:available|known|given|provided)(?:\s+to me)?\s*[.!]*$`,
  ),
  opening(
    String.raw`(?:it|that|this)\s*(?:is not|isn't|'s not|would not be|wouldn't be|was not)\s+(?:appropriate|ethical|right|possible|legal|safe)\s+(?:for me\s+)?to\s+(?:${any(WORDS.to_answer)})\b`,
  ),
  ...WORDS.asian.map(form),
];
