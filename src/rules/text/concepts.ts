import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import code from './concepts/code.json' with { type: 'json' };
import data from './concepts/data.json' with { type: 'json' };
import operations from './concepts/operations.json' with { type: 'json' };
import protection from './concepts/protection.json' with { type: 'json' };
import quality from './concepts/quality.json' with { type: 'json' };
import security from './concepts/security.json' with { type: 'json' };
import teamwork from './concepts/teamwork.json' with { type: 'json' };
import { BE, ENGLISH_CUES } from './negation-cues.ts';
import { findPhrases, phraseIndex } from './phrases.ts';
import { stemOf } from './words.ts';
import type { Word } from './words.ts';

/** What a phrase says: that a concept is there (1), or that it is passed over (-1). */
export interface Meaning {
  readonly concept: string;
  readonly sign: 1 | -1;
}

/** A phrase of a sentence and what it means, by character offsets. */
export interface Mention {
  readonly meanings: readonly Meaning[];
  readonly from: number;
  readonly to: number;
}

const phrases = z
  .array(z.string().min(1))
  .describe('phrases: English by stems (`~` is up to three words), Korean and Chinese as they stand');
/** Something developers speak of in many words, in three languages. */
const conceptSchema = z.strictObject({
  id: z.string().min(1),
  domain: z.string().min(1).describe('what its neighbours belong to as well'),
  words: phrases,
  /** Phrases that say that the concept is passed over or turned into its opposite. */
  against: phrases.default([]),
});

const CONCEPTS = Object.entries({ code, data, operations, protection, quality, security, teamwork }).flatMap(
  ([name, rows]) => tableOf(`src/rules/text/concepts/${name}.json`, z.array(conceptSchema), rows),
);

/** The domain that a concept belongs to. */
export const domainOf = (concept: string): string => DOMAINS.get(concept) ?? concept;

const DOMAINS: ReadonlyMap<string, string> = new Map(CONCEPTS.map(({ id, domain }) => [id, domain]));

/** Every concept a sentence speaks of, from the left, the longest phrase first, none inside another. */
export function mentionsOf(sentence: string, words: readonly Word[]): readonly Mention[] {
  const latin = findPhrases(LATIN, words).map(({ values, from, to }) => ({
    meanings: values,
    from: words[from]?.start ?? 0,
    to: words[to - 1]?.end ?? 0,
  }));
  const opposites = words.flatMap((word) => oppositeOf(word));
  const all = [
    ...latin,
    ...passives(words).filter((one) => latin.every((other) => !cuts(one, other))),
    ...opposites,
    ...asianMentions(sentence),
  ];
  return longestFirst(all);
}

const isAsian = (phrase: string): boolean => /[가-힣]|\p{Script=Han}/u.test(phrase);

const ENTRIES: readonly (readonly [phrase: string, meaning: Meaning])[] = CONCEPTS.flatMap(({ id, words, against }) => [
  ...words.map((phrase) => [phrase, { concept: id, sign: 1 }] as const),
  ...against.map((phrase) => [phrase, { concept: id, sign: -1 }] as const),
]);

const LATIN = phraseIndex(ENTRIES.filter(([phrase]) => !isAsian(phrase)));

/** `errors are logged` says what `log errors` says: a participle after a form of `be`, with what stands before it. */
function passives(words: readonly Word[]): readonly Mention[] {
  return words.flatMap((verb, at) => {
    const [be, object] = [words[at - 1], words[at - 2]];
    if (object === undefined || be === undefined || !BE.has(be.text) || !/(?:ed|en|t)$/.test(verb.text)) return [];
    if (verb.text === verb.stem || DENYING.has(verb.stem) || [be, verb].some(({ gap }) => gap.trim() !== '')) return [];
    const [hit] = findPhrases(LATIN, [verb, { ...object, gap: ' ' }]);
    return hit?.to === 2 ? [{ meanings: hit.values, from: object.start, to: verb.end }] : [];
  });
}

/** Whether one mention begins in the middle of another: `any types are introduced` speaks of `any types`. */
const cuts = (one: Mention, other: Mention): boolean => other.from < one.from && other.to > one.from;

/** Verbs that themselves deny what stands before them: `prints are removed`. */
const DENYING: ReadonlySet<string> = new Set(ENGLISH_CUES.map(([phrase]) => stemOf(phrase)));

/** `unauthenticated`, `non-validated`: a concept turned round by its prefix. */
function oppositeOf(word: Word): readonly Mention[] {
  const stem = /^(?:un|non)([a-z]{4,})$/.exec(word.stem)?.[1];
  const single = stem === undefined ? undefined : LATIN.get(stem)?.find(({ stems }) => stems.length === 1);
  if (single === undefined || (LATIN.get(word.stem)?.some(({ stems }) => stems.length === 1) ?? false)) return [];
  const meanings = single.values.map(({ concept, sign }) => ({
    concept,
    sign: sign === 1 ? (-1 as const) : (1 as const),
  }));
  return [{ meanings, from: word.start, to: word.end }];
}

const ASIAN: ReadonlyMap<string, readonly { readonly phrase: string; readonly meanings: Meaning[] }[]> = filed();

/** Korean and Chinese phrases under their first character, the longest first. */
function filed() {
  const byPhrase = new Map<string, Meaning[]>();
  for (const [phrase, meaning] of ENTRIES.filter(([phrase]) => isAsian(phrase)))
    byPhrase.set(phrase, [...(byPhrase.get(phrase) ?? []), meaning]);
  const index = new Map<string, { phrase: string; meanings: Meaning[] }[]>();
  for (const [phrase, meanings] of [...byPhrase].toSorted(([one], [other]) => other.length - one.length)) {
    const first = phrase.charAt(0);
    index.set(first, [...(index.get(first) ?? []), { phrase, meanings }]);
  }
  return index;
}

function asianMentions(sentence: string): readonly Mention[] {
  if (!isAsian(sentence)) return [];
  const text = sentence.toLowerCase();
  const found: Mention[] = [];
  for (let at = 0; at < text.length;) {
    const hit = ASIAN.get(text.charAt(at))?.find(
      ({ phrase }) => text.startsWith(phrase, at) && isFree(text, at, phrase),
    );
    if (hit !== undefined) found.push({ meanings: hit.meanings, from: at, to: at + hit.phrase.length });
    at += hit?.phrase.length ?? 1;
  }
  return found;
}

/** A phrase that starts with a Latin letter, or a short Korean one, does not start inside a word. */
function isFree(text: string, at: number, phrase: string): boolean {
  const before = text.charAt(at - 1);
  if (/^[a-z]/.test(phrase)) return !/[a-z0-9]/.test(before);
  return !/^[가-힣]{1,2}$/u.test(phrase) || !/[가-힣]/u.test(before);
}

function longestFirst(all: readonly Mention[]): readonly Mention[] {
  const taken: Mention[] = [];
  for (const one of all.toSorted((a, b) => b.to - b.from - (a.to - a.from)))
    if (taken.every((other) => one.to <= other.from || one.from >= other.to)) taken.push(one);
  return taken.toSorted((a, b) => a.from - b.from);
}
