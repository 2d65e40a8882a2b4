import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { anywhere, english, koreanWords, spansOf, touches } from './patterns.ts';
import type { Span } from './patterns.ts';
import data from './words/announcing.json' with { type: 'json' };

/** What of a sentence only confirms or announces. */
export interface Announcing {
  readonly confirmation: readonly Span[];
  readonly intent: readonly Span[];
  /** Words that name nothing in particular (`the task`, `right away`), where something is confirmed or announced. */
  readonly filler: readonly Span[];
}

const words = z.array(z.string().min(1));
const language = z.strictObject({ confirmation: words, intent: words, filler: words });
const WORDS = tableOf(
  'src/rules/guards/words/announcing.json',
  z.strictObject({ english: language, korean: language, chinese: language }),
  data,
);
const { english: EN, korean: KO, chinese: ZH } = WORDS;

/** `makes total sense`, `sounds really good`: a word that only strengthens may stand between two others. */
const strengthened = (listed: readonly string[]): readonly string[] =>
  listed.map((one) =>
    one.replaceAll(
      / (?=[a-z])/g,
      ' (?:(?:really|very|so|total|totally|complete|completely|perfect|perfectly|absolutely|quite|just|all) )?',
    ),
  );

const CONFIRMATION = [english(strengthened(EN.confirmation)), koreanWords(KO.confirmation), anywhere(ZH.confirmation)];
const INTENT = [
  english(EN.intent),
  new RegExp(`\\p{Script=Hangul}{0,12}(?:${KO.intent.join('|')})`, 'gu'),
  anywhere(ZH.intent),
];
const FILLER = [english(EN.filler), koreanWords(KO.filler), anywhere(ZH.filler)];
/** Forms of confirmation that look like an intent: `알겠습니다`. */
const KOREAN_CONFIRMS = koreanWords(KO.confirmation);

/** Finds what confirms or announces in a masked sentence. */
export function announcingIn(sentence: string): Announcing {
  const confirmed = spansOf(sentence, KOREAN_CONFIRMS);
  const confirmation = spansOf(sentence, ...CONFIRMATION);
  const intent = spansOf(sentence, ...INTENT).filter((span) => !touches(span, confirmed));
  const isEmpty = confirmation.length + intent.length === 0;
  return { confirmation, intent, filler: isEmpty ? [] : spansOf(sentence, ...FILLER) };
}
