import type { AgentProfiles } from '../config/agent-profiles.ts';
import type { Settings } from '../config/config.ts';
import type { Agents } from '../ports/agent.ts';
import type { Cage } from '../ports/cage.ts';
import type { ProjectFiles } from './project-files.ts';

/** A branch, and one of its commits. */
export interface TargetCommit {
  readonly ref: string;
  readonly commit: string;
}

/** Everything that decides about a task. */
export interface InForce {
  readonly settings: Settings;
  readonly profiles: AgentProfiles;
  readonly project: ProjectFiles;
  readonly agents: Agents;
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
  /** Whether agents or a cage were made here, so that they are replaced when their settings change. */
  hasMade(part: object): boolean;
}
