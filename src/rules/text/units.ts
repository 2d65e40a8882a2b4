import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import { isThing, mentionsOf, type Meaning } from './concepts.ts';
import { scopesOf, type NegationScope } from './negation.ts';
import { rememberLast } from './remembered.ts';
import data from './rarity.json' with { type: 'json' };
import { isLightWord, isStopWord, readWords, termsOf, type Word } from './words.ts';

/** One thing a sentence speaks of: a concept in any of its words, or a word that is no concept (`=stem`). */
export interface Unit {
  readonly meanings: readonly Meaning[];
  readonly from: number;
  readonly to: number;
  /** How much it tells, 0 to 1. */
  readonly weight: number;
  readonly text: string;
}

export interface PlanSentence {
  readonly text: string;
  readonly words: readonly Word[];
  readonly units: readonly Unit[];
  readonly scopes: readonly NegationScope[];
}

export const bearsOn = (scope: Pick<NegationScope, 'from' | 'to'>, { from }: Unit): boolean =>
  scope.from <= from && scope.to > from;

/** No plan is longer, in characters. */
export const LONGEST_TEXT = 200_000;

/** The sentences of the first `LONGEST_TEXT` characters of a text; long ones in pieces, so that cost grows with length only. */
export function sentencesOf(text: string): readonly PlanSentence[] {
  return IDIOMS.reduce((spoken, [idiom, words]) => spoken.replace(idiom, words), text.slice(0, LONGEST_TEXT))
    .split(/(?<=[.!?])\s+|[;\n。！？；]+|\s[•*-]\s/u)
    .map((sentence) => sentence.trim().replace(/^(?:[-*•>#]+|\d{1,3}[.)])\s*/u, ''))
    .filter((sentence) => sentence !== '')
    .flatMap((sentence) => sentence.match(/[\s\S]{1,400}(?=\s|$)|[\s\S]{1,400}/gu) ?? [])
    .map(sentenceOf);
}

/** The sentences of a plan; every rule asks for the same one. */
export const readPlan = rememberLast(sentencesOf);

/** Bits of code in a plan, and the words that they mean. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[\w/.-]|\s):latest\b/gi, ' latest image tag'],
  [/<any>|,\s?any>|<any,|\bany\[\]|(?<=[\w)?]):\s?any\b(?!\s+(?:of|other|user|one))/g, ' any type '],
  [/catch\s?(?:\([^)]{0,40}\))?\s?\{\s?\}/gi, ' empty catch '],
  [/\b[a-z]\w{2,30}Sync\b(?:\(\))?/g, ' synchronous call '],
  [/--no-([a-z]{2,20})\b/g, ' no$1 '],
  [/\bselect\s+\*/gi, ' select star '],
  [/(?<!\w)\.(?:skip|only)\b\(?/gi, ' skip test '],
  [/["'`](?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|AKIA|ASIA|AIza|npm|hf|eyJ)[\w.-]{6,200}["'`]/g, ' hardcode '],
  [/(?<=\b(?:key|token|password|secret|passwd)\s{0,3}[:=]\s{0,3})["'`][^\s"'`$<{]{6,200}["'`]/gi, ' hardcode '],
  [/\b(?:git\s+)?push\s+(?:\S{1,40}\s+){0,3}(?:--force(?:-with-lease)?|-f)\b/gi, ' force push '],
];

function sentenceOf(text: string): PlanSentence {
  const words = readWords(text);
  const mentions = mentionsOf(words);
  // A cue inside a phrase (`ignore the error`) belongs to the meaning of the phrase.
  const scopes = scopesOf(text, words).filter(({ cueFrom, cueTo }) =>
    mentions.every(({ from, to }) => cueFrom < from || cueTo > to || to - from === cueTo - cueFrom),
  );
  const units: Unit[] = mentions.map(({ meanings, from, to }) => ({
    meanings,
    from,
    to,
    weight: meanings.every(({ concept }) => isThing(concept)) ? 0.7 : 1,
    text: text.slice(from, to),
  }));
  for (const word of words) {
    const isCue = scopes.some(({ cueFrom, cueTo }) => word.start < cueTo && word.end > cueFrom);
    const isMentioned = units.some(({ from, to }) => word.start < to && word.end > from);
    if (!isCue && !isMentioned && !isStopWord(word.text)) units.push(...unitsOf(word));
  }
  return { text, words, units: units.toSorted((one, other) => one.from - other.from), scopes };
}

const unitsOf = (word: Word): readonly Unit[] =>
  termsOf(word).map((term) => ({
    meanings: [{ concept: `=${term}`, sign: 1 }],
    from: word.start,
    to: word.end,
    weight: weightOf(word.text, term),
    text: word.text,
  }));

function weightOf(text: string, term: string): number {
  // Pairs of Chinese characters, and Korean words with their endings, tell less than a word with a known stem.
  if (/^\p{Script=Han}/u.test(text)) return 0.2;
  if (/^[가-힣]/u.test(text)) return /[다고며할한는지면여서]$/u.test(text) ? 0.15 : 0.4;
  if (isLightWord(text)) return 0.15;
  return /^\d+$/.test(text) ? 0.3 : (rarities().get(term) ?? RARE) / 8;
}

const RARE = 7;

/**
 * How rare common stems are: the natural logarithm of (paragraphs ÷ paragraphs with the word), over 15,000 paragraphs of
 * documentation. It is shipped so that no score depends on the other rules or plans at hand.
 */
const rarities = lazy((): ReadonlyMap<string, number> => {
  const table = loadTable('src/rules/text/rarity.json', z.record(z.string(), z.array(z.string())), data);
  return new Map(
    Object.entries(table).flatMap(([rarity, lines]) =>
      lines.flatMap((line) => line.split(' ').map((stem) => [stem, Number(rarity)] as const)),
    ),
  );
});
