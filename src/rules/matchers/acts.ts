import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import type { NegationScope } from '../text/negation.ts';
import type { PlanSentence, Unit } from '../text/units.ts';
import { isStopWord, readWords, stemOf, type Word } from '../text/words.ts';
import data from './clauses.json' with { type: 'json' };

/**
 * How a sentence does what one of its phrases names: it `plans` it, or it `states` that it is so, which may be the problem
 * that the rest of the plan solves.
 */
export type ClauseAct = 'plans' | 'states';

/** The act of a clause on a phrase: an imperative, `we …`, a part of the program, or a passive, and no word of denial. */
export function actOn(unit: Unit, others: readonly Unit[], { words }: PlanSentence): ClauseAct | undefined {
  const [from, to] = spanOf(words, unit);
  const clause = clauseAt(words, from);
  const isDenied = range(clause.from, clause.to).some(
    (at) => (at < from || at >= to) && CLAUSES().denials.has(text(words, at)),
  );
  const spans = others.map((one) => spanOf(words, one));
  if (isDenied || spans.some(([at]) => at < clause.from || at >= clause.to)) return undefined;
  for (let at = from; at >= clause.from; at -= 1)
    if (CLAUSES().acts.has(words[at]!.stem) && reaches(words, at + 1, from) && isLead(words, at, clause, spans))
      return actOfVerb(words, at);
  return undefined;
}

/** The act of a clause that leaves out, takes away or does without what a cue bears on. */
export function actOfCue(
  { kind, cue, cueFrom, cueTo }: NegationScope,
  unit: Unit,
  others: readonly Unit[],
  { words }: PlanSentence,
): ClauseAct | undefined {
  const cueAt = words.findIndex(({ start, end }) => start <= cueFrom && end > cueFrom);
  const cueEnd = words.findIndex(({ end }) => end >= cueTo) + 1;
  const [from, to] = spanOf(words, unit);
  const clause = clauseAt(words, cueAt);
  const spans = others.map((one) => spanOf(words, one));
  if (from < clause.from || from >= clause.to) return undefined;
  if (from < cueAt) {
    if (kind === 'later') return 'plans';
    const isPredicate = range(to, cueAt).some((at) => BE.has(text(words, at)));
    return isPredicate && isLead(words, from, clause, spans) ? 'states' : undefined;
  }
  // `delete the fixtures the tests need`: the second article begins another object.
  const articles = range(cueEnd, from).filter((at) => isArticle(text(words, at)));
  if (!reaches(words, cueEnd, from) || articles.length > 1) return undefined;
  if (kind !== 'not')
    return CLAUSES().leaves.has(words[cueAt]!.stem) && isLead(words, cueAt, clause, spans)
      ? actOfVerb(words, cueAt)
      : undefined;
  if (!/^(?:not|never|no|without)\b/.test(cue)) return undefined;
  if (cue === 'without' && CLAUSES().open_to_all.has(text(words, cueAt - 1))) return 'plans';
  const verb = range(clause.from, cueAt).find((at) => CLAUSES().acts.has(words[at]!.stem)) ?? cueAt;
  return isLead(words, verb, clause, spans) ? actOfVerb(words, verb) : undefined;
}

/** Whether a word is a verb of a plan, in the form of the imperative. */
export const isActVerb = ({ text: word, stem }: Word): boolean =>
  (CLAUSES().acts.has(stem) || CLAUSES().leaves.has(stem)) && !/(?:s|ed|ing)$/.test(word);

/** `bypass` and `embed` are imperatives too. */
const BASE_FORMS = lazy((): ReadonlySet<string> => new Set(`${data.acts} ${data.leaves}`.split(' ')));

/** Whether a clause neither denies nor doubts a phrase of it. */
export function isAffirmed(unit: Unit, { text: sentence, words }: PlanSentence): boolean {
  const [from, to] = spanOf(words, unit);
  const clause = clauseAt(words, from);
  const { doubts, undoes, leaves } = CLAUSES();
  const isDoubted = range(clause.from, clause.to).some(
    (at) => ((at < from || at >= to) && doubts.has(text(words, at))) || (at < from && undoes.has(words[at]!.stem)),
  );
  return !isDoubted && !sentence.endsWith('?') && !leaves.has(words[to]?.stem ?? '');
}

const actOfVerb = (words: readonly Word[], at: number): ClauseAct =>
  !BASE_FORMS().has(text(words, at)) && /(?:s|ed)$/.test(text(words, at)) ? 'states' : 'plans';

/** Whether nothing but a subject that plans, or a part of the program, comes before a word of its clause. */
function isLead(words: readonly Word[], at: number, { from }: Clause, spans: readonly Span[]): boolean {
  const { leads, planners, subordinators } = CLAUSES();
  const before = range(from, at);
  if (before.some((one) => subordinators.has(text(words, one)))) return false;
  if (BE.has(text(words, at - 1)) && before.length <= 4) return true;
  const planner = before.findLastIndex((one) => planners.has(text(words, one)));
  return before
    .slice(planner + 1)
    .every(
      (one) =>
        leads.has(text(words, one)) ||
        BE.has(text(words, one)) ||
        text(words, one).endsWith('ly') ||
        spans.some(([start, end]) => one >= start && one < end),
    );
}

const BE = new Set(['is', 'are', 'be', 'was', 'were', 'stay', 'stays', 'remain', 'remains', 'left']);

/** Whether a verb or cue before a stretch of words still bears on what follows it: no other object is in between. */
const reaches = (words: readonly Word[], from: number, to: number): boolean =>
  range(from, to).every((at) => {
    const { text: word, stem } = words[at]!;
    const isGerund = word.endsWith('ing') && stem !== word && !/^(?:including|using)$/.test(word);
    return !isGerund && !CLAUSES().away.has(word) && !CLAUSES().subordinators.has(word);
  });

const isArticle = (word: string): boolean => /^(?:the|a|an|our|its|their|any|all)$/.test(word);

type Span = readonly [from: number, to: number];

const text = (words: readonly Word[], at: number): string => words[at]?.text ?? '';
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

function spanOf(words: readonly Word[], { from, to }: Unit): Span {
  const first = words.findIndex(({ start, end }) => start <= from && end > from);
  const after = words.findIndex(({ start }, at) => at > first && start >= to);
  return [first, after === -1 ? words.length : after];
}

/** A stretch of words, `to` excluded. */
interface Clause {
  readonly from: number;
  readonly to: number;
}

/** The clause of a word: up to punctuation, or a joining word with a verb or a subject behind it. */
function clauseAt(words: readonly Word[], at: number): Clause {
  const isBoundary = (one: number): boolean => {
    const [{ text: word, gap }, next] = [words[one]!, words[one + 1]];
    if (/[,;:!?()\n]|\.\s|—|–| - /u.test(gap) || /^(?:because|since|although|though|but|so)$/.test(word)) return true;
    const begins = next !== undefined && (isActVerb(next) || CLAUSES().planners.has(next.text) || next.text === 'then');
    return begins && /^(?:and|then|while|or)$/.test(word);
  };
  const end = range(at + 1, words.length).find(isBoundary);
  return { from: range(1, at + 1).findLast(isBoundary) ?? 0, to: end ?? words.length };
}

/**
 * Whether one act of a sentence bears on all that it names of a statement: no joining word parts them or what is related
 * to them, no clause begins in between, a forbidden thing is no mere attribute (`a shell completion script`), and the verb
 * is that of the ban, or one of its kind.
 */
export function isOneAct(
  { text: rule, forbids }: { readonly text: string; readonly forbids: boolean },
  units: readonly Unit[],
  related: readonly Unit[],
  { words }: PlanSentence,
): boolean {
  const { acts, leaves, subordinators, away, adverbs } = CLAUSES();
  const spans = units.map((unit) => spanOf(words, unit));
  const [first, last] = [Math.min(...spans.map(([at]) => at)), Math.max(...spans.map(([at]) => at))];
  const verb = range(0, first + 1).findLast((at) => acts.has(words[at]!.stem));
  const beginsAct = (at: number): boolean =>
    JOINS.test(text(words, at)) &&
    (/^(?:it|them)$/.test(text(words, at + 2)) ||
      (acts.has(words[at + 1]?.stem ?? '') && isArticle(text(words, at + 2))));
  if (range(verb ?? first, last).some((at) => subordinators.has(text(words, at)) || beginsAct(at))) return false;
  const isIn = (at: number, all: readonly Span[]): boolean => all.some(([from, to]) => at >= from && at < to);
  const others = related.map((unit) => spanOf(words, unit));
  // A verb before all of them is theirs; one behind a joining word (`copy the file and edit the copy`) is of its own.
  const isThing = ([at, end]: Span): boolean => at !== verb || end > at + 1 || others.some(([one]) => one < at);
  const things = spans.filter(isThing);
  const all = [...things, ...others.filter(isThing)];
  const between = range(Math.min(...all.map(([, end]) => end)), Math.max(...all.map(([at]) => at)));
  if (between.some((at) => JOINS.test(text(words, at)) && !isIn(at, all))) return false;
  const isHead = ([at, end]: Span): boolean => {
    const [{ stem }, next] = [words[end - 1]!, words[end]];
    const isVerb = (acts.has(stem) || leaves.has(stem)) && !isArticle(text(words, at - 1));
    if (next === undefined || isIn(end, spans) || /[^\s'’]/u.test(next.gap) || isVerb) return true;
    const isOther = [away, subordinators, adverbs].some((one) => one.has(next.text)) || /(?:ly|ed)$/.test(next.text);
    return isOther || isStopWord(next.text);
  };
  if (forbids && !things.every(isHead)) return false;
  if (verb === undefined) return true;
  if (isIn(verb, spans)) return text(words, verb + 1) !== 'only';
  // `Ensure the API key "…" is committed` commits it: the verb behind the thing is the act.
  const end = Math.max(...spans.map(([, to]) => to));
  const passive = range(end, end + 2).find((at) => BE.has(text(words, at)) && acts.has(words[at + 1]?.stem ?? ''));
  return isOfBan(words[passive === undefined ? verb : passive + 1]!.stem, rule);
}

const JOINS = /^(?:and|or|then|while|plus|but)$/;

/** Whether a verb does what a ban names; of a ban of things or their use, any that does not only handle them. */
function isOfBan(verb: string, rule: string): boolean {
  const { acts, leaves, kinds, handles } = CLAUSES();
  const words = readWords(rule);
  const cue = words.findIndex(({ text: word }) => /^(?:not|never|no|avoid|without)$/.test(word));
  const { stem = '', text: word = '' } = words.slice(cue + 1).find((one) => !/^(?:ever|be)$/.test(one.text)) ?? {};
  const isAny = /^(?:use|do|have|make|allow|permit)$/.test(word) || !(acts.has(stem) || leaves.has(stem));
  if (isAny) return !handles.has(verb);
  return verb === stem || kinds.some((kind) => kind.has(verb) && kind.has(stem));
}

const CLAUSES = lazy(() => {
  const words = z.string().transform((listed): ReadonlySet<string> => new Set(listed.split(' ')));
  const stems = z.string().transform((listed): ReadonlySet<string> => new Set(listed.split(' ').map(stemOf)));
  const schema = z.strictObject({
    acts: stems.describe('verbs that do a thing to their object'),
    leaves: stems.describe('verbs that leave their object undone'),
    open_to_all: words.describe('adjectives of a thing that everyone can reach'),
    planners: words.describe('subjects whose act is the plan'),
    leads: words.describe('words before the verb of a plan, and parts of a program that may be its subject'),
    subordinators: words.describe('words that begin a clause that is not itself the plan'),
    away: words.describe('prepositions whose noun is not the object of the act'),
    denials: words.describe('words that deny the clause they are in'),
    undoes: stems.describe('verbs that weaken their object'),
    doubts: words.describe('words in a clause that does not plainly affirm'),
    adverbs: words.describe('adverbs and times of day behind a thing: it is no attribute of them'),
    handles: stems.describe('verbs that look at, speak of or move what is there already'),
    kinds: z.array(stems).describe('verbs that do the same where a ban names one of them'),
  });
  return loadTable('src/rules/matchers/clauses.json', schema, data);
});
