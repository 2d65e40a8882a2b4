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

const ENGLISH_CONFIRMS = english(EN.confirmation);
/** Some look like an intent: `알겠습니다`. */
const KOREAN_CONFIRMS = koreanWords(KO.confirmation);
const CONFIRMATION = [ENGLISH_CONFIRMS, KOREAN_CONFIRMS, anywhere(ZH.confirmation)];
const INTENT = [
  english(EN.intent),
  new RegExp(`\\p{Script=Hangul}{0,12}(?:${KO.intent.join('|')})`, 'gu'),
  anywhere(ZH.intent),
];
const FILLER = [english(EN.filler), koreanWords(KO.filler), anywhere(ZH.filler)];

/** Finds what confirms or announces in a masked sentence. */
export function announcingIn(sentence: string): Announcing {
  const confirmed = spansOf(sentence, KOREAN_CONFIRMS);
  const confirmation = [...spansOf(sentence, ...CONFIRMATION), ...strengthened(sentence)];
  const intent = spansOf(sentence, ...INTENT).filter((span) => !touches(span, confirmed));
  const isEmpty = confirmation.length + intent.length === 0;
  return { confirmation, intent, filler: isEmpty ? [] : spansOf(sentence, ...FILLER) };
}

/** `makes total sense`, `sounds really good`: what confirms once the words between two others are out that only strengthen. */
function strengthened(sentence: string): readonly Span[] {
  const out = spansOf(sentence, STRENGTHENS);
  if (out.length === 0) return [];
  const places: number[] = []; // of each sign that is left, where it stands in the sentence
  for (const [index, cut] of [...out, { from: sentence.length }].entries())
    for (let at = out[index - 1]?.to ?? 0; at < cut.from; at += 1) places.push(at);
  return spansOf(places.map((at) => sentence[at]).join(''), ENGLISH_CONFIRMS).flatMap(({ from, to }) => {
    const span = { from: places[from] ?? 0, to: (places[to - 1] ?? 0) + 1 };
    return span.to - span.from > to - from ? [span] : [];
  });
}

const STRENGTHENS =
  /(?<=\w )(?:really|very|so|total|totally|complete|completely|perfect|perfectly|absolutely|quite|just|all) (?=[a-z])/g;
