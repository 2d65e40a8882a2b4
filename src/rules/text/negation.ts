import {
  BE,
  CLAUSE_STARTS,
  CUES,
  FINITE,
  MEANS,
  OBJECT_ENDS,
  STEP_VERBS,
  STOPS,
  type Cue,
  type CueKind,
  type NegationScope,
} from './negation-cues.ts';
import { findPhrases, phraseIndex, type PhraseHit } from './phrases.ts';
import { readWords, type Word } from './words.ts';

/** The negations of one English sentence. */
export function scopesOf(sentence: string, words: readonly Word[] = readWords(sentence)): readonly NegationScope[] {
  const hits = cuesIn(words);
  const scopes = hits.flatMap((hit, at) => {
    const cue = hit.values[0];
    if (cue === undefined || cue.side === 'none') return [];
    // `turn the check off`, but `turn off the check`.
    if (cue.side === 'inside' && hit.to - hit.from > 2)
      return scopeOf(words, hit, cue.kind, hit.from + 1, hit.to - 1) ?? [];
    const side = sideOf(cue, hit, words);
    const from = side === 'right' ? hit.to : leftEnd(words, hit.from);
    const to = side === 'left' ? hit.from : rightEnd(words, hit, cue.kind, hits[at + 1]);
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
const STEMMED = phraseIndex(CUES.filter(([, cue]) => !isExact(cue)));
/** Cues of which only this very form counts: `X is not used`, but not `do not use X`. */
const EXACT = phraseIndex(
  CUES.filter(([, cue]) => isExact(cue)),
  ({ text }) => text,
);

function cuesIn(words: readonly Word[]): readonly PhraseHit<Cue>[] {
  const byText = words.map((word) => ({ ...word, stem: word.text }));
  const exact = findPhrases(EXACT, byText).filter(({ from, to }) => to - from > 1 || endsHere(words, to));
  const others = findPhrases(STEMMED, words).filter((one) =>
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

/** A participle after a form of `be`, or `not` at the end of a clause, speaks of the words before it. */
function sideOf(cue: Cue, hit: PhraseHit<Cue>, words: readonly Word[]): Cue['side'] {
  if (cue.side === 'inside') return 'right';
  if (cue.side !== 'right') return cue.side;
  const word = words[hit.from];
  if (word?.text === 'not' && endsHere(words, hit.to)) return 'left';
  if (cue.kind === 'not' || word === undefined || word.text === word.stem || !/(?:ed|en|t)$/.test(word.text))
    return 'right';
  return words.slice(Math.max(0, hit.from - 3), hit.from).some(({ text }) => BE.has(text)) ? 'left' : 'right';
}

/** Whether a clause ends before a word, or goes on with a preposition only. */
const endsHere = (words: readonly Word[], at: number): boolean => {
  const word = words[at];
  return word === undefined || endsClause(word) || STOPS.has(word.text) || OBJECT_ENDS.has(word.text);
};

const HARD = /[;!?()\n]|[.:]\s|—|–| - /u;
const endsClause = ({ gap }: Word): boolean => HARD.test(gap) || gap.includes(',');

function rightEnd(
  words: readonly Word[],
  hit: PhraseHit<Cue>,
  kind: CueKind,
  next: PhraseHit<Cue> | undefined,
): number {
  for (let at = hit.to; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const isFirst = at === hit.to;
    if (HARD.test(word.gap)) return at;
    if (word.gap.includes(',') && (isClauseStart(words, at) || (kind !== 'not' && kind !== 'avoid' && !isFirst)))
      return at;
    if (isFirst) continue;
    if (word.text === 'and' && isClauseStart(words, at + 1)) return at;
    if (STOPS.has(word.text)) return at;
    if (next?.from === at && isParallel(next, words)) return at;
    if (next?.from === at && kind !== 'not' && kind !== 'avoid' && next.values[0]?.kind === 'not') return at;
    if (kind === 'avoid' && MEANS.has(word.text)) return at;
    if (kind !== 'avoid' && kind !== 'not' && kind !== 'later' && OBJECT_ENDS.has(word.text)) return at;
  }
  return words.length;
}

/** `no X, no Y`, `neither X nor Y`, `delete or skip X`: the second cue takes over from the first. */
function isParallel(next: PhraseHit<Cue>, words: readonly Word[]): boolean {
  const word = words[next.from];
  if (word === undefined || next.values[0]?.side !== 'right') return false;
  return (
    /^(?:no|nor|neither)$/.test(word.text) ||
    word.gap.includes(',') ||
    /^(?:and|or)$/.test(words[next.from - 1]?.text ?? '')
  );
}

/** Whether a new clause begins at a word rather than the next item of a list. */
function isClauseStart(words: readonly Word[], at: number): boolean {
  const from = /^(?:or|nor|and)$/.test(words[at]?.text ?? '') ? at + 1 : at;
  if (STEP_VERBS.has(words[from]?.text ?? '')) return true;
  let to = from + 1;
  while (to < words.length && !endsClause(words[to]!) && !STOPS.has(words[to]!.text)) to += 1;
  return words.slice(from, to).some(({ text }) => FINITE.has(text));
}

function leftEnd(words: readonly Word[], before: number): number {
  let from = before;
  for (; from > 0; from -= 1) {
    const [word, previous] = [words[from], words[from - 1]?.text ?? ''];
    if ((word !== undefined && endsClause(word)) || STOPS.has(previous) || CLAUSE_STARTS.has(previous)) break;
  }
  return from;
}
