import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './clauses.json' with { type: 'json' };
import { stemOf, type Word } from './words.ts';

const words = z.string().transform((listed): ReadonlySet<string> => new Set(listed.split(' ')));

export const CLAUSE_WORDS = lazy(() =>
  loadTable(
    'src/rules/text/clauses.json',
    z.strictObject({
      acts: words.describe('verbs that do a thing to their object, in the form of the imperative'),
      harms: words.describe('verbs that count as acts only inside a phrase for a fault (`rewrite main`)'),
      leaves: words.describe('verbs that leave their object undone, in the form of the imperative'),
      ships: words.describe('verbs whose object is then delivered `without` something'),
      open_to_all: words.describe('adjectives of a thing that everyone can reach'),
      planners: words.describe('subjects whose act is the plan'),
      modals: words.describe('words between such a subject and its verb'),
      openers: words.describe('words before an imperative'),
      approvals: words.describe('words that approve of an act'),
      parts: words.describe('parts of a program that may be the subject of an act'),
      subordinators: words.describe('words that begin a clause that is not itself the plan'),
      away: words.describe('prepositions whose noun is not the object of the act'),
      denials: words.describe('words that deny the clause they are in'),
      tools: words.describe('nouns for what finds or describes a fault'),
      neutral: words.describe('words that may follow an object without changing what it is'),
      doubts: words.describe('words in a clause that does not plainly affirm'),
      kept: words.describe('stems and words that may follow a form of `be` in a clause that affirms'),
    }),
    data,
  ),
);

const stemsOf = (list: ReadonlySet<string>): ReadonlySet<string> => new Set([...list].map(stemOf));
const stems = lazy(() => ({
  acts: stemsOf(CLAUSE_WORDS().acts),
  harms: stemsOf(CLAUSE_WORDS().harms),
  leaves: stemsOf(CLAUSE_WORDS().leaves),
  ships: stemsOf(CLAUSE_WORDS().ships),
  kept: stemsOf(CLAUSE_WORDS().kept),
}));

/** Whether a word is some form of one that is listed. */
export const isFormOf = (word: Word | undefined, list: 'acts' | 'harms' | 'leaves' | 'ships' | 'kept'): boolean =>
  word !== undefined && stems()[list].has(word.stem);

/** A stretch of words, `to` excluded. */
export interface Clause {
  readonly from: number;
  readonly to: number;
}

const HARD = /[,;:!?()\n]|\.\s|—|–| - /u;
const JOINING = new Set(['and', 'but', 'so', 'then', 'because', 'since', 'although', 'though', 'while', 'or']);

/** The clause of the word at an index: up to punctuation, or a joining word with a verb or a subject behind it. */
export function clauseAt(all: readonly Word[], at: number): Clause {
  let from = at;
  while (from > 0 && !isBoundary(all, from)) from -= 1;
  let to = at + 1;
  while (to < all.length && !isBoundary(all, to)) to += 1;
  return { from, to };
}

function isBoundary(all: readonly Word[], at: number): boolean {
  const [word, next] = [all[at], all[at + 1]?.text ?? ''];
  if (word === undefined || HARD.test(word.gap)) return true;
  if (/^(?:because|since|although|though|but|so)$/.test(word.text)) return true;
  return JOINING.has(word.text) && (isVerb(next) || CLAUSE_WORDS().planners.has(next) || next === 'then');
}

const isVerb = (text: string): boolean =>
  CLAUSE_WORDS().acts.has(text) || CLAUSE_WORDS().leaves.has(text) || CLAUSE_WORDS().harms.has(text);
