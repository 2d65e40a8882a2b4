import { undecidedAnswer, checkThreshold } from '../../rule-model/answer-check.ts';
import type { AnswerCheck } from '../../rule-model/answer-check.ts';
import { sentencesOf } from '../text/units.ts';
import type { PlanSentence } from '../text/units.ts';
import { LIGHT_WORDS, STOP_WORDS } from '../text/words.ts';
import { claimsOf } from './claims.ts';
import { readGroundingContext, findClaimSupport } from './find-claim-support.ts';
import type { Context } from './find-claim-support.ts';
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
 * Whether a context carries an answer. A number, path, identifier or test count that the context does not hold contradicts
 * it (0); an unknown name goes beyond it (0.5); an answer whose sentences are all in the context is supported (1). It
 * abstains from anything else, also from what only a denial or an opposite word would contradict.
 */
export function checkGrounding({ response, context, threshold }: GroundingQuestion): AnswerCheck {
  const text = context.join('\n').slice(0, LONGEST);
  const known = readGroundingContext(text);
  if (text.trim() === '') return undecidedAnswer('there is no context to hold the answer against');
  const spoken = response.slice(0, LONGEST).replace(/^(```|~~~)[\s\S]*?(?:^\1|(?![\s\S]))/gm, ' ');
  const about = statementsOf(sentencesOf(text));
  const lines = linesOf(spoken);
  const found = lines.slice(0, MOST_LINES).map((line) => checkLine(line, known, about));
  const against = found.flatMap((one) => one.against);
  if (against.length > 0) return checkThreshold(0, threshold, `contradiction: ${joined(against)}`);
  const missing = found.flatMap((one) => one.missing);
  if (missing.length > 0) return checkThreshold(0.5, threshold, `beyond the context: ${joined(missing)}`);
  if (lines.length === found.length && found.every(({ isSupported }) => isSupported) && found.some(({ says }) => says))
    return checkThreshold(1, threshold, 'every sentence of the answer is in the context, word by word');
  return undecidedAnswer('words alone do not show whether the context carries the answer');
}

const LONGEST = 200_000;
const MOST_REASONS = 5;

const joined = (reasons: readonly string[]): string => {
  const all = [...new Set(reasons)];
  return `${all.slice(0, MOST_REASONS).join('; ')}${all.length > MOST_REASONS ? `; and ${all.length - MOST_REASONS} more` : ''}`;
};

/** Sentences with their full stops and question marks. */
const linesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|[;；]|\n+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => line.match(/[\s\S]{1,400}(?=\s|$)|[\s\S]{1,400}/gu) ?? [])
    .filter((line, at, all) => at === 0 || all[at - 1] !== line);

/** An answer with more sentences is never supported. */
const MOST_LINES = 2000;

/** The sentences of a context by each stem that they hold. */
type Statements = ReadonlyMap<string, readonly Statement[]>;

interface Statement {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Its words of order and measure, which are too common to be stems. */
  readonly order: string;
}

const statementOf = ({ text, words }: PlanSentence): Statement => ({
  text: text.toLowerCase(),
  stems: new Set(words.filter(({ text: word }) => !STOP_WORDS.has(word) && !/^\d/.test(word)).map(({ stem }) => stem)),
  isNegated: NEGATED.test(text),
  order: [...new Set(text.toLowerCase().match(ORDER))].toSorted().join(' '),
});

const ORDER =
  /\b(?:before|after|above|below|over|under|on|off|all|some|any|more|less|fewer|least|most|first|last|up|down|in|out|from|until|both)\b/g;

const NEGATED =
  /n['’]t\b|\b(?:not|no|never|none|nothing|neither|nor|without|cannot|unless|except|only|hardly)\b|않|없|못|아니|안 |没|不|无|未|别|非/iu;

function statementsOf(sentences: readonly PlanSentence[]): Statements {
  const byStem = new Map<string, Statement[]>();
  for (const statement of new Map(sentences.map((one) => [one.text, statementOf(one)])).values())
    for (const stem of statement.stems) {
      const listed = byStem.get(stem);
      if (listed === undefined) byStem.set(stem, [statement]);
      else if (listed.length < MOST_ALIKE) listed.push(statement);
    }
  return byStem;
}

/** A word in more sentences identifies none of them. */
const MOST_ALIKE = 200;

/**
 * Whether one sentence of the context holds every telling word of a sentence and denies as much; numbers and units are
 * compared by themselves.
 */
function isCarried(sentence: PlanSentence, statements: Statements): boolean {
  const said = statementOf(sentence);
  const [rarest] = [...said.stems]
    .map((stem) => statements.get(stem) ?? [])
    .toSorted((one, other) => one.length - other.length)
    .filter((listed) => listed.length > 0);
  const compared = sentence.words.filter(
    (word) => !LIGHT_WORDS.has(word.text) && !UNITS.has(word.text) && !NUMBER_WORDS.has(word.text),
  );
  const needed = compared.map(({ stem }) => stem).filter((stem) => said.stems.has(stem));
  return (
    said.stems.size === 0 ||
    (rarest ?? []).some(
      (one) =>
        one.text.includes(said.text) ||
        (one.isNegated === said.isNegated && one.order === said.order && needed.every((stem) => one.stems.has(stem))),
    )
  );
}

interface CheckedLine {
  readonly against: readonly string[];
  readonly missing: readonly string[];
  readonly isSupported: boolean;
  /** Whether it says anything that could be supported. */
  readonly says: boolean;
}

function checkLine(line: string, context: Context, statements: Statements): CheckedLine {
  const holdings = claimsOf(line).map((claim) => findClaimSupport(claim, context));
  const sentences = sentencesOf(line);
  const red = allGreen(line) && SOME_RED.test(context.text) ? ['not all tests pass by what the context says'] : [];
  return {
    against: [...holdings.flatMap((one) => (one.is === 'against' ? [one.why] : [])), ...red],
    missing: holdings.flatMap((one) => (one.is === 'missing' ? [one.why] : [])),
    isSupported: holdings.every(({ is }) => is === 'held') && sentences.every((one) => isCarried(one, statements)),
    says: sentences.some((one) => statementOf(one).stems.size > 0) || holdings.length > 0,
  };
}

const allGreen = (line: string): boolean =>
  /\b(?:all|every|each)\b[^.!?]{0,40}\b(?:tests?|specs?|suites?|checks?)\b[^.!?]{0,30}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b/i.test(
    line,
  );
const SOME_RED = /(?<![\d.])[1-9]\d* (?:tests? |specs? )?(?:failed|failing|failures?)\b|\bfail(?:ed|ures?)?:? [1-9]/i;
