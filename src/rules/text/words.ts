import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './words.json' with { type: 'json' };

/** A word of a text: lower-case form, stem, position, and the text between it and the previous word. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  readonly gap: string;
}

/** The words of a text, in order: `don't` is two, Korean particles are cut off, a run of Chinese characters is one. */
export function readWords(text: string): readonly Word[] {
  const words: Word[] = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const gap = text.slice(last, index);
    last = index + found.length;
    for (const part of partsOf(found.toLowerCase().replaceAll('’', "'"))) {
      if (part === '') continue;
      const same = words.at(-1)?.start === index;
      words.push({ text: part, stem: stemOf(part), start: index, end: last, gap: same ? '' : gap });
    }
  }
  return words;
}

const WORD =
  /\p{Script=Hangul}+|\p{Script=Han}+|(?:(?!\p{Script=Hangul}|\p{Script=Han})[\p{L}\p{N}_])+(?:['’][a-z]{1,2}\b)?/giu;

function partsOf(word: string): readonly string[] {
  if (/^[가-힣]/u.test(word)) return [withoutParticle(word)];
  const short = lists().contractions.get(word);
  if (short !== undefined) return short;
  if (word.endsWith("n't")) return [word.slice(0, -3), 'not'];
  return [word.replace(/'[a-z]{1,2}$/, '')];
}

/** A Korean word without the particle that marks its part in the sentence; a word that is nothing else is empty. */
export function withoutParticle(word: string): string {
  const particle = lists().particles.find((one) => word.endsWith(one));
  if (particle === undefined) return word;
  const rest = word.slice(0, -particle.length);
  return rest.length >= 2 || rest === '' ? rest : word;
}

/** The form that the inflections of an English word share; other words stay as they are. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]{3,}$/.test(word) ? stemmed(lists().irregular.get(word) ?? word) : word;
  if (stems.size > 20_000) stems.clear();
  stems.set(word, stem);
  return stem;
}

const stems = new Map<string, string>();

function stemmed(word: string): string {
  if (lists().whole.has(word)) return word;
  const american = word.length >= 7 ? word.replace(/is(e|ed|es|ing|er|ers|ation|ations)$/, 'iz$1') : word;
  return withoutEnding(withoutPlural(american));
}

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return word.slice(0, -1);
}

function withoutEnding(word: string): string {
  if (lists().whole.has(word)) return word;
  const ending = lists().endings.find(([end]) => word.endsWith(end) && word.length - end.length >= 2);
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending[0].length) + ending[1];
  const isWord = /[aeiouy]/.test(rest) && rest.length >= (ending[0] === 'e' ? 2 : 3);
  if (!isWord) return word;
  return /([bdgkmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

/** What a word counts as when words are counted: its stem, or for a run of Chinese characters its pairs of characters. */
export function termsOf(word: Word): readonly string[] {
  if (!/^\p{Script=Han}/u.test(word.text)) return [word.stem];
  const characters = Array.from(word.text);
  return characters.length < 3 ? [word.text] : characters.slice(1).map((one, at) => `${characters[at] ?? ''}${one}`);
}

const lists = lazy(() => {
  const words = z
    .array(z.string())
    .describe('words between blanks')
    .transform((lines): readonly string[] => lines.flatMap((line) => line.split(' ')));
  const pairs = words.transform((listed) => listed.map((pair) => pair.split(':') as [string, string]));
  const schema = z.strictObject({
    contractions: z.record(z.string(), z.string()).describe('short forms and the words they stand for'),
    particles: words.describe('Korean particles, longest first'),
    irregular: pairs.describe('forms and the word they are forms of'),
    whole: words.describe('words that only look inflected'),
    endings: pairs.describe('endings, longest first, and their replacement'),
    stop_words: words,
    light_words: words,
  });
  const { contractions, irregular, whole, stop_words, light_words, ...others } = loadTable(
    'src/rules/text/words.json',
    schema,
    data,
  );
  return {
    ...others,
    contractions: new Map(Object.entries(contractions).map(([short, long]) => [short, long.split(' ')])),
    irregular: new Map(irregular),
    whole: new Set(whole),
    stopWords: new Set(stop_words),
    lightWords: new Set(light_words),
  };
});

export const isStopWord = (text: string): boolean => lists().stopWords.has(text);

export const isLightWord = (text: string): boolean => lists().lightWords.has(text);

/** A text without invisible signs inside Latin, Korean or Chinese words, which would hide them from patterns. */
export const withoutHidden = (text: string): string => (UNSEEN.test(text) ? text.replace(UNSEEN_IN_WORDS, '') : text);
const UNSEEN = /\p{DI}/u;
const UNSEEN_IN_WORDS =
  /(?<=[\p{sc=Latin}\p{sc=Hangul}\p{sc=Han}\d])\p{DI}+(?=[\p{sc=Latin}\p{sc=Hangul}\p{sc=Han}\d])/gu;
