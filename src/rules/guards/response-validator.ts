import type { MessageSettings } from '../../project/config/message-settings.ts';
import { escapePattern } from '../../base/pattern.ts';
import { blankSpans, overlaps, wordPattern, wordSpans, type TextSpan, type WordList } from './message-words.ts';
import { LONGEST_MESSAGE, isQuestion, readProse, unmasked } from './prose.ts';
import { hasThing } from './review-evidence.ts';

/** What a sentence is: only flattery and confirmation count against a message. */
export type SentenceLabel = 'evidence' | 'flattery' | 'confirmation' | 'courtesy' | 'intent' | 'content';

export interface LabelledSentence {
  readonly label: SentenceLabel;
  readonly text: string;
  /** Its length in tokens: words, eojeol, halves of Chinese characters. */
  readonly weight: number;
  readonly praise: readonly string[];
  /** The tokens that no list explains: product, code, names. */
  readonly unexplained: number;
  readonly confirms: boolean;
}

export interface Validation {
  readonly valid: boolean;
  /** Why nothing certain can be said; the message then passes. */
  readonly unsure?: string;
  /** The share of praise and empty confirmation in its tokens, 0 to 1. */
  readonly ratio: number;
  readonly sentences: readonly LabelledSentence[];
  readonly matched: readonly string[];
}

export const PRAISE_REFUSED = '[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.';
/** The warning beside praise that is handed on because its retries are used up. */
export const PRAISE_DELIVERED = PRAISE_REFUSED.replace(' rejected:', ' delivered with a warning:');

/**
 * Refuses a message of which more than `flattery_threshold` is flattery and confirmation, with less evidence than that, or
 * that holds nothing but those and announcements. A sentence counts as flattery only if its words of praise leave hardly
 * a word unexplained; any other sentence may be about a product that holds such words. When in doubt, a message passes.
 */
export function validateResponse(message: string, settings: MessageSettings['response_validator']): Validation {
  const { sentences: read, blocks, isCut } = readProse(message);
  const own = ownWords(settings);
  const sentences = withDoubtfulPraise(read.flatMap(({ text }) => labelSentence(text, own) ?? []));
  const refused = sentences.filter(isEmpty);
  const reports = sentences.filter(isReport);
  const evidence = reports.length + blocks.filter(isSubstantial).length;
  const ratio = sentences.length === 0 ? 0 : weightOf(refused) / weightOf(sentences);
  const onlyAnnounces =
    evidence === 0 &&
    sentences.every(({ label }) => label !== 'content') &&
    sentences.some(({ label, confirms }) => confirms || label !== 'intent');
  const isTooMuch = ratio > settings.flattery_threshold && evidence < refused.length;
  const isRefused = isTooMuch || onlyAnnounces;
  const isUnknown = weightOf(sentences) >= SHORTEST_READ && sentences.every(isUnread);
  const doubts = [...(isUnknown ? [NO_WORD] : []), ...(isCut ? [TOO_LONG] : [])];
  const matched = refused.length > 0 ? refused : sentences;
  return {
    valid: !isRefused,
    ...(isRefused || doubts.length === 0 ? {} : { unsure: doubts.join('; ') }),
    ratio,
    sentences,
    matched: isRefused ? matched.slice(0, 5).map(wordsOf) : [],
  };
}

export const praiseFeedback = ({ matched }: Pick<Validation, 'matched'>): string =>
  [
    PRAISE_REFUSED,
    ...(matched.length === 0 ? [] : [`Refused: ${matched.map((one) => `"${one}"`).join(', ')}.`]),
    'Accepted: results that can be looked up (files, lines, commands with their exits, numbers of tests), what was decided and why, a question, or what blocks you.',
  ].join('\n');

/** A finding in words counts too, such as `The parser swallowed the error.` */
const isReport = ({ label, praise, unexplained, text }: LabelledSentence): boolean =>
  label === 'evidence' || (label === 'content' && praise.length === 0 && unexplained >= 3 && !isAddressed(text));
const isUnread = ({ label, weight, unexplained }: LabelledSentence): boolean =>
  label !== 'evidence' && unexplained === weight;
const isEmpty = ({ label }: LabelledSentence): boolean => label === 'flattery' || label === 'confirmation';
const weightOf = (sentences: readonly LabelledSentence[]): number =>
  sentences.reduce((total, { weight }) => total + weight, 0);
/** A block of one word is no evidence; code, a diff or output is. */
const isSubstantial = (block: string): boolean => block.split(/\s+/).filter((word) => word !== '').length >= 3;
const wordsOf = ({ text, praise }: LabelledSentence): string =>
  (praise.length > 0 && text.trim().length > 80 ? praise.join(', ') : unmasked(text.trim())).slice(0, 120);

type OwnWords = ReturnType<typeof ownWords>;

const ownWords = ({ patterns, technical_terms: terms }: MessageSettings['response_validator']) => ({
  praise: wordPattern(Object.values(patterns).flatMap((listed = []) => listed.map(literal))),
  terms: wordPattern(terms.map(literal)),
});
const literal = (text: string): string => escapePattern(text.toLowerCase());

/** Labels a masked sentence; undefined without a word. */
function labelSentence(text: string, own: OwnWords): LabelledSentence | undefined {
  const weight = tokensIn(text);
  if (weight === 0) return undefined;
  const terms = wordSpans(text, own.terms);
  const spansOf = (words: WordList | RegExp): readonly TextSpan[] =>
    wordSpans(text, words).filter((span) => !overlaps(span, terms));
  const usual = spansOf('praise');
  const added = spansOf(own.praise).filter((span) => !overlaps(span, usual));
  const praise = [...usual, ...added];
  const [confirming, courtesy, intent] = [spansOf('confirmation'), spansOf('courtesy'), spansOf('intent')];
  const known = [...praise, ...confirming, ...courtesy, ...intent, ...spansOf('filler')];
  const unexplained = tokensIn(
    blankSpans(
      text,
      known.map((span) => wholeEojeol(text, span)),
    ),
  );
  return {
    label: labelOf(),
    text,
    weight,
    praise: praise.map(({ from, to }) => text.slice(from, to)),
    unexplained,
    confirms: confirming.length > 0,
  };

  function labelOf(): SentenceLabel {
    const isLookedUp = hasThing(text);
    if (isLookedUp && intent.length === 0) return 'evidence';
    if (/^\s*#{1,6}\s/.test(text)) return 'content'; // a heading
    const most = praise.length + added.length - 1 + (isAddressed(text) ? MOST_ADDRESSED : 0);
    if (isQuestion(text) && !isAddressed(text)) return 'content';
    if (!isLookedUp && praise.length > 0 && unexplained <= most) return 'flattery';
    if (isQuestion(text) || (isLookedUp && NAMED.test(text))) return 'content';
    if (intent.length > 0 && unexplained <= LONGEST_INTENT) return unexplained <= 1 ? 'confirmation' : 'intent';
    if (confirming.length > 0 && unexplained <= 1) return 'confirmation';
    return courtesy.length > 0 && unexplained <= 2 ? 'courtesy' : 'content';
  }
}

/** A path, an identifier or code: an announcement that names one tells something. */
const NAMED = /\uE000|\w[/_]\w|\w\.\w|[a-z][A-Z]/;

/** Whether a sentence speaks to its reader, of its author's feelings, or exclaims. */
const isAddressed = (text: string): boolean => ADDRESS.test(text);
const ADDRESS = /[!！🔥🎉👏]|(?<!\w)(?:you|your|yours|you['’]re|i['’]m|i am)(?!\w)|[您你님]|시네|십니|하세요|셨/iu;
/** The unexplained tokens that an addressed sentence may hold beside one word of praise. */
const MOST_ADDRESSED = 2;
/** An announcement with more unexplained tokens tells something. */
const LONGEST_INTENT = 12;

/** Korean endings belong to their word. */
const wholeEojeol = (text: string, { from, to }: TextSpan): TextSpan => ({
  from: from - (/\p{Script=Hangul}+$/u.exec(text.slice(0, from))?.[0].length ?? 0),
  to: to + (/^\p{Script=Hangul}+/u.exec(text.slice(to))?.[0].length ?? 0),
});

/**
 * Sentences with praise whose other words are unknown count as flattery beside a sentence that certainly is, or where
 * several hold much praise; not in a message with a problem or a question.
 */
function withDoubtfulPraise(sentences: readonly LabelledSentence[]): readonly LabelledSentence[] {
  const praising = sentences.filter(({ label, praise }) => praise.length > 0 && label !== 'evidence');
  const [words, unexplained] = praising.reduce(
    ([all, rest], one) => [all + one.praise.length, rest + one.unexplained],
    [0, 0],
  );
  const isDense = praising.length >= 2 && words >= 3 && unexplained <= 1.5 * words;
  const isSure = isDense || sentences.some(({ label }) => label === 'flattery');
  if (!isSure || sentences.some(({ label, text }) => label === 'content' && isQuestion(text))) return sentences;
  return sentences.map((one) =>
    one.label === 'content' && praising.includes(one) && one.unexplained <= 9 * one.praise.length
      ? { ...one, label: 'flattery' }
      : one,
  );
}

const tokensIn = (text: string): number =>
  (text.match(/\p{Script=Hangul}+|[^\s\p{Script=Hangul}\p{Script=Han}\p{P}\p{S}]+|[\uE000\uE001]+/gu)?.length ?? 0) +
  (text.match(/\p{Script=Han}/gu)?.length ?? 0) / 2;

const TOO_LONG = `the message is longer than ${LONGEST_MESSAGE} characters; what is beyond was not read`;

/** In tokens; fewer say nothing about the language. */
const SHORTEST_READ = 4;
const NO_WORD = 'no word of the message is known (English, Korean and Chinese are read)';
