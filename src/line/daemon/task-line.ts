import { createActor, fromPromise, type ActorRefFrom } from 'xstate';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { listStopping } from '../../rules/model/ruling.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { maskFacts } from '../core/mask-facts.ts';
import { createHaltEvent, lineMachine } from '../core/machine.ts';
import { createFaultOutcome, listTrips, ensureWritable, type StepResult } from '../core/step.ts';
import { archive, noteTransition } from '../documents/paperwork.ts';
import { writeHalt } from '../documents/halt-papers.ts';
import { findTampering } from '../documents/own-papers.ts';
import { readMergeState, createMergedOutcome, settleMerge } from '../git/merge-state.ts';
import {
  findConfigurationRefusal,
  withProtectedPaths,
  followTarget,
  createEmptyChangeOutcome,
} from '../git/follow-target.ts';
import { Stopped } from '../journal/stopped.ts';
import {
  JournalDamaged,
  MergeCriticalSection,
  StepJournal,
  type ReadDecision,
  type StepOutcome,
} from '../journal/step-journal.ts';
import { resumeCall } from '../calls/received-answer.ts';
import { holdStep } from '../night/hold-back.ts';
import { openTaskServices } from '../services/configuration.ts';
import { estimateRestOfRound } from '../night/past-tasks.ts';
import { waitWhilePaused } from '../night/pause.ts';
import { foldJournal, foldSealed } from '../core/fold-journal.ts';
import { implement } from '../steps/implement.ts';
import { judge, requestReview } from '../steps/judge.ts';
import { sendBack } from '../steps/merge.ts';
import { runFloorManager } from '../steps/run-floor-manager.ts';
import { reviewLocally } from '../steps/review-locally.ts';
import { isWaitedFor } from '../journal/wait-for-disk.ts';
import type { CallServices, GateServices, LineServices, Needs } from '../services/services.ts';
import { reportMovedRefs, restoreLostRefs } from '../git/task-refs.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** One task on the line: the machine over its record, with the real stations. */
export type TaskLine = ReturnType<typeof startTaskLine>;

/** Starts a machine over a folded record. `settled` is called once the papers of a halt or an end are written. */
export function startTaskLine(
  services: LineServices,
  record: TaskRecord,
  callbacks: { settled(record: TaskRecord): void; broken(error: unknown): void },
  readDecision: ReadDecision,
) {
  let current = foldSealed(services.journal.entries(record.taskId)) ?? record;
  const landings = new MergeCriticalSection();
  const running = new Set<Promise<unknown>>();
  let work: Promise<unknown> | undefined;
  let seen = services.journal.head();
  /** Entries that came into the journal beside the machine: by the step that a halt ends, and by that step's end. */
  const unseen = (): readonly JournalEntry[] =>
    services.journal.since(seen).flatMap(({ taskId, entry }) => (taskId === record.taskId ? [entry] : []));
  const tracked = <Value>(work: Promise<Value>): Promise<Value> => {
    const done = work.finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  const machine = lineMachine.provide({
    actors: {
      work: fromPromise<StepResult, { readonly record: TaskRecord }>(
        ({ input, signal }) =>
          (work = tracked(runStep(services, new StepJournal(services, input.record, landings, readDecision), signal))),
      ),
      settle: fromPromise<void, { readonly record: TaskRecord }>(({ input, signal }) =>
        tracked(settle(services, input.record, work, signal)).then(() => callbacks.settled(input.record)),
      ),
    },
    actions: {
      note: ({ context }) => {
        if (context.entry === undefined) return;
        seen = noteTransition(services, current, context.record, context.entry);
        current = context.record;
        if (current.answered === undefined) services.folders.forgetReceived(current.taskId);
      },
    },
  });
  const actor: ActorRefFrom<typeof machine> = createActor(machine, { input: { record } });
  actor.subscribe({ error: (error) => callbacks.broken(error) });
  actor.start();
  return {
    get record(): TaskRecord {
      return foldJournal(services.journal.entries(record.taskId)) ?? current;
    },
    /** The record that the contract on disk shows. */
    get sealed(): TaskRecord {
      return current;
    },
    /** When the target is moved: then nothing halts the line. */
    landings,
    /** Stops the line from outside a station; leaving the working state ends its agent. */
    halt(step: Omit<StepResult, 'noted'>): void {
      actor.send(createHaltEvent(current, { nonce: services.nonce(), ...step, noted: unseen() }));
    },
    /** Ends the running step and its processes, and waits until they are gone. */
    async stop(): Promise<void> {
      actor.stop();
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

async function settle(
  services: Needs<'digest' | 'folders' | 'handoff' | 'journal' | 'notices' | 'repository' | 'say'>,
  record: TaskRecord,
  work: Promise<unknown> | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (work !== undefined) await Promise.allSettled([work]); // the agent that a halt ended is gone before its papers
  if (signal.aborted) return; // answered meanwhile, or andon stops
  if (record.status !== 'erik_consultation') return archive(services, record);
  if (record.halt?.trip.breaker === 'rule_violation' && goesBack(record)) {
    await markRollback(services, record);
    if (isAborted(signal)) return;
  }
  await writeHalt(services, record);
  services.notices?.about(record);
}

/** A function, since the signal may abort during an await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/** Whether some rule that stopped the line sets the attempt aside. */
const goesBack = ({ lastFacts }: TaskRecord): boolean =>
  listStopping(lastFacts.rulings ?? []).some(({ rollback }) => rollback !== false);

/** Marks the base of the task as the rollback point. Nothing is moved or deleted; a failure is only logged. */
async function markRollback(services: Needs<'repository' | 'say'>, { taskId, base }: TaskRecord): Promise<void> {
  const { repository } = services;
  const ref = `refs/andon/rollback/${taskId}`;
  const warn = (why: string): void =>
    services.say({ kind: 'word', level: 'warn', text: `git did not take ${ref}: ${why}` });
  try {
    const old = await repository.resolve(ref);
    const marked = old === base ? { ok: true as const } : await repository.publish([{ ref, old, to: base }]);
    if (!marked.ok) warn(marked.why);
  } catch (error) {
    warn(getErrorMessage(error));
  }
}

/** Runs the station of a status. An unexpected error becomes a fault, and is not thrown into the machine. */
async function runStep(services: LineServices, log: StepJournal, signal: AbortSignal): Promise<StepResult> {
  const damage = services.journal.verify();
  if (damage !== undefined)
    throw new JournalDamaged(
      `the journal was changed by another program, in entry ${damage}; see andon doctor --journal`,
    );
  const result = ({ event, reason, facts }: StepOutcome): StepResult => ({
    at: services.clock.now(),
    noted: log.noted,
    event,
    reason: withoutSecrets(reason),
    facts: maskFacts(facts),
    nonce: services.nonce(),
  });
  try {
    resumeCall(services, log);
    await waitWhilePaused(services, signal);
    const decided = await openTaskServices(services, log.record);
    const refused = findConfigurationRefusal(decided, log.record);
    log.record = withProtectedPaths(log.record, decided.settings);
    await holdStep(decided, log, signal);
    log.record = withLatestWords(services, log.record);
    const prevented = (await beforeStep(decided, log)) ?? refused ?? sendBack(log.record);
    const outcome = prevented ?? (await station(decided, log, signal));
    return await unlessMerged(decided, log, ensureWritable(log.record, result(outcome)));
  } catch (error) {
    services.mustBeHere(); // the failure may come from a moved repository
    if (error instanceof Stopped || error instanceof JournalDamaged || signal.aborted) throw error; // the machine has left this state and does not listen
    const what = getErrorMessage(error);
    if (isWaitedFor(services.handoff.folder, what)) throw error; // the watchdog starts again when the disk is better
    // The failure may come from a violated precondition.
    const outcome = await beforeStep(services, log).catch(() => undefined);
    if (outcome !== undefined) return result(outcome);
    return unlessMerged(services, log, result(createFaultOutcome(what)));
  }
}

/** `andon say` and `andon comment` write to the journal past the machine, so each step reads them again. */
function withLatestWords({ journal }: Needs<'journal'>, record: TaskRecord): TaskRecord {
  const latest = foldJournal(journal.entries(record.taskId));
  return latest === undefined ? record : { ...record, words: latest.words, comments: latest.comments };
}

/** Reads the target before a breaker trips: once it holds the merge, that is the outcome. */
async function unlessMerged(
  services: Needs<'journal' | 'repository'>,
  { record }: StepJournal,
  result: StepResult,
): Promise<StepResult> {
  const trips = listTrips(record, { ...result, noted: [] });
  if (trips.length === 0) return result;
  const standing = await readMergeState(services, record);
  if (standing.is !== 'merged') {
    // A halt by the budget proposes enough for the rest of the round.
    return trips.some(({ breaker }) => breaker === 'budget')
      ? { ...result, facts: { ...result.facts, budgetRound: estimateRestOfRound(services.journal, record) } }
      : result;
  }
  return { ...createMergedOutcome(record, standing.merge), at: result.at, noted: result.noted };
}

function station(
  services: CallServices & GateServices & Needs<'audit' | 'configuration' | 'nonce' | 'notices' | 'project'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> | StepOutcome {
  switch (log.record.status) {
    case 'pending_implementer':
      return implement(services, log, signal);
    case 'pending_local_review':
      return reviewLocally(services, log, signal);
    case 'pending_judge_review':
      return requestReview(services, log, signal);
    case 'review_in_progress':
      return judge(services, log, signal);
    case 'review_complete':
      return runFloorManager(services, log, signal);
    case 'merged':
    case 'abandoned':
    case 'erik_consultation':
      throw new Error(`no station works at ${log.record.status}`);
  }
}

/**
 * The preconditions of every step: the repository is in place, the target holds no merge yet, the contract on disk is
 * unchanged, the refs of the task are there and unmoved, and the target still holds the base. A violated one gives the outcome in place of the step's.
 */
async function beforeStep(
  services: Needs<'configuration' | 'digest' | 'handoff' | 'journal' | 'mustBeHere' | 'repository' | 'say'>,
  { record }: StepJournal,
): Promise<StepOutcome | undefined> {
  services.mustBeHere();
  const target = await services.repository.resolve(record.target);
  const violated = (await settleMerge(services, record)) ?? unreadableEntry(record) ?? findTampering(services, record);
  if (violated !== undefined || target === undefined) return violated ?? reportMovedRefs(services, record);
  return (
    (await restoreLostRefs(services, record, target)) ??
    (await reportMovedRefs(services, record)) ??
    (await followTarget(services, record, target)) ??
    (record.change?.files.length === 0 ? createEmptyChangeOutcome(record, target) : undefined)
  );
}

/** The outcome of a step while an entry of the task cannot be read: no step may rely on a part of the journal. */
function unreadableEntry({ taskId, unreadable }: TaskRecord): StepOutcome | undefined {
  if (unreadable === undefined) return undefined;
  const { seq, why } = unreadable;
  const reason = `entry ${seq} of the journal cannot be read (${why}): a newer andon wrote it, or an older one a figure that was none; what it says of ${taskId} is not known`;
  return { event: 'fault', reason, facts: { fault: reason, unreadable: seq } };
}
