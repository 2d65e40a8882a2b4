import type { CeilingUse } from '../../night/facts.ts';
import type { NightTold } from '../../night/told.ts';
import type { TalkFacts } from '../message-stats.ts';
import type { ReviewerFacts } from '../reviewer-ledger.ts';

/** What a repository is called, and where it lies. */
export interface Named {
  readonly name: string;
  readonly root: string;
}

/** What is said of one repository, and of one of its tasks where it is about one. */
interface About {
  /** Where the repository lies. */
  readonly repository: string;
  readonly task_id: string | null;
}

/** One thing to do, as a command that is pasted in the folder of the repository. */
export interface Way {
  readonly title: string;
  readonly does: string;
  readonly command: string;
}

/** Something that does not go on without you. */
export interface Need extends About {
  readonly kind: 'halt' | 'decision' | 'refused' | 'stopped' | 'nobody watches' | 'overdue' | 'unwell';
  readonly what: string;
  readonly since: string | null;
  /** What was asked of the evidence, and answered with yes. */
  readonly question: string | null;
  readonly why: string;
  readonly halt_id: string | null;
  readonly ways: readonly Way[];
}

/** A merge, as journal and git have it. */
export interface Merged extends About {
  readonly at: string;
  /** What the contract wanted first, in its own words. */
  readonly wanted: string;
  readonly target: string;
  readonly commit: string;
  /** Whether the target holds it now; null where nobody could look. */
  readonly held: boolean | null;
  readonly verdict: string | null;
  readonly judged_outside: boolean;
  readonly gates_green: number;
  readonly gates: number;
  /** What running gates again with the tests of the base took; null where they were not. */
  readonly second_look_seconds: number | null;
  /** A human's word that was needed for it. */
  readonly decided_by: string | null;
  /** In which ways it weakens gates or tests, as somebody allowed. */
  readonly weakened: readonly string[];
  readonly undone_as: string | null;
  /** What takes it out again; null where it is out. */
  readonly undo: string | null;
}

/** One time that a change went back. */
export interface Round {
  readonly at: string;
  readonly attempt: number;
  readonly by: 'gates' | 'rules' | 'reviewer' | 'judge' | 'implementer' | 'target' | 'line';
  readonly why: string;
  /** What a reviewer says of it: his words, and nobody else's. */
  readonly says: string | null;
}

/** A task whose change went back. */
export interface SentBack extends About {
  readonly status: string;
  readonly rounds: readonly Round[];
  readonly red_gates: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, number>>;
}

/** A task that a human gave up. */
export interface GivenUp extends About {
  readonly at: string;
  readonly why: string;
}

/** What was used; a figure that is not wholly known is null, and what is known of it stands beside it. */
export interface Used {
  readonly calls: number;
  readonly usd: number | null;
  readonly usd_known: number;
  readonly calls_without_price: number;
  /** What was reserved for calls without a known price, and is counted against the ceilings. */
  readonly usd_reserved: number;
  readonly tokens: number | null;
  readonly tokens_known: number;
  readonly calls_without_tokens: number;
  readonly minutes: number;
}

/** How much of one ceiling is used up, since the task began. */
export interface Ceiling {
  readonly of: 'usd' | 'tokens' | 'minutes';
  /** Null where it is not wholly known. */
  readonly used: number | null;
  readonly at_least: number;
  readonly ceiling: number;
}

export interface TaskSpent extends About, Used {
  readonly ceilings: readonly Ceiling[];
}

export interface Spent {
  readonly together: Used;
  readonly tasks: readonly TaskSpent[];
  /** What all repositories of the user have used of each of his ceilings, in the time over which it counts. */
  readonly ceilings: readonly CeilingUse[];
}

/** Something that goes on without you, or will. */
export interface Waits extends About {
  /** The file of a contract that has not begun. */
  readonly file: string | null;
  readonly for: string;
  readonly since: string | null;
  readonly command: string | null;
}

/** Something that andon cannot say. */
export interface NotKnown {
  readonly repository: string | null;
  readonly task_id: string | null;
  readonly what: string;
  readonly remedy: string | null;
}

/** What happened between two moments, and what stands now: only what code established, never what an agent says of itself. */
export interface Digest {
  readonly from: string;
  readonly to: string;
  readonly repositories: readonly Named[];
  readonly needs_you: readonly Need[];
  readonly merged: readonly Merged[];
  readonly sent_back: readonly SentBack[];
  readonly given_up: readonly GivenUp[];
  readonly spent: Spent;
  /** What agents said in this time, and what of it went back. */
  readonly messages: TalkFacts;
  /** What came of what each reviewer and judge found, over the whole of the tasks that were reviewed in this time. */
  readonly reviewers: readonly ReviewerFacts[];
  /** Nights that were opened by hand, and how each went. */
  readonly nights: readonly NightTold[];
  readonly waits: readonly Waits[];
  readonly not_known: readonly NotKnown[];
}
