import { assign, fromPromise, initialTransition, setup, transition } from 'xstate';
import type { Moved } from '../record/journal-entry.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { StepEvent } from '../record/step-event.ts';
import type { Status } from '../../base/names.ts';
import { foldEntry } from './fold-journal.ts';
import { maskFacts } from './mask-facts.ts';
import { createMoveEntry, ensureWritable, listTrips, withNoted, type StepResult } from './step.ts';
import { takeOverByChoice } from './takeover.ts';

/** A person's choice at a halt, already checked against halt, tree and contract. */
export interface Resume {
  readonly type: 'RESUME';
  readonly at: string;
  readonly choice: NonNullable<Facts['choice']>;
  /** A person's commits on the task branch since the halt. */
  readonly change?: Facts['change'];
  readonly reason: string;
}

/** An event outside the stations that must stop the line at once: a tampered contract, or an existing merge. */
interface Halting {
  readonly type: 'HALT';
  readonly step: StepResult;
}

interface LineContext {
  readonly record: TaskRecord;
  /** The entry of the transition; the daemon journals it before the next station starts. */
  readonly entry: Moved | undefined;
}

const outcome = (event: unknown): StepResult => (event as { readonly output: StepResult }).output;

function moved({ record }: LineContext, step: StepResult, to: Status): LineContext {
  const before = withNoted(record, step.noted);
  const entry = createMoveEntry(before, { ...step, noted: [] }, to);
  return { entry, record: foldEntry(before, entry) ?? before };
}

/** The events with an arrow of their own in a working state; its guard has their name. */
const ARROW_EVENTS = [
  'code_written',
  'local_pass',
  'local_fail',
  'review_started',
  'reviewer_heard',
  'judge_complete',
  'target_moved',
  'sent_back',
  'pass',
  'fail_disagree',
] as const satisfies readonly StepEvent[];
type ArrowEvent = (typeof ARROW_EVENTS)[number];

const isEvent = Object.fromEntries(
  ARROW_EVENTS.map((name) => [name, ({ event }: { readonly event: unknown }) => outcome(event).event === name]),
) as Record<ArrowEvent, ({ event }: { readonly event: unknown }) => boolean>;

const lineSetup = setup({
  types: {
    context: {} as LineContext,
    events: {} as Resume | Halting,
    input: {} as { readonly record: TaskRecord },
  },
  actors: {
    /** Runs the station of the record's status; the daemon provides it. */
    work: fromPromise<StepResult, { readonly record: TaskRecord }>(() => Promise.reject(new Error('no floor'))),
    /** Writes halt report and lock, or archives a finished task; idempotent. */
    settle: fromPromise<void, { readonly record: TaskRecord }>(() => Promise.resolve()),
  },
  actions: {
    move: assign(({ context, event }, { to }: { to: Status }) => moved(context, outcome(event), to)),
    take: assign(({ context, event }, { to }: { to: Status }) => {
      const { at, choice, change, reason } = event as Resume;
      const { record } = context;
      const name = to === 'abandoned' ? 'abandon' : 'resume';
      const takeover = takeOverByChoice(record, choice);
      const entry: Moved = {
        kind: 'moved',
        at,
        event: name,
        from: record.status,
        to,
        reason,
        facts: {
          ...(change === undefined ? {} : { change }),
          choice,
          ...(takeover === undefined ? {} : { takeover }),
        },
      };
      return { entry, record: foldEntry(record, entry) ?? record };
    }),
    /** Halts from outside a station, or ends the task because the target contains its merge. */
    stop: assign(({ context, event }, { to }: { to: Status }) => moved(context, (event as Halting).step, to)),
    /** Makes the transition durable before it returns; the daemon provides it. */
    note: () => {},
  },
  guards: {
    tripped: ({ context, event }) => listTrips(context.record, outcome(event)).length > 0,
    ...isEvent,
    isMerged: ({ event }) => (event as Halting).step.facts.merge !== undefined,
    goesTo: ({ event }, { to }: { to: Status }) => (event as Resume).choice.effect.to === to,
  },
});

/** One arrow: taken when `guard` is true, else the next one is tested. */
const arrow = (target: Status, guard?: 'tripped' | ArrowEvent) => ({
  target: `#line.${target}`,
  reenter: true,
  actions: [{ type: 'move' as const, params: { to: target } }, { type: 'note' as const }],
  ...(guard === undefined ? {} : { guard: { type: guard } as const }),
});

/** A working state: the station runs; a trip precedes every other arrow. */
const working = (...arrows: ReturnType<typeof arrow>[]) => ({
  invoke: {
    src: 'work' as const,
    input: ({ context }: { context: LineContext }) => ({ record: context.record }),
    onDone: [arrow('erik_consultation', 'tripped'), arrow('merged', 'pass'), ...arrows],
  },
});

const settling = {
  invoke: { src: 'settle' as const, input: ({ context }: { context: LineContext }) => ({ record: context.record }) },
};

const way = (to: Status) => ({
  target: `#line.${to}`,
  guard: { type: 'goesTo' as const, params: { to } },
  actions: [{ type: 'take' as const, params: { to } }, { type: 'note' as const }],
});

const stopAt = (to: 'erik_consultation' | 'merged') => ({
  target: `#line.${to}` as const,
  actions: [{ type: 'stop' as const, params: { to } }, { type: 'note' as const }],
});

const FOUND_MERGED = { ...stopAt('merged'), guard: { type: 'isMerged' } as const };

const start = (status: Status) => ({
  target: status,
  guard: ({ context }: { context: LineContext }) => context.record.status === status,
});

/**
 * The state machine of the line. It starts from the folded journal and is routed by `status` (a persisted snapshot
 * would start its children a second time).
 */
export const lineMachine = lineSetup.createMachine({
  id: 'line',
  context: ({ input }) => ({ record: input.record, entry: undefined }),
  initial: 'routing',
  on: { HALT: [FOUND_MERGED, stopAt('erik_consultation')] },
  states: {
    routing: {
      always: [
        start('pending_implementer'),
        start('pending_local_review'),
        start('pending_judge_review'),
        start('review_in_progress'),
        start('review_complete'),
        start('merged'),
        start('abandoned'),
        { target: 'erik_consultation' },
      ],
    },
    pending_implementer: working(arrow('pending_local_review', 'code_written'), arrow('pending_implementer')),
    pending_local_review: working(
      arrow('pending_implementer', 'target_moved'),
      arrow('pending_implementer', 'sent_back'),
      arrow('pending_implementer', 'local_fail'),
      arrow('pending_judge_review', 'local_pass'),
      arrow('pending_local_review'),
    ),
    pending_judge_review: working(
      arrow('pending_implementer', 'target_moved'),
      arrow('pending_implementer', 'sent_back'),
      arrow('review_in_progress', 'review_started'),
      arrow('pending_judge_review'),
    ),
    review_in_progress: working(
      arrow('pending_implementer', 'target_moved'),
      arrow('pending_implementer', 'sent_back'),
      arrow('review_complete', 'judge_complete'),
      arrow('review_in_progress', 'reviewer_heard'),
      arrow('pending_judge_review'),
    ),
    review_complete: working(arrow('pending_judge_review', 'fail_disagree'), arrow('pending_implementer')),
    erik_consultation: {
      ...settling,
      on: {
        HALT: [FOUND_MERGED, {}],
        RESUME: [
          way('pending_implementer'),
          way('pending_local_review'),
          way('pending_judge_review'),
          way('review_in_progress'),
          way('review_complete'),
          way('abandoned'),
        ],
      },
    },
    merged: { ...settling, on: { HALT: {} } },
    abandoned: { ...settling, on: { HALT: {} } },
  },
});

/** A halt from outside the stations, or a merge that the target was found to hold, as the journal may keep it. */
export const createHaltEvent = (record: TaskRecord, step: StepResult): Halting => ({
  type: 'HALT',
  step: ensureWritable(record, { ...step, facts: maskFacts(step.facts) }),
});

/** The change that an event makes to a task at which no station works; without an entry where it makes none. */
export function applyEvent(record: TaskRecord, event: Resume | Halting): LineContext {
  const [before] = initialTransition(lineMachine, { record });
  return transition(lineMachine, before, event)[0].context;
}
