import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { blankSpans, hasWord, overlaps, wordPatterns, wordSpans } from './message-words.ts';
import type { TextSpan, WordPatterns } from './message-words.ts';
import { LONGEST_MESSAGE, isQuestion, readProse, unmasked } from './prose.ts';
import { NAMED, hasThing } from './things.ts';

/** What a sentence is: only flattery and confirmation count against a message. */
export type SentenceLabel = 'evidence' | 'flattery' | 'confirmation' | 'courtesy' | 'intent' | 'content';

/** A sentence with its label. */
export interface LabelledSentence {
  readonly label: SentenceLabel;
  readonly text: string;
  /** Its length in tokens: words, eojeol, halves of Chinese characters. */
  readonly weight: number;
  /** The words for which it is praise. */
  readonly praise: readonly string[];
  readonly confirms: boolean;
  /** It says that something is wrong, or why. */
  readonly isTroubled: boolean;
}

/** The validator's verdict on one message. */
export interface Validation {
  readonly valid: boolean;
  /** Why nothing certain can be said; the message then passes. */
  readonly unsure?: string;
  /** The share of praise and empty confirmation in its tokens, 0 to 1. */
  readonly ratio: number;
  readonly sentences: readonly LabelledSentence[];
  /** The refused sentences or words. */
  readonly matched: readonly string[];
}

/** The feedback for praise, in the words of the original design. */
export const PRAISE_REFUSED = '[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.';

/**
 * Refuses a message of which more than `flatteryThreshold` is flattery and confirmation, with less evidence than that, or
 * that holds nothing but those and announcements. Sentences are labelled by word lists and structure. A message that no
 * list describes passes and says so.
 */
export function validateResponse(message: string, settings: MessageSettings['responseValidator']): Validation {
  const { sentences: read, blocks, isCut } = readProse(message);
  const own = ownWords(settings);
  const sentences = read.flatMap(({ text }) => labelSentence(text, own) ?? []).map(withoutIrony);
  const refused = sentences.filter(isEmpty);
  const evidence = sentences.filter(({ label }) => label === 'evidence').length + blocks.filter(isSubstantial).length;
  const ratio = sentences.length === 0 ? 0 : weightOf(refused) / weightOf(sentences);
  const onlyAnnounces =
    evidence === 0 &&
    sentences.every(({ label }) => label !== 'content') &&
    sentences.some(({ label, confirms }) => confirms || label !== 'intent');
  const isTooMuch = ratio > settings.flatteryThreshold && evidence < refused.length;
  const asks = sentences.some(({ label, text, weight }) => label === 'content' && weight >= 4 && isQuestion(text));
  const language = foreignLanguage(message, sentences);
  const isRefused = language === undefined && !asks && (isTooMuch || onlyAnnounces);
  const doubts = [language, isCut ? TOO_LONG : undefined].filter((one) => one !== undefined);
  const matched = refused.length > 0 ? refused : sentences;
  return {
    valid: !isRefused,
    ...(isRefused || doubts.length === 0 ? {} : { unsure: doubts.join('; ') }),
    ratio,
    sentences,
    matched: isRefused ? matched.slice(0, 5).map(wordsOf) : [],
  };
}

/** The feedback: the refused words, and what would be accepted. */
export const praiseFeedback = ({ matched }: Pick<Validation, 'matched'>): string =>
  [
    PRAISE_REFUSED,
    ...(matched.length === 0 ? [] : [`Refused: ${matched.map((one) => `"${one}"`).join(', ')}.`]),
    'Accepted: results that can be looked up (files, lines, commands with their exits, numbers of tests), what was decided and why, a question, or what blocks you.',
  ].join('\n');

const isEmpty = ({ label }: LabelledSentence): boolean => label === 'flattery' || label === 'confirmation';
const weightOf = (sentences: readonly LabelledSentence[]): number =>
  sentences.reduce((total, { weight }) => total + weight, 0);
/** A block of one word is no evidence; code, a diff or output is. */
const isSubstantial = (block: string): boolean => block.split(/\s+/).filter((word) => word !== '').length >= 3;
const wordsOf = ({ text, praise }: LabelledSentence): string =>
  (praise.length > 0 && text.trim().length > 80 ? praise.join(', ') : unmasked(text.trim())).slice(0, 120);

interface OwnWords {
  readonly praise: WordPatterns;
  readonly terms: WordPatterns;
}

/** The project's own words, taken literally. */
const ownWords = ({ patterns, technicalTerms }: MessageSettings['responseValidator']): OwnWords => ({
  praise: wordPatterns(patterns.map(literal)),
  terms: wordPatterns(technicalTerms.map(literal)),
});
const literal = (text: string): string => text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Labels a masked sentence; undefined without a word. */
function labelSentence(text: string, own: OwnWords): LabelledSentence | undefined {
  const weight = tokensIn(text);
  if (weight === 0) return undefined;
  const terms = [...wordSpans(text, 'technical'), ...wordSpans(text, own.terms)];
  const isPraise = (span: TextSpan): boolean => !overlaps(span, terms) && !isName(text, span);
  const certain = [...wordSpans(text, 'praise'), ...wordSpans(text, own.praise)].filter(isPraise);
  const praise = [...certain, ...wordSpans(text, 'weak_praise').filter(isPraise)];
  const confirming = wordSpans(text, 'confirmation');
  const courtesy = wordSpans(text, 'courtesy');
  const intent = wordSpans(text, 'intent');
  const known = [...praise, ...confirming, ...courtesy, ...intent];
  const isTroubled = wordSpans(text, 'trouble').some((span) => !overlaps(span, known));
  const label = labelOf();
  return {
    label,
    text,
    weight,
    praise: label === 'flattery' ? praise.map(({ from, to }) => text.slice(from, to)) : [],
    confirms: confirming.length > 0,
    isTroubled,
  };

  function labelOf(): SentenceLabel {
    const isLookedUp = hasThing(text);
    if (isLookedUp && intent.length === 0) return 'evidence';
    if (isTroubled || /^\s*#{1,6}\s/.test(text)) return 'content';
    if ((isQuestion(text) && !/\byou(?:r|['’]re)?\b/i.test(text)) || isInterjection(text, known)) return 'content';
    const left = tokensIn(blankSpans(text, known).replace(GRAMMAR, ' '));
    const isPraised =
      certain.length > 0 ? weight <= 4 + 6 * praise.length : praise.length > 0 && left <= MOST_BESIDE_WEAK;
    if (!isLookedUp && isPraised) return 'flattery';
    if (isQuestion(text) || (isLookedUp && NAMED.test(text))) return 'content';
    if (intent.length > 0 && left <= LONGEST_INTENT) return left <= 2 ? 'confirmation' : 'intent';
    if (confirming.length > 0 && left <= 3) return 'confirmation';
    return courtesy.length > 0 && left <= 4 ? 'courtesy' : 'content';
  }
}

/** `Wonderful, the backup was empty`: a call before a statement that none of the lists describes. */
function isInterjection(text: string, known: readonly TextSpan[]): boolean {
  const head = CALL.exec(text)?.[0].length ?? 0;
  return head > 0 && tokensIn(text.slice(head)) >= 3 && known.every(({ from }) => from < head);
}
const CALL = /^\P{L}*(?:\p{Script=Han}{1,4}|[^\s\p{Script=Han},:，：]+(?:\s[^\s\p{Script=Han},:，：]+)?)[,:，：]\s?/u;

/** Words such as `gift` or `legend` praise only where hardly anything else is in the sentence. */
const MOST_BESIDE_WEAK = 2;
/** An announcement with more words, beside those of the lists, tells something. */
const LONGEST_INTENT = 12;
const GRAMMAR =
  /\b(?:i|you|we|it|the|a|an|this|that|to|of|and|so|very|is|are|be|am|my|your|our|in|on|for|with|all|as|me|just|now|will|do)\b/gi;

const tokensIn = (text: string): number =>
  (text.match(/\p{Script=Hangul}+|[^\s\p{Script=Hangul}\p{Script=Han}\p{P}\p{S}]+|[\uE000\uE001]+/gu)?.length ?? 0) +
  (text.match(/\p{Script=Han}/gu)?.length ?? 0) / 2;

/** A capital inside a sentence, before a word in small letters: `The Brilliant client`. */
const isName = (text: string, { from, to }: TextSpan): boolean =>
  /^[A-Z][a-z]+$/.test(text.slice(from, to)) &&
  /[a-z0-9)] $/.test(text.slice(0, from)) &&
  /^ [a-z]/.test(text.slice(to));

/** Short praise before trouble is irony: `Wonderful. The backup was empty.` */
function withoutIrony(one: LabelledSentence, at: number, all: readonly LabelledSentence[]): LabelledSentence {
  const next = all[at + 1];
  const isIronic = one.label === 'flattery' && one.weight <= 8 && next?.isTroubled === true && !isEmpty(next);
  return isIronic ? { ...one, label: 'content' } : one;
}

const TOO_LONG = `the message is longer than ${LONGEST_MESSAGE} characters; what is beyond was not read`;

/** Why the language of a message cannot be read; undefined when it can. */
function foreignLanguage(message: string, sentences: readonly LabelledSentence[]): string | undefined {
  const letters = message.match(/\p{L}/gu)?.length ?? 0;
  const others = message.match(/[^\p{Script=Latin}\p{Script=Hangul}\p{Script=Han}\P{L}]/gu)?.length ?? 0;
  if (letters > 0 && others * 2 > letters)
    return 'the message is in none of the languages that are read (English, Korean, Chinese)';
  const isKnown = sentences.some(
    ({ text, label }) => label === 'evidence' || /[\p{Script=Hangul}\p{Script=Han}]/u.test(text) || isEnglish(text),
  );
  return weightOf(sentences) >= 4 && !isKnown
    ? 'no word of the message is known (English, Korean and Chinese are read)'
    : undefined;
}

const isEnglish = (text: string): boolean =>
  /\b(?:the|a|an|is|are|was|to|of|and|it|i|you|we|not|no|on|for|with|this|that|what|how|at|by|from|all|be|so|my|your)\b/i.test(
    text,
  ) || hasWord(text, 'praise');
