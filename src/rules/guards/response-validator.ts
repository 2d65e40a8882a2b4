import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { labelSentence } from './label-sentence.ts';
import type { Labelled } from './label-sentence.ts';
import { ownWords, tellsTrouble } from './praise.ts';
import type { OwnWords } from './praise.ts';
import { LONGEST_MESSAGE, readProse, unmasked } from './prose.ts';
import type { Sentence } from './prose.ts';
import { holds } from './patterns.ts';
import { NO_OPINION, decide, headOf, read } from './second-opinion.ts';
import type { Reading } from './second-opinion.ts';

/** What the validator says of one message. */
export interface Validation {
  readonly valid: boolean;
  /** Why nothing certain can be said; the message then passes, and whoever reads it is told. */
  readonly unsure?: string;
  /** The share of the message that is praise or empty confirmation, 0 to 1. */
  readonly ratio: number;
  readonly sentences: readonly Labelled[];
  /** Whether no rule refuses it, but what it reads like as a whole. */
  readonly isByReading: boolean;
  /** What is refused, in the words of the message. */
  readonly matched: readonly string[];
}

/** What goes back to whoever praised instead of reporting, as the seed of this layer words it. */
export const PRAISE_REFUSED = '[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.';

/**
 * Whether a message is more than praise and confirmation. Sentences are labelled by rules; they refuse it when more than
 * `flatteryThreshold` of its tokens stand in flattery and confirmation and fewer sentences hold evidence than flatter, or
 * when it only announces. What the message reads like as a whole is a second opinion, which was learned. In a language
 * that is not read nothing is refused, and it is said to be unsure.
 */
export function validateResponse(
  message: string,
  settings: MessageSettings['responseValidator'],
  own: OwnWords = ownWords(settings.patterns, settings.technicalTerms),
  empty = headOf('empty'),
): Validation {
  const { masked, sentences: said, blocks, isCut } = readProse(message);
  const rules = byRules(said, blocks, settings, own);
  const language = foreign(message, rules.sentences);
  const isForRules = language !== undefined || isRulesMatter(masked, rules.sentences, settings, own);
  const reading = read(isForRules ? NO_OPINION : empty, said, blocks.length > 0);
  const { isRefused, isSure } = decide(
    reading.isOpinion ? reading.odds - leave(settings) : 0,
    rules.isRefused ? REFUSING : 0,
  );
  const doubts = [language, isCut ? TOO_LONG : undefined, isSure || !reading.isOpinion ? undefined : DIVIDED];
  const unsure = isRefused ? '' : doubts.filter((one) => one !== undefined).join('; ');
  const isByReading = isRefused && !rules.isRefused;
  const sentences = isByReading ? asRead(rules.sentences, said, reading) : rules.sentences;
  const refused = sentences.filter(isEmpty);
  return {
    valid: !isRefused,
    ...(unsure === '' ? {} : { unsure }),
    ratio: ratioOf(sentences),
    sentences,
    isByReading,
    matched: isRefused ? (refused.length > 0 ? refused : sentences).slice(0, 5).map(wordsOf) : [],
  };
}

/**
 * What the second opinion is not asked about: a word alone (`DONE` reads like nothing), a question, for it wants an answer
 * whatever stands around it, a project's own words, of which nothing was learned, and messages that may be all praise.
 */
function isRulesMatter(
  masked: string,
  sentences: readonly Labelled[],
  { flatteryThreshold }: MessageSettings['responseValidator'],
  { praise, terms }: OwnWords,
): boolean {
  const patterns = [...praise, ...terms];
  return (
    flatteryThreshold >= 1 ||
    sum(sentences) <= ONE_WORD ||
    sentences.some(({ label, text, weight }) => !isEmpty({ label }) && weight >= QUESTION && ASKS.test(text)) ||
    (patterns.length > 0 && holds(masked, ...patterns))
  );
}

const ONE_WORD = 1;
/** `Right?` asks nothing. */
const QUESTION = 4;
const ASKS = /[?？]["'”’)\]\s]*$/u;

/** What the labels of the sentences come to. */
function byRules(
  said: readonly Sentence[],
  blocks: readonly string[],
  { flatteryThreshold }: MessageSettings['responseValidator'],
  own: OwnWords,
): { readonly isRefused: boolean; readonly sentences: readonly Labelled[] } {
  const shown = blocks.filter(isSubstantial).length;
  const sentences = said.flatMap(({ text }) => labelSentence(text, own) ?? []).map(withoutIrony);
  const empty = sentences.filter(isEmpty);
  const evidence = sentences.filter(({ label }) => label === 'evidence').length + shown;
  const onlyAnnounces =
    evidence === 0 &&
    sentences.every((one) => isEmpty(one) || one.label === 'intent') &&
    (empty.length > 0 || sentences.some(({ confirms }) => confirms));
  const isTooMuch = ratioOf(sentences) > flatteryThreshold && evidence < empty.length;
  return { isRefused: onlyAnnounces || isTooMuch, sentences };
}

const isEmpty = ({ label }: Pick<Labelled, 'label'>): boolean => label === 'flattery' || label === 'confirmation';

const ratioOf = (sentences: readonly Labelled[]): number => {
  const weight = sum(sentences);
  return weight === 0 ? 0 : sum(sentences.filter(isEmpty)) / weight;
};

/** Who lets a message hold more praise than is standard (0.2) lets one pass that reads emptier, by the odds of the two shares. */
const leave = ({ flatteryThreshold }: MessageSettings['responseValidator']): number =>
  Math.max(0, oddsOf(flatteryThreshold) - oddsOf(STANDARD_MESSAGES.responseValidator.flatteryThreshold));
const oddsOf = (share: number): number => Math.log(share / (1 - share));

/** The sentences without a label of their own for which a message reads empty count as praise. */
function asRead(
  labelled: readonly Labelled[],
  said: readonly Sentence[],
  { bySentence }: Reading,
): readonly Labelled[] {
  const adds = new Map(said.map(({ text }, at) => [text, bySentence[at] ?? 0]));
  return labelled.map((one) =>
    one.label === 'content' && (adds.get(one.text) ?? 0) > 0 ? { ...one, label: 'flattery' } : one,
  );
}

/** The vote of rules that refuse; where they know nothing against a message, they have none. */
const REFUSING = 1.1;

const READS_EMPTY = 'as a whole it reads like a message that says nothing, most of all ';
const DIVIDED = 'it reads as much like a message that says nothing as like one that says something';

/** `Well, that went brilliantly. The container was killed twice.`: short praise of nothing named, and then what is wrong. */
function withoutIrony(one: Labelled, at: number, all: readonly Labelled[]): Labelled {
  const next = all[at + 1];
  const isCalledOut = one.label === 'flattery' && one.weight <= SHORT_CALL && CALLED_OUT.test(one.text);
  const isTroubled = next !== undefined && next.label !== 'flattery' && tellsTrouble(next.text);
  return isCalledOut && isTroubled && next.weight > one.weight ? { ...one, label: 'content' } : one;
}

/** It names nothing that was done well: `oh, great`, `that went brilliantly`. */
const CALLED_OUT =
  /^\P{L}*(?:well|oh|ah|so)(?=[\s,])|\b(?:that|this|it) (?:went|goes|worked out)\b|^\P{L}*(?:참 |아,? |哎|唉)/iu;

/** Irony is short, in words. */
const SHORT_CALL = 5;

/** What is sent back: the seed's own sentence, what it is about, and what would be accepted. */
export const praiseFeedback = ({ matched, isByReading }: Pick<Validation, 'matched' | 'isByReading'>): string =>
  [
    PRAISE_REFUSED,
    ...(matched.length === 0
      ? []
      : [`Refused: ${isByReading ? READS_EMPTY : ''}${matched.map((one) => `"${one}"`).join(', ')}.`]),
    'Accepted: results that can be looked up (files, lines, commands with their exits, numbers of tests), what was decided and why, a question, or what blocks you.',
  ].join('\n');

const sum = (sentences: readonly Labelled[]): number => sentences.reduce((total, { weight }) => total + weight, 0);

/** A block of one word is no evidence; code, a diff or output is. */
const isSubstantial = (block: string): boolean => block.split(/\s+/).filter((word) => word !== '').length >= 3;

const wordsOf = ({ text, praise }: Labelled): string =>
  (praise.length > 0 && text.trim().length > 80 ? praise.join(', ') : unmasked(text.trim())).slice(0, 120);

const TOO_LONG = `the message is longer than ${LONGEST_MESSAGE} characters; what is beyond was not read`;

/** Why the language of a message is none that is read; undefined when it is. */
function foreign(message: string, sentences: readonly Labelled[]): string | undefined {
  const letters = message.match(/\p{L}/gu)?.length ?? 0;
  const others = message.match(/[^\p{Script=Latin}\p{Script=Hangul}\p{Script=Han}\P{L}]/gu)?.length ?? 0;
  const known = sentences.reduce((total, one) => total + one.known, 0);
  if (letters > 0 && others * 2 > letters) return UNREAD;
  return sum(sentences) >= 4 && known === 0 ? UNKNOWN : undefined;
}

const UNREAD = 'the message is in none of the languages that are read (English, Korean, Chinese)';
const UNKNOWN = 'no word of the message is known (English, Korean and Chinese are read)';
