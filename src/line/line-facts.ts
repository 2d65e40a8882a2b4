import type { DiskWait } from '../base/disk-trouble.ts';
import type { Wait } from './order/turns.ts';
import type { NightFacts } from '../night/facts.ts';
import type { TaskView } from './view.ts';

/** What a line does at this moment: the one account that daemon, status, list, doctor and MCP show, as text and as JSON. */
export interface LineFacts {
  /** The andon that works in this repository; a command holds it for moments. */
  readonly watchdog: {
    readonly pid: number;
    readonly doing: string;
    readonly waits: DiskWait | null;
    /** It is there and gives no answer: stopped, or too busy; nothing moves until it does. */
    readonly silent?: true;
    /** Its process, where it keeps its state in another folder, so that nothing it does is seen from here. */
    readonly elsewhere?: string;
  } | null;
  readonly paused: { readonly at: string; readonly by: string } | null;
  /** The user's hours and ceilings over all repositories; null where there are none. */
  readonly night: NightFacts | null;
  /** A human's STOP or pause, or hours and ceilings that let nothing new begin, in words; null when nothing holds the line. */
  readonly blocked: string | null;
  /** It is hours and ceilings that hold it, and until when; null = until somebody changes them. */
  readonly closed?: { readonly until: string | null };
  /** The task that runs, or whose halt holds the line; null when there is none, whatever is parked. */
  readonly task: TaskView | null;
  /** Tasks that were put aside while others go on, in the order in which they were. */
  readonly parked: readonly ParkedView[];
  /** When a call that waits is made again by itself. */
  readonly next_try: string | null;
  /** What the line waits for from somebody outside. */
  readonly waits_for: string | null;
  /** Contracts that wait their turn; none of them is refused. */
  readonly waiting: readonly string[];
  /** Everything that waits, in the order in which its turn comes. */
  readonly queue: readonly QueueView[];
  /** Contracts that were refused as they stand. */
  readonly refusals: readonly RefusalView[];
  readonly refused: boolean;
  /** A proposal that waits for you, or was refused, in words. */
  readonly proposal: string | null;
  /** A `DECISION.json` lies there; without a task on the line it answers nothing. */
  readonly decision: boolean;
  /** A paper of the halt that stands, which a choice would overwrite, in words. */
  readonly edited: string | null;
  /** How many tasks have ended. */
  readonly ended: number;
  /** The task was begun in a repository that lay here before, in words. */
  readonly former_repository: string | null;
  /** What stands where andon's own files belong (a link, a FIFO), in words. */
  readonly barred: string | null;
  /** Tasks that the repository tells of and the journal does not know, in words. */
  readonly journal_lost: string | null;
  /** What `andon doctor` found red when it looked last. */
  readonly unwell: readonly RedView[];
}

/** Something that the line cannot work with, as `andon doctor` found it. */
export interface RedView {
  readonly name: string;
  readonly detail: string;
  readonly remedy: string | null;
  /** When; null where the note of it cannot be read. */
  readonly at: string | null;
}

/** A contract that waits, and what for. */
export interface QueueView {
  readonly file: string;
  readonly task_id: string | null;
  readonly priority: number;
  readonly after: readonly string[];
  readonly not_before: string | null;
  /** Somebody put it where it is (`andon queue move`). */
  readonly by_hand: boolean;
  /** What binds it most; `its turn` also of the one that is next. */
  readonly waits_for: Wait['for'];
  /** The tasks that it waits for. */
  readonly tasks: readonly string[];
  /** All of it in one phrase. */
  readonly why: string;
}

/** A parked task, and what it waits for. */
interface ParkedView {
  readonly task: TaskView;
  /** Its folder, from the root of the project. */
  readonly papers: string;
  readonly waits_for: 'your answer' | 'the line';
  /** A paper of its halt that a choice would overwrite, in words. */
  readonly edited: string | null;
}

/** A refused contract, as `CONTRACT_REJECTED.md` tells it. */
export interface RefusalView {
  readonly file: string;
  readonly faults: number;
  readonly first: string;
  readonly at: string;
}
