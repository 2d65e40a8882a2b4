import type { DiskWait } from '../../base/disk-trouble.ts';
import type { UserLimits } from '../../project/config/read-settings.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Notification } from '../../project/config/notification.ts';
import type { AuditLog } from '../../rules/files/audit-log.ts';
import type { Handoff } from '../../project/handoff/create-handoff.ts';
import type { Queue } from '../order/handoff-queue.ts';
import type { WorkFolders } from '../../project/folders/work-folders.ts';
import type { Cage } from '../../sandbox/cage.ts';
import type { Clock } from '../../base/clock.ts';
import type { Watching } from '../../agents/budget/night-facts.ts';
import type { Ledger } from '../../agents/ledger.ts';
import type { WorkerSources } from '../../agents/calls/resolve-driver.ts';
import type { Journal } from '../journal/journal.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import type { Signal } from './signal.ts';
import type { ProjectFiles } from '../../rules/files/project-files.ts';
import type { Happening } from '../words/notification-policy.ts';

/** An event of the line, for display. */
export type LineEvent =
  | { readonly kind: 'entry'; readonly entry: JournalEntry; readonly record: TaskRecord }
  | {
      readonly kind: 'gate';
      readonly taskId: string;
      readonly name: string;
      readonly outcome: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'notice';
      readonly notification: Notification;
      /** What a terminal does about it. */
      readonly bell: boolean;
      readonly title: boolean;
    }
  | {
      readonly kind: 'word';
      readonly level: 'info' | 'warn';
      readonly text: string;
      /** What the disk keeps the line from; null when it takes writes again. */
      readonly disk?: DiskWait | null;
    };

/**
 * The repository and the ports into the world, before a configuration is chosen: `openServicesAt`, `openTaskServices` and
 * `openLineServices` add the one in force. So nothing can use the configuration of the daemon's start by mistake.
 */
export interface LineServices extends Watching {
  readonly root: string;
  /** Where settings, profiles, rules, agents and cage come from. */
  readonly configuration: TargetConfiguration;
  /** They replace the agents of every configuration: of tests, and of `npm run soak`. */
  readonly stubAgents?: InForce['agents'] | undefined;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The user's hours and ceilings, as the configuration says them now. */
  limits(): UserLimits;
  /** What all daemons of the user have used; every call is set aside for in it. */
  readonly ledger: Ledger;
  /** When this andon ends and starts nothing more; undefined = when it is stopped. */
  readonly ends?: string | undefined;
  /** The last sign of life of an andon that died before this one began (ISO 8601); undefined where none did. */
  readonly lastSeen?: string | undefined;
  /** What this repository is called there: the name of its state folder. */
  readonly stateName: string;
  readonly repository: Repository;
  /** Throws a Problem when the repository is not at its path any more. */
  mustBeHere(): void;
  readonly handoff: Handoff;
  readonly queue: Queue;
  /** Violations of rules, written down. */
  readonly audit: AuditLog;
  readonly folders: WorkFolders;
  /** Notifies after each poll of `_handoff/`. */
  readonly bell: Signal;
  /** Rings when a human wants a call that waits to be tried now. */
  readonly nudge: Signal;
  /** Random text for fences. */
  nonce(): string;
  digest(text: string | Uint8Array): string;
  say(news: LineEvent): void;
  /** Sends notifications outside the terminal; neither throws nor blocks. Undefined without a watchdog. */
  readonly notices?: { about(record: TaskRecord): void; tell(happening: Happening): void };
}

/** The services under one configuration. */
export interface Services extends LineServices, InForce {}

/** The part of the services that a function uses. */
export type Needs<Key extends keyof Services> = Pick<Services, Key>;

/** What decides when work may begin: hours, ceilings and the night; and the signals that end a wait. */
export type NightServices = Needs<
  | 'bell'
  | 'clock'
  | 'ends'
  | 'handoff'
  | 'journal'
  | 'ledger'
  | 'limits'
  | 'nudge'
  | 'ownNight'
  | 'settings'
  | 'stopBefore'
>;

/** What the call of an agent uses: agents and profiles, budget and night, and the folder of answers. */
export type CallServices = NightServices & Needs<'agents' | 'digest' | 'folders' | 'profiles' | 'say' | 'stateName'>;

/** What a run of gates uses: the tree to run in, the cage, and where results are kept. */
export type GateServices = Needs<'cage' | 'digest' | 'folders' | 'repository' | 'root' | 'say' | 'settings'>;

/** What the rules of the project use: the rulebook, profiles, and where violations are recorded. */
export type RuleServices = Needs<'audit' | 'clock' | 'journal' | 'profiles' | 'project' | 'settings'>;

/** A branch, and one of its commits. */
export interface TargetCommit {
  readonly ref: string;
  readonly commit: string;
}

/** Everything that decides about a task. */
export interface InForce extends WorkerSources {
  /** The files that hold rules, waivers and the baseline. */
  readonly project: ProjectFiles;
  readonly cage: Cage;
}

/** The configuration of a line: of the project as its target commits it, and of the user as the file on disk is now. */
export interface TargetConfiguration {
  /** What decides about a task on this commit; throws a Problem when it cannot be read and no earlier version is known. */
  at(target: TargetCommit): Promise<InForce>;
  /** Whether two commits hold the same files that decide. */
  isSame(one: string, other: string): Promise<boolean>;
  /** The target of tasks that name none, as the configuration names it. */
  targetName(): Promise<string | undefined>;
  /** What decides for the line itself (order, halts, proposals, notifications), as of the last `refresh`. */
  line(): InForce;
  /** Reads again what has changed; cheap when nothing has. */
  refresh(): Promise<void>;
  /** How the checkout differs from what this target commits: one sentence, or none. */
  gapsTo(target: TargetCommit): Promise<readonly string[]>;
  /** Every difference between the disk and what is in force, a sentence each, as of the last `refresh`. */
  gaps(): readonly string[];
  /** Whether the files of the checkout count, committed or not (`--working-config`). */
  readonly isTrial: boolean;
}
