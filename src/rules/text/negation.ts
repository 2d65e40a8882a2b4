import {
  ADVERBS,
  BE,
  CLAUSE_STARTS,
  ENGLISH_CUES,
  FINITE,
  MEANS,
  OBJECT_ENDS,
  STEP_VERBS,
  STOPS,
} from './negation-cues.ts';
import type { Cue, CueKind, Scope } from './negation-cues.ts';
import { chineseScopes, koreanScopes } from './negation-asian.ts';
import { findPhrases, phraseIndex } from './phrases.ts';
import type { PhraseHit } from './phrases.ts';
import type { Word } from './words.ts';
import { readWords } from './words.ts';

/** Everything that is denied in one sentence, in English, Korean and Chinese. */
export function scopesOf(sentence: string, words: readonly Word[] = readWords(sentence)): readonly Scope[] {
  const scopes = englishScopes(words);
  if (/[가-힣]/u.test(sentence)) scopes.push(...koreanScopes(sentence));
  if (/\p{Script=Han}/u.test(sentence)) scopes.push(...chineseScopes(sentence));
  return scopes;
}

/** Whether what stands at an offset of a sentence is said not to be: denied or ruled out, not merely removed. */
export function isNegated(sentence: string, from: number): boolean {
  return scopesOf(sentence).some(
    (scope) =>
      (scope.kind === 'not' || scope.kind === 'avoid' || scope.kind === 'skip') &&
      scope.from <= from &&
      scope.to > from,
  );
}

const isExact = ({ side }: Cue): boolean => side === 'left' || side === 'none';
const CUES = phraseIndex(ENGLISH_CUES.filter(([, cue]) => !isExact(cue)));
/** Cues of which only this very form is one: `X is not used`, but not `do not use X`. */
const EXACT_CUES = phraseIndex(
  ENGLISH_CUES.filter(([, cue]) => isExact(cue)),
  ({ text }) => text,
);

function cuesIn(words: readonly Word[]): readonly PhraseHit<Cue>[] {
  const exact = findPhrases(
    EXACT_CUES,
    words.map((word) => ({ ...word, stem: word.text })),
  );
  const parted = words.flatMap((_, at) => partedCue(words, at) ?? []);
  const others = findPhrases(CUES, words).filter((one) =>
    exact.every(({ from, to }) => one.to <= from || one.from >= to),
  );
  return [...exact, ...parted, ...others].toSorted((one, other) => one.from - other.from);
}

/** `leave the labels out`, `turn the check off`: a verb whose second half ends the clause. */
function partedCue(words: readonly Word[], at: number): PhraseHit<Cue> | undefined {
  if (!/^(?:out|off)$/.test(words[at]?.text ?? '') || !isAtEnd(words, at + 1)) return undefined;
  const from = leftEnd(words, at);
  const verb = words.slice(from, at - 1).some(({ text }) => PARTED_VERBS.test(text));
  return verb ? { values: [{ kind: 'skip', side: 'left' }], from: at, to: at + 1 } : undefined;
}

const PARTED_VERBS = /^(?:leav|left|turn|switch|shut|cut|tak|filter)(?:e|es|ing|ed|ned|s)?$/;

function englishScopes(words: readonly Word[]): Scope[] {
  const hits = cuesIn(words);
  return hits.flatMap((hit, at) => {
    const cue = hit.values[0];
    if (cue === undefined || cue.side === 'none') return [];
    const side = sideOf(cue, hit, words);
    const from = side === 'right' || side === 'next' ? hit.to : leftEnd(words, hit.from);
    const right = side === 'next' ? hit.to + 1 : rightEnd(words, hit, cue.kind, hits[at + 1]);
    const scope = scopeOf(words, hit, cue.kind, from, side === 'left' ? hit.from : right);
    const subject = side === 'right' && cue.kind === 'not' ? subjectOf(words, hit) : undefined;
    return [scope, subject].filter((one) => one !== undefined);
  });
}

function scopeOf(
  words: readonly Word[],
  hit: PhraseHit<Cue>,
  kind: CueKind,
  from: number,
  to: number,
): Scope | undefined {
  const [first, last] = [words[from], words[to - 1]];
  if (first === undefined || last === undefined || to <= from) return undefined;
  const cue = words.slice(hit.from, hit.to);
  const said = cue.map(({ text }) => text).join(' ');
  return { kind, cue: said, from: first.start, to: last.end, cueFrom: cue[0]?.start ?? 0, cueTo: cue.at(-1)?.end ?? 0 };
}

/** Of whom `not` and `never` speak: `tokens` in `tokens never reach the log`; nobody in an order. */
function subjectOf(words: readonly Word[], hit: PhraseHit<Cue>): Scope | undefined {
  if (!/^(?:not|never)$/.test(words[hit.from]?.text ?? '')) return undefined;
  const from = leftEnd(words, hit.from);
  const before = words.slice(from, hit.from).map(({ text }) => text);
  if (before.length === 0 || STEP_VERBS.has(before[0] ?? '') || before.includes('and')) return undefined;
  return scopeOf(words, hit, 'subject', from, hit.from);
}

/** A participle after a form of `be`, or one that nothing follows, speaks of what stands before it. */
function sideOf(cue: Cue, hit: PhraseHit<Cue>, words: readonly Word[]): Cue['side'] {
  if (cue.side !== 'right') return cue.side;
  const word = words[hit.from];
  if (word === undefined) return 'right';
  if (cue.kind === 'not') return word.text === 'not' && isAtEnd(words, hit.to) ? 'left' : 'right';
  if (!/(?:ed|en|t|pt)$/.test(word.text) || word.text === word.stem) return 'right';
  let before = hit.from - 1;
  while (before >= 0 && ADVERBS.has(words[before]?.text ?? '') && !endsClause(words, before + 1)) before -= 1;
  if (before >= 0 && !endsClause(words, before + 1) && BE.has(words[before]?.text ?? '')) return 'left';
  return before >= 0 && !endsClause(words, hit.from) && isBare(words, hit.to) ? 'left' : 'right';
}

const isAtEnd = (words: readonly Word[], at: number): boolean =>
  at >= words.length || endsClause(words, at) || STOPS.has(words[at]?.text ?? '');

/** Whether a clause ends here, or goes on with a preposition only. */
const isBare = (words: readonly Word[], at: number): boolean =>
  isAtEnd(words, at) || OBJECT_ENDS.has(words[at]?.text ?? '');

const HARD = /[.;:!?()\n]|—|–| - |[。；：！？]/u;

const endsClause = (words: readonly Word[], at: number): boolean => {
  const gap = words[at]?.gap ?? '.';
  return (HARD.test(gap) && !/^[:.]$/.test(gap)) || gap.includes(',');
};

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
    if (!isFirst && HARD.test(word.gap) && !/^[:.]$/.test(word.gap)) return at;
    if (isFirst && /[.;!?\n]/.test(word.gap)) return at;
    if (word.gap.includes(',') && (startsClause(words, at) || (kind !== 'not' && leavesGerunds(words, hit.to, at))))
      return at;
    if (word.text === 'and' && startsClause(words, at + 1)) return at;
    if (!isFirst && STOPS.has(word.text)) return at;
    if (!isFirst && next?.from === at && isParallel(next, words)) return at;
    if (kind === 'avoid' && !isFirst && MEANS.has(word.text)) return at;
    const isObject = kind === 'remove' || kind === 'skip' || kind === 'mend';
    if (isObject && !isFirst && OBJECT_ENDS.has(word.text) && words[at - 1]?.text !== 'support') return at;
  }
  return words.length;
}

/** `no X, no Y`, `neither X nor Y`, `delete or skip X`: the second cue takes over from the first. */
function isParallel(next: PhraseHit<Cue>, words: readonly Word[]): boolean {
  const [cue] = next.values;
  const word = words[next.from];
  if (cue === undefined || word === undefined || cue.side !== 'right') return false;
  return (
    /^(?:no|nor|neither)$/.test(word.text) ||
    word.gap.includes(',') ||
    /^(?:and|or)$/.test(words[next.from - 1]?.text ?? '')
  );
}

/** `stop accepting work, drain connections`: what follows is no longer in the form that the cue governs. */
const leavesGerunds = (words: readonly Word[], first: number, at: number): boolean =>
  /.ing$/.test(words[first]?.text ?? '') &&
  !/.ing$/.test(words[at]?.text ?? '') &&
  !/^(?:or|and|nor)$/.test(words[at]?.text ?? '');

/** Whether a new clause starts here rather than the next item of a list. */
function startsClause(words: readonly Word[], at: number): boolean {
  const isListed = /^(?:or|nor|and)$/.test(words[at]?.text ?? '');
  if (STEP_VERBS.has(words[isListed ? at + 1 : at]?.text ?? '')) return true;
  let to = at + 1;
  while (!isAtEnd(words, to)) to += 1;
  const item = words.slice(at, to).findIndex(({ text }) => OBJECT_ENDS.has(text) || text === 'or' || text === 'and');
  return item > 6 || (item === -1 && to - at > 7) || words.slice(at, to).some(({ text }) => FINITE.has(text));
}

const startsLeft = (text: string): boolean => STOPS.has(text) || CLAUSE_STARTS.has(text);

function leftEnd(words: readonly Word[], before: number): number {
  let from = before;
  while (from > 0 && !endsClause(words, from) && !startsLeft(words[from - 1]?.text ?? '')) from -= 1;
  return from;
}
