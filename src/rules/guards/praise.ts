import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { anywhere, english, holds, koreanNouns, koreanStems, literal, spansOf, touches } from './patterns.ts';
import type { Span } from './patterns.ts';
import data from './words/praise.json' with { type: 'json' };

/** What of a sentence is praise. */
export interface Praise {
  /** Words that praise whatever they are said of. */
  readonly strong: readonly Span[];
  /** Words that praise only where little else is said. */
  readonly weak: readonly Span[];
  /** What is praised, and the words that carry it: they tell nothing else. */
  readonly praised: readonly Span[];
  /** A word of praise that is part of a term, or is denied: it praises nothing. */
  readonly technical: readonly Span[];
  /** Words of praise that are denied. */
  readonly denied: readonly Span[];
  /** The sentence says what is wrong. */
  readonly isTroubled: boolean;
  /** Whoever reads is spoken to, or whoever writes tells how happy he is: what little else is said is about people. */
  readonly isPersonal: boolean;
}

const words = z.array(z.string().min(1));
const WORDS = tableOf(
  'src/rules/guards/words/praise.json',
  z.strictObject({
    english: z.strictObject({
      strong: words,
      weak: words,
      praised: words,
      technical: z.record(z.string(), words).describe('what a word of praise is part of a term with'),
      technical_always: words,
      negating: words,
      conditional: words,
      trouble: words,
      contrast: words,
      feeling: words,
      addressed: words,
    }),
    korean: z.strictObject({
      strong: words,
      weak: words,
      praised: words,
      technical: words,
      negating_after: words,
      trouble: words,
      contrast: words,
    }),
    chinese: z.strictObject({
      strong: words,
      weak: words,
      praised: words,
      technical: words,
      negating_before: words,
      trouble: words,
      contrast: words,
    }),
  }),
  data,
);
const { english: EN, korean: KO, chinese: ZH } = WORDS;

const STRONG = [english(EN.strong), koreanStems(KO.strong), anywhere(ZH.strong)];
const WEAK = [english(EN.weak), koreanStems(KO.weak), anywhere(ZH.weak)];
/** A sign that is repeated praises once. */
const SIGNS =
  /[\u{1F44D}\u{1F44F}\u{1F525}\u{1F389}\u{1F64C}\u{1F680}\u{1F4AF}\u{1F929}\u{1F60D}\u{1F973}\u{1F3C6}\u{1F31F}\u{2728}]+/gu;
const isSyllable = (word: string): boolean => word.length === 1;
/** A Korean noun of one syllable is also how many longer words begin: it counts with a particle or alone. */
const PRAISED = [
  english(EN.praised),
  koreanStems(KO.praised.filter((word) => !isSyllable(word))),
  koreanNouns(KO.praised.filter(isSyllable)),
  anywhere(ZH.praised),
];
const TECHNICAL = [
  english([
    ...Object.entries(EN.technical).map(([word, after]) => `${word}(?:ly)?[ -](?:${after.join('|')})`),
    ...EN.technical_always.map((after) => `[a-z-]{3,20} (?:${after})`),
  ]),
  koreanStems(KO.technical),
  anywhere(ZH.technical),
];
const TROUBLE = [english(EN.trouble), new RegExp(KO.trouble.join('|'), 'gu'), anywhere(ZH.trouble)];
/** What joins a statement to one that speaks against it. */
const CONTRAST = [english(EN.contrast), new RegExp(KO.contrast.join('|'), 'gu'), anywhere(ZH.contrast)];
/** `I am genuinely delighted`. */
const FEELS = new RegExp(
  `\\b(?:i|we)(?: am|['’]m| are|['’]re| feel| was| were)(?: [a-z]+)? (?:${EN.feeling.join('|')})\\b`,
  'iu',
);
const ADDRESSED = english(EN.addressed);
const DENIED_BEFORE = new RegExp(
  `(?:(?<![\\w'])(?:${EN.negating.join('|').replaceAll("'", "['’]")})(?:[ ]+[\\w'’]+){0,2}[ ]+|(?:${ZH.negating_before.join('|')})(?:是|太|够|很|那么|什么)?)$`,
  'iu',
);
const CONDITION_BEFORE = new RegExp(`(?<![\\w'])(?:${EN.conditional.join('|')})(?:[ ]+[\\w'’]+){1,6}[ ]+$`, 'iu');
const DENIED_AFTER = new RegExp(`^\\p{Script=Hangul}{0,3}(?:${KO.negating_after.join('|')})`, 'u');

/** The words that a project adds: of praise, and terms in which they praise nothing. */
export interface OwnWords {
  readonly praise: readonly RegExp[];
  readonly terms: readonly RegExp[];
}

/** Makes a project's own words ready to be looked for; they are taken as they stand, in any case. */
export const ownWords = (patterns: readonly string[], terms: readonly string[]): OwnWords => ({
  praise: asTheyStand(patterns),
  terms: asTheyStand(terms),
});

const asTheyStand = (listed: readonly string[]): readonly RegExp[] =>
  listed.length === 0
    ? []
    : [
        english(listed.map((one) => literal(one.toLowerCase()))),
        new RegExp(listed.filter(isAsian).map(literal).join('|') || '(?!)', 'gu'),
      ];

const isAsian = (text: string): boolean => /[\p{Script=Hangul}\p{Script=Han}]/u.test(text);

/** Finds what praises in a masked sentence. */
export function praiseIn(sentence: string, own: OwnWords): Praise {
  const terms = spansOf(sentence, ...TECHNICAL, ...own.terms);
  const isTaken = (span: Span): boolean => touches(span, terms) || isDenied(sentence, span) || isName(sentence, span);
  const all = spansOf(sentence, ...STRONG, ...own.praise);
  const strong = all.filter((span) => !isTaken(span));
  const mild = spansOf(sentence, ...WEAK, SIGNS);
  const weak = mild.filter((span) => !isTaken(span) && !touches(span, all));
  const isPraise = strong.length + weak.length > 0;
  return {
    strong,
    weak,
    praised: isPraise ? spansOf(sentence, ...PRAISED) : [],
    technical: [...terms, ...all.filter(isTaken)],
    denied: isPraise ? [...all, ...mild].filter((span) => isDenied(sentence, span)) : [],
    isTroubled: isPraise && spansOf(sentence, ...TROUBLE).some((span) => !touches(span, [...strong, ...weak])),
    isPersonal: isPraise && (holds(sentence, ADDRESSED) || FEELS.test(sentence)),
  };
}

/** Whether a masked sentence says what is wrong. */
export const tellsTrouble = (sentence: string): boolean => holds(sentence, ...TROUBLE);

/** Where a masked sentence turns against what it said before. */
export const contrastsIn = (sentence: string): readonly Span[] => spansOf(sentence, ...CONTRAST);

function isDenied(sentence: string, { from, to }: Span): boolean {
  const before = sentence.slice(Math.max(0, from - 60), from);
  const clause = before.slice(before.search(/[^,;:，；：]*$/u));
  if (DENIED_BEFORE.test(clause) || CONDITION_BEFORE.test(clause)) return true;
  const said = sentence.slice(from, to + 12);
  const stem = KOREAN_STEM.exec(said)?.[0] ?? '';
  return stem !== '' && DENIED_AFTER.test(said.slice(stem.length));
}

const KOREAN_STEM = new RegExp(
  `^(?:${[...KO.strong, ...KO.weak].toSorted((one, other) => other.length - one.length).join('|')})`,
  'u',
);

/** A capital in the middle of a sentence, before a word in small letters, is a name: `The Brilliant client`. */
function isName(sentence: string, { from, to }: Span): boolean {
  const word = sentence.slice(from, to);
  return (
    /^[A-Z][a-z]+$/.test(word) && /[a-z0-9)] $/.test(sentence.slice(0, from)) && /^ [a-z]/.test(sentence.slice(to))
  );
}
