import type { AgentId } from '../base/agents.ts';
import type { AskedLimits } from './cage-limits.ts';
import type { EnforcementSettings } from './enforcement-settings.ts';
import type { GateCommand } from '../contract/gate.ts';
import type { StandardRoles } from '../contract/task-contract.ts';
import type { WrittenDriver } from './driver-schema.ts';
import type { Ceilings, Hours } from './night-settings.ts';
import type { CleanSettings, LogSettings } from './housekeeping-settings.ts';
import type { WebSettings } from './web-settings.ts';
import type { DigestSettings } from './digest-settings.ts';
import type { HistorySettings } from '../record/history-settings.ts';
import type { LlmSettings } from './llm-settings.ts';
import type { MessageSettings } from '../rule-model/message-settings.ts';
import type { PipelineSettings } from './pipeline-settings.ts';
import type { NotificationSettings } from '../record/notification.ts';
import type { ProtectedChange } from '../base/protected-paths.ts';
import type { ReviewSettings } from './review-settings.ts';
import type { ProgramSettings } from './program-settings.ts';

/** The configuration files of a project: andon's own, and that of the tool whose rules andon also reads. */
export const CONFIG = '.andon/config.yaml';
export const RULEBOUND_CONFIG = '.rulebound/config.json';
/** The pipeline alone, in TOML. */
export const PIPELINE_CONFIG = '.andon/pipeline.toml';

/** All settings of one project, defaults filled in. */
export interface Settings {
  readonly target: string | undefined;
  readonly setup: readonly string[];
  readonly setupInputs: readonly string[];
  readonly share: readonly string[];
  /** Names of files with the project's conventions. */
  readonly conventions: readonly string[];
  readonly gates: readonly GateCommand[];
  /** Whether gates also run with the tests of the base. */
  readonly secondLook: 'on' | 'off';
  /** Minutes of a run after which that happens only before the merge; default 5. */
  readonly secondLookMinutes: number;
  /** Whether a task without gates is refused. */
  readonly requireGates: boolean;
  /** The changes to the list of protected files; undefined without any. */
  readonly protectedPaths: ProtectedChange | undefined;
  /** An external judge writes the report; andon only waits for it. */
  readonly judgeIsOutside: boolean;
  /** The effect of one task's halt on the others. */
  readonly onHalt: 'park' | 'stop';
  /** What happens to a contract that may write files of a parked task's change. */
  readonly onOverlap: 'wait' | 'start';
  readonly onCritical: 'judge' | 'fix';
  /** How merged tasks appear in the history of the target. */
  readonly history: HistorySettings;
  /** The default models of a new contract. */
  readonly roles: StandardRoles & {
    /** The agent for the floor manager; undefined = the usual one, where its program is installed. */
    readonly floorManager?: string;
    /** The agent that reads proposals in prose; undefined = the first of the other roles that answers. */
    readonly proposalReader?: string;
  };
  /** How several reviewers decide together. */
  readonly review: ReviewSettings;
  /** How long andon waits for an unavailable agent, and how often it tries. */
  readonly hold: { readonly leashHours: number; readonly retryMinutes: number };
  readonly cage: {
    readonly driver: 'bubblewrap' | 'sandbox-runtime' | 'none';
    readonly read: readonly string[];
    readonly env: readonly string[];
    /** The limits of gates: the user's, and the repository's, which only lower them. */
    readonly limits: { readonly user: AskedLimits; readonly project: AskedLimits };
  };
  /** Judgements between two tests of the judge with a known-bad change; 0 = never. */
  readonly canaryEvery: number;
  readonly agents: Readonly<Record<AgentId, ProgramSettings>>;
  /** The user's settings of drivers; shipped ones need none. */
  readonly drivers: Readonly<Record<string, WrittenDriver>>;
  readonly notifications: NotificationSettings;
  /** The settings of the board. */
  readonly web: WebSettings;
  readonly log: LogSettings;
  readonly clean: CleanSettings;
  /** When the daily digest is sent; undefined = never. */
  readonly digest: DigestSettings | undefined;
  /** When tasks may run. */
  readonly hours: Hours;
  /** The user's ceilings over all repositories. */
  readonly ceilings: Ceilings;
  /** How strictly rules are enforced; hard constraints always stop the line. */
  readonly enforcement: EnforcementSettings;
  /** How messages between agents are checked. */
  readonly messages: MessageSettings;
  /** How responses are checked against the rules. */
  readonly pipeline: PipelineSettings;
  /** The provider of `--llm`. */
  readonly llm: LlmSettings;
  /** Notices for the user: keys that a repository may not set. */
  readonly notices: readonly string[];
}
