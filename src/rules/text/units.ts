import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import { mentionsOf } from './concepts.ts';
import type { Meaning } from './concepts.ts';
import type { Scope } from './negation-cues.ts';
import { scopesOf } from './negation.ts';
import data from './rarity.json' with { type: 'json' };
import type { Word } from './words.ts';
import { LIGHT_WORDS, STOP_WORDS, readWords, stemOf, termsOf } from './words.ts';

/** One thing a sentence speaks of: a concept in any of its words, or a word that is no concept. */
export interface Unit {
  readonly meanings: readonly Meaning[];
  readonly from: number;
  readonly to: number;
  /** How much it tells, 0 to 1. */
  readonly weight: number;
  readonly text: string;
}

/** A sentence taken apart. */
export interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
  readonly units: readonly Unit[];
  /** The units by what they may mean. */
  readonly byConcept: ReadonlyMap<string, readonly Unit[]>;
  readonly scopes: readonly Scope[];
}

/** Whether a cue bears on a unit: it stands in the cue's scope, and the cue is no part of it. */
export const bearsOn = (scope: Scope, { from, to }: Unit): boolean =>
  scope.from <= from && scope.to > from && !(scope.cueFrom >= from && scope.cueTo <= to);

/** The sentences of a text, each taken apart; what is beyond `LONGEST_TEXT` is not read, so ask for no more. */
export function sentencesOf(text: string): readonly Sentence[] {
  const spoken = IDIOMS.reduce((spoken, [idiom, words]) => spoken.replace(idiom, words), text.slice(0, LONGEST_TEXT));
  return spoken
    .split(/(?<=[.!?])\s+|[;\n。！？；]+|\s[•*-]\s/u)
    .map((sentence) => sentence.trim().replace(/^(?:[-*•>#]+|\d{1,3}[.)])\s*/u, ''))
    .filter((sentence) => sentence !== '')
    .flatMap(inPieces)
    .map(takenApart);
}

/** No plan is longer, in characters. */
export const LONGEST_TEXT = 200_000;
const LONGEST_SENTENCE = 400;

/** What has no full stop for pages is read in pieces, so that its length costs no more than its pieces do. */
function inPieces(sentence: string): readonly string[] {
  if (sentence.length <= LONGEST_SENTENCE) return [sentence];
  return sentence.match(/[\s\S]{1,400}(?=\s|$)|[\s\S]{1,400}/gu) ?? [];
}

/** Bits of code and command lines in a plan, and the words that they stand for. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[\w/.-]):latest\b|(?<=\s):latest\b/gi, ' latest image tag'],
  [/<any>|,\s?any>|<any,|\bany\[\]|(?<=[\w)?]):\s?any\b(?!\s+(?:of|other|user|one))/g, ' any type '],
  [/catch\s?(?:\([^)]{0,40}\))?\s?\{\s?\}/gi, ' empty catch '],
  [/\b[a-z]\w{2,30}Sync\b(?:\(\))?/g, ' synchronous call '],
  [/--no-([a-z]{2,20})\b/g, ' no$1 '],
  [/\bselect\s+\*/gi, ' select star '],
  [/(?<!\w)\.(?:skip|only)\b\(?/gi, ' skip test '],
  [/\bhttp:\/\//gi, ' plain http '],
  [/["'`](?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|AKIA|ASIA|AIza|npm|hf|eyJ)[\w.-]{6,200}["'`]/g, ' hardcode '],
  [/(?<=\b(?:key|token|password|secret|passwd)\s{0,3}[:=]\s{0,3})["'`][^\s"'`$<{]{6,200}["'`]/gi, ' hardcode '],
  [/\b(?:git\s+)?push\s+(?:\S{1,40}\s+){0,3}(?:--force(?:-with-lease)?|-f)\b/gi, ' force push '],
];

function takenApart(text: string): Sentence {
  const words = readWords(text);
  const mentions = mentionsOf(text, words);
  const units: Unit[] = mentions.map(({ meanings, from, to }) => ({
    meanings,
    from,
    to,
    weight: Math.max(...meanings.map(({ concept }) => weightOf(concept))),
    text: text.slice(from, to),
  }));
  const scopes = scopesOf(text, words);
  const rest = words.filter(
    ({ start, end }) =>
      mentions.every(({ from, to }) => end <= from || start >= to) &&
      scopes.every(({ cueFrom, cueTo }) => end <= cueFrom || start >= cueTo || end > cueTo + 2),
  );
  for (const word of rest) if (!STOP_WORDS.has(word.text) && !KOREAN_STOP.test(word.text)) units.push(...unitsOf(word));
  units.sort((one, other) => one.from - other.from);
  return { text, words, units, byConcept: filed(units), scopes };
}

function filed(units: readonly Unit[]): ReadonlyMap<string, readonly Unit[]> {
  const byConcept = new Map<string, Unit[]>();
  for (const unit of units)
    for (const { concept } of unit.meanings) {
      const same = byConcept.get(concept);
      if (same === undefined) byConcept.set(concept, [unit]);
      else same.push(unit);
    }
  return byConcept;
}

/** Korean words that only carry the grammar of a sentence. */
const KOREAN_STOP =
  /^(?:않|못|없|말고|말아|하는|하고|한다|합니다|해야|하지|있는|있다|있도록|된다|되는|위해|위한|대한|대해|반드시|모든|모두|그냥|그리고|그대로|바로|먼저|수|것|때|항상|절대|필요)/u;

/** Concepts that many plans touch, whatever they are about. */
const GENERAL = new Set(
  'sourcecode config database api error image container controller userinput mainbranch timestamp testsystem query asyncio loop logging types docs index schemachange money cache outgoingcall'.split(
    ' ',
  ),
);

const weightOf = (concept: string): number => (GENERAL.has(concept) ? 0.7 : 1);

function unitsOf(word: Word): readonly Unit[] {
  const { text, start: from, end: to } = word;
  return termsOf(word).map((term) => ({
    meanings: [{ concept: `=${term}`, sign: 1 }],
    from,
    to,
    weight: wordWeight(text, term),
    text,
  }));
}

const LIGHT_STEMS: ReadonlySet<string> = new Set([...LIGHT_WORDS].map(stemOf));

function wordWeight(text: string, term: string): number {
  if (/^[가-힣]/u.test(text)) return /[다고며할한는지면여서]$/u.test(text) ? 0.15 : 0.4;
  if (/^\p{Script=Han}/u.test(text)) return 0.2;
  if (LIGHT_WORDS.has(text) || LIGHT_STEMS.has(term)) return 0.15;
  if (/^\d+$/.test(text)) return 0.3;
  return Math.min(1, rarityOf(term) / 8);
}

/** How much an English stem tells, 0 (in every text) to 8 (in hardly any): the natural logarithm of its inverse document frequency. */
function rarityOf(stem: string): number {
  return RARITY.get(stem) ?? UNKNOWN_RARITY;
}

/** The rarity of a word that the reference does not know. */
const UNKNOWN_RARITY = 8;

/**
 * By their stems, words of the same whole natural logarithm of (paragraphs ÷ paragraphs with the word). Counted once
 * over 15,000 paragraphs of the documentation of some 400 packages, and shipped, so that a score never depends on which
 * other rules or plans are at hand.
 */
const RARITY: ReadonlyMap<string, number> = new Map(
  tableOf(
    'src/rules/text/rarity.json',
    z.array(z.strictObject({ rarity: z.number().min(0).max(UNKNOWN_RARITY), stems: z.array(z.string().min(1)) })),
    data,
  ).flatMap(({ rarity, stems }) => stems.flatMap((line) => line.split(' ').map((stem) => [stem, rarity] as const))),
);
