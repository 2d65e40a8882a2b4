import { computeMergeState, type MergeState } from '../../src/line/core/compute-merge-state.ts';

/** What may happen to a task beside andon's own steps. */
export const EVENTS = ['edit', 'STOP', 'kill', 'restart', 'restore', 'reset', 'foreign commit'] as const;
export type Event = (typeof EVENTS)[number];

/** andon's steps from the judged change to the record of its merge; a halt may fall before each, but for those of a landing. */
const STEPS = ['ask', 'note', 'pin', 'move', 'check', 'record'] as const;
type Step = (typeof STEPS)[number];

/** Everything that decides whether a task is merged once: the target, the receipts, the journal, the process, the folder. */
export interface Model {
  /** Commits of the target, oldest first; merges of the task begin with M. */
  readonly target: readonly string[];
  /** Commits that the target was moved away from. */
  readonly left: readonly string[];
  readonly pin: string | undefined;
  readonly journal: Journal;
  /** Where andon is; undefined while it does not run. */
  readonly at: Step | undefined;
  /** What it prepared: the merge, and the tip of the target on which it was built. Lost by a kill. */
  readonly prepared: { readonly merge: string; readonly on: string } | undefined;
  /** Something lies in the folder that halts the line. */
  readonly trouble: boolean;
  /** Merges that were ever made, and those that a human asked for a second time. */
  readonly made: number;
  readonly again: number;
}

interface Journal {
  readonly status: 'judged' | 'merged' | 'halted' | 'halted: taken back';
  readonly intent: string | undefined;
  readonly known: readonly string[];
}

/** The journal as a backup from before the merge has it. */
const BEFORE: Journal = { status: 'judged', intent: undefined, known: [] };

/** A judged change that is about to be merged. */
export const START: Model = {
  target: ['base', 'tip'],
  left: [],
  pin: undefined,
  journal: BEFORE,
  at: 'ask',
  prepared: undefined,
  trouble: false,
  made: 0,
  again: 0,
};

/** How andon goes about it; `asks` is what the model is checked without. */
export interface Manners {
  readonly asks: boolean;
  readonly waitsForLanding: boolean;
}

export const AS_BUILT: Manners = { asks: true, waitsForLanding: true };

const tipOf = ({ target }: Model): string => target.at(-1) ?? '';
const isMerge = (commit: string): boolean => commit.startsWith('M');
export const mergesIn = ({ target }: Model): readonly string[] => target.filter(isMerge);

/** The first question, answered by the same rule as in andon itself. */
function ask(model: Model): MergeState {
  const merge = (commit: string) => ({ commit, tip: commit, target: 'main' });
  const made = [...new Set([model.journal.intent, model.pin])].flatMap((one) =>
    one === undefined ? [] : [merge(one)],
  );
  const found = mergesIn(model).at(-1);
  return computeMergeState({
    made,
    held: new Set(model.target),
    found: found === undefined ? undefined : merge(found),
    left: new Set(model.left),
    known: model.journal.known,
  });
}

/** andon's next step; undefined when it rests, or does not run. */
export function step(model: Model, manners: Manners = AS_BUILT): Model | undefined {
  const { at, journal } = model;
  if (at === undefined || journal.status === 'merged') return undefined;
  const inLanding = manners.waitsForLanding && ['note', 'pin', 'move', 'check'].includes(at);
  if (journal.status !== 'judged') return noteMerged(model, manners);
  if (model.trouble && !inLanding) return halted(model, manners);
  switch (at) {
    case 'ask': {
      const standing = manners.asks ? ask(model) : askJournalAlone(model);
      if (standing.is === 'merged') return { ...model, journal: { ...journal, status: 'merged' } };
      if (standing.is === 'taken back')
        return { ...model, journal: { ...journal, status: 'halted: taken back', intent: standing.merge.commit } };
      return { ...model, at: 'note', prepared: { merge: `M${model.made}-${model.target.length}`, on: tipOf(model) } };
    }
    case 'note':
      return { ...model, at: 'pin', journal: { ...journal, intent: model.prepared?.merge } };
    case 'pin':
      return { ...model, at: 'move', pin: model.prepared?.merge };
    case 'move':
      return model.prepared?.on === tipOf(model)
        ? { ...model, at: 'check', target: [...model.target, model.prepared.merge], made: model.made + 1 }
        : { ...model, at: 'ask', prepared: undefined };
    case 'check': // a merge that was taken back in this very moment was not made, as far as andon can see
      return model.target.includes(model.prepared?.merge ?? '')
        ? { ...model, at: 'record' }
        : { ...model, at: 'ask', prepared: undefined };
    case 'record':
      return { ...model, journal: { ...journal, status: 'merged' } };
  }
}

/** As it was before: only what this very journal meant to do is looked for. */
function askJournalAlone({ target, journal }: Model): MergeState {
  const { intent } = journal;
  return intent !== undefined && target.includes(intent)
    ? { is: 'merged', merge: { commit: intent, tip: intent, target: 'main' } }
    : { is: 'open' };
}

function halted(model: Model, { asks }: Manners): Model {
  const isMerged = asks && ask(model).is === 'merged';
  return {
    ...model,
    at: 'ask',
    prepared: undefined,
    journal: { ...model.journal, status: isMerged ? 'merged' : 'halted' },
  };
}

/** A halted task whose merge the target holds has ended. */
function noteMerged(model: Model, { asks }: Manners): Model | undefined {
  if (!asks || ask(model).is !== 'merged') return undefined;
  return { ...model, journal: { ...model.journal, status: 'merged' } };
}

/** What an event makes of it; undefined where it cannot happen. */
export function happen(model: Model, event: Event): Model | undefined {
  switch (event) {
    case 'edit':
    case 'STOP':
      return model.trouble ? undefined : { ...model, trouble: true };
    case 'kill':
      return model.at === undefined ? undefined : { ...model, at: undefined, prepared: undefined };
    case 'restart':
      return model.at === undefined ? { ...model, at: 'ask' } : undefined;
    case 'restore':
      return model.at === undefined ? { ...model, journal: BEFORE } : undefined;
    case 'reset':
      return model.target.length < 2
        ? undefined
        : { ...model, target: model.target.slice(0, -1), left: [...model.left, tipOf(model)] };
    case 'foreign commit':
      return { ...model, target: [...model.target, `F${model.target.length}-${model.left.length}`] };
  }
}

/** A human takes path 1 of every halt, with the trouble out of the way. */
export function answer(model: Model): Model | undefined {
  const { journal } = model;
  if (journal.status === 'judged' || journal.status === 'merged') return undefined;
  const isAgain = journal.status === 'halted: taken back';
  const known = isAgain && journal.intent !== undefined ? [...journal.known, journal.intent] : journal.known;
  return {
    ...model,
    at: 'ask',
    trouble: false,
    journal: { ...journal, status: 'judged', known },
    again: model.again + (isAgain ? 1 : 0),
  };
}

/** Runs on until nothing moves any more, with every remedy that is printed taken: restarted, trouble gone, path 1. */
export function rest(model: Model, manners: Manners = AS_BUILT): Model {
  let now: Model = { ...model, trouble: false, at: model.at ?? 'ask' };
  for (let turn = 0; turn < 100; turn += 1) {
    const next = step(now, manners) ?? answer(now);
    if (next === undefined) return now;
    now = next;
  }
  throw new Error('the model does not come to rest');
}

/** What happens when the merge is pinned and the target is about to be moved, and when it has just been moved. */
export interface Schedule {
  readonly pinned: readonly Event[];
  readonly moved: readonly Event[];
}

/** How it came out: merges that the target holds, merges that were ever made, and those a human asked for again. */
export interface Outcome {
  readonly status: string;
  readonly held: number;
  readonly made: number;
  readonly again: number;
}

/** How a schedule must come out; `behind` is the step before which falls what happens when the target has been moved. */
export function modelled({ pinned, moved }: Schedule, behind: 'check' | 'record'): Outcome {
  let now: Model = { ...START, target: ['1', '2', '3', '4'] };
  for (const [moment, events] of [['move', pinned] as const, [behind, moved] as const]) {
    for (let next = advance(now); now.at !== moment && next !== undefined; next = advance(now)) now = next;
    if (now.at !== moment || now.journal.status !== 'judged') continue;
    for (const event of events) now = happen(now, event) ?? now;
    now = happen(now, 'restart') ?? now;
  }
  const end = rest(now);
  return { status: end.journal.status, held: mergesIn(end).length, made: end.made, again: end.again };
}

/** andon's next step, or a human's answer to the halt that it stands at. */
const advance = (model: Model): Model | undefined => step(model) ?? answer(model);
