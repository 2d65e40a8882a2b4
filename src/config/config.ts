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

/** Where a project is configured: andon's own file, and that of the tool whose rules andon reads too. */
export const CONFIG = '.andon/config.yaml';
export const RULEBOUND_CONFIG = '.rulebound/config.json';
/** The pipeline alone, for who writes it in TOML. */
export const PIPELINE_CONFIG = '.andon/pipeline.toml';

/** Everything that is configured for one project, defaults filled in. */
export interface Settings {
  readonly target: string | undefined;
  readonly setup: readonly string[];
  readonly setupInputs: readonly string[];
  readonly share: readonly string[];
  readonly gates: readonly GateCommand[];
  /** Whether gates are asked again with the tests of the base. */
  readonly secondLook: 'on' | 'off';
  /** Minutes of a run after which a gate is asked again only before the merge; default 5. */
  readonly secondLookMinutes: number;
  /** A task without any gate is refused. */
  readonly requireGates: boolean;
  /** How the list of protected files is changed; undefined where it is not. */
  readonly protectedPaths: ProtectedChange | undefined;
  /** An external judge writes the report; andon only waits for it. */
  readonly judgeIsOutside: boolean;
  /** What a halt of one task does to the others. */
  readonly onHalt: 'park' | 'stop';
  /** What becomes of a contract that may write what the change of a parked task touches. */
  readonly onOverlap: 'wait' | 'start';
  readonly onCritical: 'judge' | 'fix';
  /** How merged tasks are written into the history of the target. */
  readonly history: HistorySettings;
  /** The default models of a new contract. */
  readonly roles: StandardRoles & {
    /** Who is asked in the floor manager's place; undefined = the usual one, where its program is there. */
    readonly floorManager?: string;
  };
  /** How several reviewers decide together. */
  readonly review: ReviewSettings;
  /** How long andon waits for an agent that is out of reach, and how often it tries. */
  readonly hold: { readonly leashHours: number; readonly retryMinutes: number };
  readonly cage: {
    readonly driver: 'bubblewrap' | 'sandbox-runtime' | 'none';
    readonly read: readonly string[];
    readonly env: readonly string[];
    /** What gates may use: what the user asks for, and the repository, which only lowers it. */
    readonly limits: { readonly user: AskedLimits; readonly project: AskedLimits };
  };
  /** Judgements between two tests of the judge with a known-bad change; 0 = never. */
  readonly canaryEvery: number;
  readonly agents: Readonly<Record<AgentId, ProgramSettings>>;
  /** What the user says of drivers; those that andon brings along need no word. */
  readonly drivers: Readonly<Record<string, WrittenDriver>>;
  readonly notifications: NotificationSettings;
  /** How the board is reached. */
  readonly web: WebSettings;
  readonly log: LogSettings;
  readonly clean: CleanSettings;
  /** When the daily digest is sent; undefined = never. */
  readonly digest: DigestSettings | undefined;
  /** When steps may be at work. */
  readonly hours: Hours;
  /** What all repositories of the user may use together. */
  readonly ceilings: Ceilings;
  /** How strictly rules are enforced; hard constraints always stop the line. */
  readonly enforcement: EnforcementSettings;
  /** How what agents say to each other is checked. */
  readonly messages: MessageSettings;
  /** How responses are checked against the rules. */
  readonly pipeline: PipelineSettings;
  /** Whom `--llm` asks. */
  readonly llm: LlmSettings;
  /** Things the user should know: keys that a repository may not set. */
  readonly notices: readonly string[];
}
