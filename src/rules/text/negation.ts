import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './negation.json' with { type: 'json' };
import { findPhrases, phraseIndex, type PhraseHit } from './phrases.ts';
import { readWords, type Word } from './words.ts';

/**
 * How a cue bears on the words in its scope: `not` denies them, `avoid` denies them up to the means (`by`, `with`),
 * `remove` takes a thing away, `swap` puts another in its place, `skip` leaves a practice undone, `later` postpones it,
 * `mend` repairs a fault.
 */
const KINDS = ['not', 'avoid', 'remove', 'swap', 'skip', 'mend', 'later', 'none'] as const;
type CueKind = (typeof KINDS)[number];

const SIDES = ['right', 'left', 'both', 'none'] as const;

/** A cue, and on which side of it its scope is; a cue of the kind `none` only looks like one. */
interface Cue {
  readonly kind: CueKind;
  readonly side: (typeof SIDES)[number];
}

/** A stretch of text that a cue bears on, by character offsets, and where the cue itself is. */
export interface NegationScope {
  readonly kind: CueKind;
  readonly cue: string;
  readonly from: number;
  readonly to: number;
  readonly cueFrom: number;
  readonly cueTo: number;
}

const english = lazy(() => {
  const words = z.string().transform((listed): ReadonlySet<string> => new Set(listed.split(' ')));
  const schema = z.strictObject({
    cues: z.record(z.templateLiteral([z.enum(KINDS), ' ', z.enum(SIDES)]), z.string()),
    stops: words.describe('words at which every scope ends'),
    clause_starts: words.describe('words that begin a subordinate clause: a scope to the left reaches no further'),
    object_ends: words.describe('prepositions that end the object of a verb'),
    means: words.describe('words that name the means by which something is avoided'),
    be: words.describe('verbs after which a participle speaks of the words before it'),
    hedges: words.describe('words that show that a sentence is a thought or a report, or about what has had its day'),
    qualifiers: words.describe('words that narrow a ban: a plan without them may be no violation'),
    guards: words.describe('verbs of a guard: a sentence about one does not plan what the guard finds'),
  });
  return loadTable('src/rules/text/negation.json', schema, data);
});

const cues = lazy((): readonly (readonly [phrase: string, cue: Cue])[] =>
  Object.entries(english().cues).flatMap(([key, phrases]) => {
    const [kind, side] = key.split(' ') as [CueKind, Cue['side']];
    return phrases.split(', ').map((phrase) => [phrase, { kind, side }] as const);
  }),
);

export const isHedge = (text: string): boolean => english().hedges.has(text);
export const isQualifier = (text: string): boolean => english().qualifiers.has(text);
export const isGuardVerb = (text: string): boolean => english().guards.has(text);

export function scopesOf(sentence: string, words: readonly Word[] = readWords(sentence)): readonly NegationScope[] {
  const hits = cuesIn(words);
  const scopes = hits.flatMap((hit) => {
    const cue = hit.values[0];
    if (cue === undefined || cue.side === 'none') return [];
    const side = sideOf(cue, hit, words);
    const from = side === 'right' ? hit.to : leftEnd(words, hit.from);
    const to = side === 'left' ? hit.from : rightEnd(words, hit.to, cue.kind);
    return scopeOf(words, hit, cue.kind, from, to) ?? [];
  });
  return [...scopes, ...scopes.flatMap((scope) => deniedLeft(scope, scopes))];
}

/** `tests must never be deleted`: what denies a cue denies its scope too, where that is on its left. */
const deniedLeft = (scope: NegationScope, all: readonly NegationScope[]): readonly NegationScope[] =>
  scope.to > scope.cueFrom
    ? []
    : all
        .filter(({ kind, from, to }) => kind === 'not' && from <= scope.cueFrom && to >= scope.cueTo)
        .map((denial) => ({ ...denial, from: scope.from, to: scope.to }));

/** Whether the text at an offset of a sentence is denied or left out, not merely removed. */
export function isNegated(sentence: string, from: number): boolean {
  return scopesOf(sentence).some(
    (scope) => ['not', 'avoid', 'skip'].includes(scope.kind) && scope.from <= from && scope.to > from,
  );
}

const isExact = ({ side }: Cue): boolean => side === 'left';
const stemmed = lazy(() => phraseIndex(cues().filter(([, cue]) => !isExact(cue))));
/** Cues of which only this very form counts: `X is not used`, but not `do not use X`. */
const exactCues = lazy(() =>
  phraseIndex(
    cues().filter(([, cue]) => isExact(cue)),
    ({ text }) => text,
  ),
);

function cuesIn(words: readonly Word[]): readonly PhraseHit<Cue>[] {
  const byText = words.map((word) => ({ ...word, stem: word.text }));
  const exact = findPhrases(exactCues(), byText).filter(({ from, to }) => to - from > 1 || endsHere(words, to));
  const others = findPhrases(stemmed(), words).filter((one) =>
    exact.every(({ from, to }) => one.to <= from || one.from >= to),
  );
  return [...exact, ...others].toSorted((one, other) => one.from - other.from);
}

function scopeOf(
  words: readonly Word[],
  hit: PhraseHit<Cue>,
  kind: CueKind,
  from: number,
  to: number,
): NegationScope | undefined {
  const [first, last] = [words[from], words[to - 1]];
  if (first === undefined || last === undefined || to <= from) return undefined;
  const [cueFirst, cueLast] = [words[hit.from], words[hit.to - 1]];
  const cue = words.slice(hit.from, hit.to).map(({ text }) => text);
  return {
    kind,
    cue: cue.join(' '),
    from: first.start,
    to: last.end,
    cueFrom: cueFirst?.start ?? 0,
    cueTo: cueLast?.end ?? 0,
  };
}

/** A participle after a form of `be` speaks of the words before it. */
function sideOf(cue: Cue, hit: PhraseHit<Cue>, words: readonly Word[]): Cue['side'] {
  if (cue.side !== 'right') return cue.side;
  const word = words[hit.from];
  if (cue.kind === 'not' || word === undefined || word.text === word.stem || !/(?:ed|en|t)$/.test(word.text))
    return 'right';
  return words.slice(Math.max(0, hit.from - 3), hit.from).some(({ text }) => english().be.has(text)) ? 'left' : 'right';
}

/** Whether a clause ends before a word, or goes on with a preposition only. */
function endsHere(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return (
    word === undefined || endsClause(word) || english().stops.has(word.text) || english().object_ends.has(word.text)
  );
}

const HARD = /[;!?()\n]|[.:]\s|—|–| - /u;
const endsClause = ({ gap }: Word): boolean => HARD.test(gap) || gap.includes(',');

function rightEnd(words: readonly Word[], from: number, kind: CueKind): number {
  const isDenial = kind === 'not' || kind === 'avoid';
  for (let at = from; at < words.length; at += 1) {
    const { text, gap } = words[at]!;
    if (HARD.test(gap)) return at;
    if (at === from) continue;
    if ((gap.includes(',') && !isDenial) || english().stops.has(text)) return at;
    if (kind === 'avoid' && english().means.has(text)) return at;
    if (!isDenial && kind !== 'later' && english().object_ends.has(text)) return at;
  }
  return words.length;
}

function leftEnd(words: readonly Word[], before: number): number {
  let from = before;
  for (; from > 0; from -= 1) {
    const [word, previous] = [words[from], words[from - 1]?.text ?? ''];
    if (
      (word !== undefined && endsClause(word)) ||
      english().stops.has(previous) ||
      english().clause_starts.has(previous)
    )
      break;
  }
  return from;
}
