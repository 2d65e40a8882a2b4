import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './concepts.json' with { type: 'json' };
import { findPhrases, phraseIndex } from './phrases.ts';
import type { Word } from './words.ts';

/** What a phrase means: a concept (`secrets.hardcode`) that is there (1) or turned into its opposite (-1). */
export interface Meaning {
  readonly concept: string;
  readonly sign: 1 | -1;
}

/** Subjects of development in several English words: things, faults (bad by themselves) and practices. */
const table = lazy(() => {
  const phrasesByConcept = z
    .record(z.string().regex(/^(?:not )?[a-z0-9-]+\.[a-z0-9]+$/i), z.string())
    .describe('phrases by stems (`~` is up to three words); `not …` are phrases for the opposite');
  const kinds = { things: phrasesByConcept, faults: phrasesByConcept, practices: phrasesByConcept };
  return loadTable('src/rules/text/concepts.json', z.strictObject(kinds), data);
});

const index = lazy(() =>
  phraseIndex(
    Object.values(table()).flatMap((concepts) =>
      Object.entries(concepts).flatMap(([key, phrases]) => {
        const meaning: Meaning = { concept: key.replace(/^not /, ''), sign: key.startsWith('not ') ? -1 : 1 };
        return phrases.split(', ').map((phrase) => [phrase, meaning] as const);
      }),
    ),
  ),
);

/** Whether a concept names a thing rather than a practice: its absence says nothing about its treatment. */
export const isThing = (concept: string): boolean => Object.hasOwn(table().things, concept);

export const isFault = (concept: string): boolean => Object.hasOwn(table().faults, concept);

/** The concepts of a sentence, from the left, the longest phrase first; `from` and `to` are character offsets. */
export const mentionsOf = (words: readonly Word[]) =>
  findPhrases(index(), words).map(({ values, from, to }) => ({
    meanings: values,
    from: words[from]?.start ?? 0,
    to: words[to - 1]?.end ?? 0,
  }));
