import { createActor, fromPromise } from 'xstate';
import type { ActorRefFrom } from 'xstate';
import type { JournalEntry } from '../formats/journal-entry.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { maskFacts } from '../governance/secrets/mask-facts.ts';
import { withoutSecrets } from '../governance/secrets/mask.ts';
import { line } from '../line/machine.ts';
import type { Resume } from '../line/machine.ts';
import type { StepResult } from '../line/step.ts';
import { archive, halt, noteTransition } from './paperwork.ts';
import { movedRefs } from './moved-refs.ts';
import { whilePaused } from './pause.ts';
import { foldJournal, foldSealed } from '../line/record.ts';
import { StepLog, Stopped } from './step-log.ts';
import type { StepOutcome } from './step-log.ts';
import { implement } from './steps/implement.ts';
import { judge, requestReview } from './steps/judge.ts';
import { manage } from './steps/manage.ts';
import { reviewLocally } from './steps/review-locally.ts';
import { isWaitedFor } from './wait-for-disk.ts';
import type { World } from './world.ts';

/** One task on the line: the machine over its record, with the real stations behind it. */
export interface TaskLine {
  readonly record: LineRecord;
  /** The record that the contract on disk shows. */
  readonly sealed: LineRecord;
  resume(resume: Omit<Resume, 'type' | 'noted'>): void;
  /** Stops the line from outside a station; leaving the working state ends its agent. */
  halt(step: Omit<StepResult, 'noted'>): void;
  /** Ends the running step and its processes, and waits until they are gone. */
  stop(): Promise<void>;
}

/** Starts a fresh machine over a folded record. `settled` is told when papers of a halt or an end are written. */
export function startTaskLine(
  world: World,
  record: LineRecord,
  told: { settled(record: LineRecord): void; broken(error: unknown): void },
  { idle = false } = {},
): TaskLine {
  let current = foldSealed(world.journal.entries(record.taskId)) ?? record;
  const running = new Set<Promise<unknown>>();
  let work: Promise<unknown> | undefined;
  let seen = world.journal.head();
  /** Entries that came into the journal beside the machine: by the step that a halt ends, and by that step's end. */
  const unseen = (): readonly JournalEntry[] =>
    world.journal.since(seen).flatMap(({ taskId, entry }) => (taskId === record.taskId ? [entry] : []));
  const tracked = <Value>(work: Promise<Value>): Promise<Value> => {
    const done = work.finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  const machine = line.provide({
    actors: {
      work: fromPromise<StepResult, { readonly record: LineRecord }>(({ input, signal }) =>
        idle ? forever() : (work = tracked(runStep(world, input.record, signal))),
      ),
      settle: fromPromise<void, { readonly record: LineRecord }>(({ input, signal }) =>
        tracked(settle(world, input.record, work, signal)).then(() => told.settled(input.record)),
      ),
    },
    actions: {
      note: ({ context }) => {
        if (context.entry === undefined) return;
        seen = noteTransition(world, current, context.record, context.entry);
        current = context.record;
      },
    },
  });
  const actor: ActorRefFrom<typeof machine> = createActor(machine, { input: { record } });
  actor.subscribe({ error: (error) => told.broken(error) });
  actor.start();
  return {
    get record() {
      return foldJournal(world.journal.entries(record.taskId)) ?? current;
    },
    get sealed() {
      return current;
    },
    resume: (resume) => actor.send({ ...resume, type: 'RESUME', noted: unseen() }),
    halt: (step) => actor.send({ type: 'HALT', step: { ...step, facts: maskFacts(step.facts), noted: unseen() } }),
    async stop() {
      actor.stop();
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

const forever = (): Promise<never> => new Promise(() => {});

async function settle(
  world: World,
  record: LineRecord,
  work: Promise<unknown> | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (work !== undefined) await Promise.allSettled([work]); // the agent that a halt ended is gone before its papers
  if (signal.aborted) return; // somebody has chosen a path already
  if (record.status !== 'erik_consultation') return archive(world, record);
  if (record.halt?.trip.breaker === 'rule_violation') {
    await markRollback(world, record);
    if (isAborted(signal)) return;
  }
  await halt(world, record);
  world.notices?.about(record);
}

/** Asked anew: it may have come while something was waited for. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/** Where a human may roll back to: what the task builds on. Nothing is moved or deleted; a failure is only told. */
async function markRollback(world: World, { taskId, base }: LineRecord): Promise<void> {
  const { repository } = world;
  const ref = `refs/andon/rollback/${taskId}`;
  try {
    const old = await repository.resolve(ref);
    const marked = old === base ? { ok: true as const } : await repository.publish([{ ref, old, to: base }]);
    if (!marked.ok) world.say({ kind: 'word', level: 'warn', text: `git did not take ${ref}: ${marked.why}` });
  } catch (error) {
    world.say({
      kind: 'word',
      level: 'warn',
      text: `git did not take ${ref}: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

/** Runs the station of a status. Nothing it does can throw into the machine: what is unexpected becomes a fault. */
async function runStep(world: World, record: LineRecord, signal: AbortSignal): Promise<StepResult> {
  const damage = world.journal.verify();
  if (damage !== undefined)
    throw new Error(`the journal was changed by somebody else, in entry ${damage}; see andon verify`);
  const log = new StepLog(world, record);
  const result = ({ event, reason, facts }: StepOutcome): StepResult => ({
    at: world.clock.now(),
    noted: log.noted,
    event,
    reason: withoutSecrets(reason),
    facts: maskFacts(facts),
  });
  try {
    if (log.record.openCall !== undefined) {
      const { station, call, reserveUsd } = log.record.openCall;
      log.note({ kind: 'interrupted', at: world.clock.now(), station, call, usd: reserveUsd });
    }
    await whilePaused(world, signal);
    const moved = await movedRefs(world, log.record);
    if (moved !== undefined) return result({ event: 'fault', reason: moved, facts: { fault: moved } });
    return result(await station(world, log, signal));
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) throw error; // the machine has left this state and does not listen
    const what = error instanceof Error ? error.message : String(error);
    if (isWaitedFor(world.handoff.folder, what)) throw error; // the watchdog starts again when the disk is better
    return result({ event: 'fault', reason: what, facts: { fault: what } });
  }
}

function station(world: World, log: StepLog, signal: AbortSignal): Promise<StepOutcome> | StepOutcome {
  switch (log.record.status) {
    case 'pending_implementer':
      return implement(world, log, signal);
    case 'pending_local_review':
      return reviewLocally(world, log, signal);
    case 'pending_judge_review':
      return requestReview(world, log, signal);
    case 'review_in_progress':
      return judge(world, log, signal);
    case 'review_complete':
      return manage(world, log, signal);
    case 'merged':
    case 'abandoned':
    case 'erik_consultation':
      throw new Error(`no station works at ${log.record.status}`);
  }
}
