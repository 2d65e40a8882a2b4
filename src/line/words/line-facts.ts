import type { DiskWait } from '../../base/disk-trouble.ts';
import type { QueueWait } from '../order/queued-turn.ts';
import type { NightFacts } from '../../agents/budget/night-facts.ts';
import type { TaskView } from './view-task.ts';

/** The state of the line, shared by daemon, status, list, doctor and MCP, as text and as JSON. */
export interface LineFacts {
  /** The andon process of this repository; a command holds the lock only for moments. */
  readonly watchdog: {
    readonly pid: number;
    readonly doing: string;
    readonly waits: DiskWait | null;
    /** It does not answer: stopped, or too busy; the line waits for it. */
    readonly silent?: true;
    /** Its process, where its state is in another folder, invisible from here. */
    readonly elsewhere?: string;
  } | null;
  readonly paused: { readonly at: string; readonly by: string } | null;
  /** The user's hours and ceilings over all repositories; null without any. */
  readonly night: NightFacts | null;
  /** What holds the line, in words: a person's STOP or pause, a stopped night, or hours and ceilings; null = nothing. */
  readonly blocked: string | null;
  /** Whether a stopped night, hours or ceilings hold it, and until when; null = until a person changes that. */
  readonly closed?: { readonly until: string | null; readonly stopped_night?: true };
  /** The running task, or the one whose halt holds the line; null without one, parked tasks aside. */
  readonly task: TaskView | null;
  /** What that task does, or what it waits for. */
  readonly activity: Activity | null;
  /** Parked tasks, in the order of parking. */
  readonly parked: readonly ParkedView[];
  /** When a waiting call is repeated. */
  readonly next_try: string | null;
  /** Whether an external judge judges, by the configuration in force. */
  readonly judge_is_outside: boolean;
  /** Contracts that wait their turn; none of them is refused. */
  readonly waiting: readonly string[];
  /** Everything that waits, in the order of turns. */
  readonly queue: readonly QueueView[];
  /** Refused contracts, unchanged since. */
  readonly refusals: readonly RefusalView[];
  /** A proposal that waits for you or a watchdog, or was refused, in words. */
  readonly proposal: string | null;
  /** The proposal is approved: a watchdog makes its contracts once nothing blocks it. */
  readonly proposal_approved?: true;
  /** An approved one waits until you have moved a file. */
  readonly proposal_blocked?: true;
  /** Why the `DECISION.json` that is there has no effect now, in words. */
  readonly decision: string | null;
  /** A file of the current halt that a choice would overwrite, in words. */
  readonly edited: string | null;
  /** The task began in another repository at this path, in words. */
  readonly former_repository: string | null;
  /** An obstacle in the place of andon's own files (a link, a FIFO), in words. */
  readonly barred: string | null;
  /** Tasks that the repository mentions and the journal lacks, in words. */
  readonly journal_lost: string | null;
  /** The red results of the last `andon doctor`. */
  readonly unwell: readonly RedView[];
}

/** What a task does, or what it waits for. Every surface shows this one answer. */
export interface Activity {
  readonly is:
    | 'ended'
    | 'halted'
    | 'set aside'
    | 'stuck'
    | 'unwatched'
    | 'working'
    | 'held'
    | 'blocked'
    | 'outside'
    | 'checking'
    | 'next step';
  /** In words that stand alone, such as `waits for the judge`. */
  readonly phrase: string;
  /** The reason, or how a person ends the wait; empty where the phrase says all. */
  readonly why: string;
  readonly since: string;
  /** The command that ends a wait; null without one, or with several. */
  readonly command: string | null;
}

/** A fault that `andon doctor` found. */
export interface RedView {
  readonly name: string;
  readonly detail: string;
  readonly remedy: string | null;
  readonly at: string;
}

/** Whether the watchdog does not answer; commands that hold the lock briefly do not count. */
export const isSilent = ({ watchdog }: Pick<LineFacts, 'watchdog'>): boolean =>
  watchdog?.doing === 'watch' && watchdog.silent === true;

/** A waiting contract, and its reasons. */
export interface QueueView {
  readonly file: string;
  readonly task_id: string | null;
  /** Its title, or its first requirement; left out where it cannot be read. */
  readonly title?: string;
  readonly priority: number;
  readonly after: readonly string[];
  readonly not_before: string | null;
  /** It was moved by hand (`andon queue move`). */
  readonly by_hand: boolean;
  /** The strongest reason to wait; `its turn` also for the next one. */
  readonly waits_for: QueueWait['for'];
  readonly tasks: readonly string[];
  /** All reasons in one phrase. */
  readonly why: string;
}

/** Whether a contract has a reason of its own to wait, also on a free line that a watchdog moves. */
export const hasOwnWait = ({ waits_for: what }: Pick<QueueView, 'waits_for'>): boolean => KEPT_BACK.has(what);

const KEPT_BACK: ReadonlySet<string> = new Set<QueueView['waits_for']>(['another task', 'a parked task', 'a time']);

/** A parked task, and its reason to wait. */
interface ParkedView {
  readonly task: TaskView;
  /** Its folder, from the root of the project. */
  readonly papers: string;
  readonly waits_for: 'your answer' | 'the line';
  /** A file of its halt that a choice would overwrite, in words. */
  readonly edited: string | null;
}

/** A refused contract, as in `CONTRACT_REJECTED.md`. */
export interface RefusalView {
  readonly file: string;
  readonly faults: number;
  readonly first: string;
  readonly at: string;
}
