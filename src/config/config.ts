import { z } from 'zod';
import { once } from '../base/once.ts';
import { AGENT_IDS, forEveryAgent } from '../base/agents.ts';
import type { AgentId } from '../base/agents.ts';
import { onlyLimits, raised, toAsked } from './cage-limits.ts';
import type { AskedLimits } from './cage-limits.ts';
import { projectSchema, userSchema } from './config-schema.ts';
import { toEnforcement } from './enforcement-settings.ts';
import type { EnforcementSettings } from './enforcement-settings.ts';
import { reviewersOf } from '../contract/task-contract-normalise.ts';
import { toGate } from '../contract/gate.ts';
import type { GateCommand } from '../contract/gate.ts';
import type { WrittenDriver } from './driver-schema.ts';
import { toCeilings, toHours } from './night-settings.ts';
import type { Ceilings, Hours } from './night-settings.ts';
import { toDigest } from './digest-settings.ts';
import { toWeb } from './web-settings.ts';
import type { WebSettings } from './web-settings.ts';
import type { DigestSettings } from './digest-settings.ts';
import { failure, success } from '../base/outcome.ts';
import { projectLlmSchema, toLlm, userLlmSchema } from './llm-settings.ts';
import type { LlmSettings } from './llm-settings.ts';
import { toMessages } from './message-settings.ts';
import type { MessageSettings } from '../rule-model/message-settings.ts';
import { pipelineSchema, toPipeline } from './pipeline-settings.ts';
import type { PipelineSettings } from './pipeline-settings.ts';
import { toNotifications } from '../record/notification.ts';
import type { NotificationSettings } from '../record/notification.ts';
import type { Outcome } from '../base/outcome.ts';
import { changeOfProtected } from './protected-change.ts';
import type { ProtectedChange } from '../base/protected-paths.ts';
import { toReview } from './review-settings.ts';
import type { ReviewSettings } from './review-settings.ts';
import { programOf } from './program-settings.ts';
import type { ProgramSettings } from './program-settings.ts';
import { readRuleboundConfig } from './rulebound-config.ts';
import { checkConfig, parseConfig, parseConfigToml } from './config-file.ts';
import type { ConfigFile } from './config-file.ts';

/** Where a project is configured: andon's own file, and that of the tool whose rules andon reads too. */
export const CONFIG = '.andon/config.yaml';
export const RULEBOUND_CONFIG = '.rulebound/config.json';
/** The pipeline alone, for who writes it in TOML. */
export const PIPELINE_CONFIG = '.andon/pipeline.toml';

/** Keys that only the user's own configuration may set; a repository that tries is told so, and they are ignored. */
const USER_ONLY = [
  'cage',
  'agents',
  'notifications',
  'projects',
  'budget',
  'canary',
  'unprotected_paths',
  'digest',
  'web',
  'hours',
  'ceilings',
];

/** Keys of `llm` that say where questions go, by which key, and what they may cost. */
const usersLlm = (): readonly string[] =>
  Object.keys(userLlmSchema().shape).filter((key) => !(key in projectLlmSchema().shape));

/** Everything that is configured for one project, defaults filled in. */
export interface Settings {
  readonly target: string | undefined;
  readonly setup: readonly string[];
  readonly setupInputs: readonly string[];
  readonly share: readonly string[];
  readonly gates: readonly GateCommand[];
  /** A task without any gate is refused. */
  readonly requireGates: boolean;
  /** How the list of protected files is changed; undefined where it is not. */
  readonly protectedPaths: ProtectedChange | undefined;
  /** The judge is run by somebody outside; andon only waits for the report. */
  readonly judgeIsOutside: boolean;
  /** What a halt of one task does to the others. */
  readonly onHalt: 'park' | 'stop';
  /** What becomes of a contract that may write what the change of a parked task touches. */
  readonly onOverlap: 'wait' | 'start';
  readonly onCritical: 'judge' | 'fix';
  /** The models that a new contract names when nobody says otherwise. */
  readonly roles: {
    readonly implementers: readonly string[];
    readonly localReviewer: string;
    readonly reviewers?: readonly string[];
    /** Who is asked in the floor manager's place; undefined = nobody, and andon's own policy decides. */ readonly floorManager?: string;
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
  /** So many judgements lie between two tries of the judge with a known-bad change; 0 = it is never tried. */
  readonly canaryEvery: number;
  readonly agents: Readonly<Record<AgentId, ProgramSettings>>;
  /** What the user says of drivers; those that andon brings along need no word. */
  readonly drivers: Readonly<Record<string, WrittenDriver>>;
  readonly notifications: NotificationSettings;
  /** How the board is reached. */
  readonly web: WebSettings;
  /** When a digest is told every day; undefined = never. */
  readonly digest: DigestSettings | undefined;
  /** When steps may be at work. */
  readonly hours: Hours;
  /** What all repositories of the user may use together. */
  readonly ceilings: Ceilings;
  /** How hard rules are enforced; hard constraints stop the line whatever stands here. */
  readonly enforcement: EnforcementSettings;
  /** How what agents say to each other is checked. */
  readonly messages: MessageSettings;
  /** How responses are held against the rules. */
  readonly pipeline: PipelineSettings;
  /** Whom `--llm` asks. */
  readonly llm: LlmSettings;
  /** Things the user should know: keys that a repository may not set. */
  readonly notices: readonly string[];
}

/** The lock files whose content decides whether `setup` runs again. */
const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'requirements.txt',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
  'package.json',
  'pyproject.toml',
];

/**
 * Puts the project's and the user's configuration together; every fault at once, with file and place. `rulebound` is the
 * file of the tool whose rules andon reads too: it counts where the project's own says nothing.
 */
export function readSettings(
  project: ConfigFile,
  user: ConfigFile,
  root: string,
  rulebound: ConfigFile = { name: RULEBOUND_CONFIG, text: undefined },
  toml: ConfigFile = { name: PIPELINE_CONFIG, text: undefined },
): Outcome<Settings, readonly string[]> {
  const theirTool = readRuleboundConfig(rulebound);
  const faults = theirTool.faults.map(
    ({ source: { name, line }, path, message }) =>
      `${name}${line === undefined ? '' : `:${line}`}: ${path}: ${message}`,
  );
  const notices: string[] = [];
  const written = parseConfig(project, faults);
  for (const key of USER_ONLY) {
    if (!(key in written)) continue;
    if (key === 'cage' && onlyLimits(written[key])) continue;
    delete written[key];
    notices.push(
      `${project.name} sets \`${key}\`, which a repository may not decide; it is ignored. Set it in ${user.name}.`,
    );
  }
  notices.push(...withoutUsersLlm(written, project.name, user.name));
  const ours = checkConfig(projectSchema, written, project.name, faults);
  const apart = parseConfigToml(toml, faults);
  const inToml = checkConfig(pipelineFileSchema, apart, toml.name, faults);
  if (ours?.pipeline !== undefined && inToml?.pipeline !== undefined)
    faults.push(`${toml.name}: pipeline stands in ${project.name} as well; keep one of the two`);
  const theirs = checkConfig(userSchema, parseConfig(user, faults), user.name, faults);
  for (const { llm } of [theirs ?? {}, ...Object.values(theirs?.projects ?? {})])
    if (llm?.max_usd !== undefined && llm.usd_per_million === undefined)
      faults.push(`${user.name}: llm.max_usd needs llm.usd_per_million: andon keeps no list of prices`);
  const names = new Set<string>();
  for (const { name } of ours?.gates ?? []) {
    if (names.has(name)) faults.push(`${project.name}: two gates are called "${name}"`);
    names.add(name);
  }
  if (faults.length > 0 || ours === undefined || theirs === undefined) return failure(faults);
  const here = theirs.projects?.[root];
  const cage = here?.cage ?? theirs.cage;
  const cageParts = typeof cage === 'string' ? { driver: cage } : (cage ?? {});
  const limits = { user: toAsked(cageParts.limits), project: toAsked(ours.cage?.limits) };
  notices.push(...raised(limits, project.name, user.name));
  const agents = { ...theirs.agents, ...here?.agents };
  const less = here?.unprotected_paths ?? theirs.unprotected_paths ?? [];
  const { change: protectedPaths, unknown } = changeOfProtected(ours.protected_paths ?? [], less);
  notices.push(...unknown.map((said) => `${user.name}: unprotected_paths: ${said}`));
  return success({
    target: ours.target,
    setup: ours.setup ?? [],
    setupInputs: ours.setup_inputs ?? LOCK_FILES,
    share: ours.share ?? [],
    gates: (ours.gates ?? []).map(toGate),
    requireGates: ours.require_gates ?? false,
    protectedPaths,
    judgeIsOutside: ours.judge === 'external',
    hold: { leashHours: ours.hold?.leash_hours ?? 24, retryMinutes: ours.hold?.retry_minutes ?? 1 },
    onHalt: ours.on_halt ?? 'park',
    onOverlap: ours.on_overlap ?? 'wait',
    onCritical: ours.local_review?.on_critical ?? 'judge',
    review: toReview(ours.review),
    roles: {
      implementers: [ours.roles?.implementer ?? 'qwen2.5-coder'].flat(),
      ...reviewersOf(ours.roles?.local_reviewer ?? 'deepseek-r1'),
      ...(ours.roles?.floor_manager === undefined ? {} : { floorManager: ours.roles.floor_manager }),
    },
    cage: {
      driver: cageParts.driver ?? 'bubblewrap',
      read: cageParts.read ?? [],
      env: cageParts.env ?? [],
      limits,
    },
    agents: forEveryAgent((id) => programOf(id, agents[id])),
    drivers: Object.fromEntries(
      Object.entries(agents).filter(([name]) => !AGENT_IDS.some((id) => id === name)),
    ) as Settings['drivers'],
    canaryEvery: (here?.canary ?? theirs.canary)?.every ?? 0,
    notifications: toNotifications(here?.notifications ?? theirs.notifications),
    digest: toDigest(theirs.digest),
    web: toWeb(theirs.web),
    hours: toHours(theirs.hours),
    ceilings: toCeilings(theirs.ceilings),
    enforcement: toEnforcement(ours.enforcement, theirTool.enforcement),
    messages: toMessages(ours.enforcement),
    pipeline: toPipeline(ours.pipeline ?? inToml?.pipeline),
    llm: toLlm({ user: here?.llm ?? theirs.llm, project: ours.llm, rulebound: theirTool.llm }),
    notices,
  });
}

/** A file that holds the pipeline and nothing else. */
const pipelineFileSchema = once(() => z.strictObject({ pipeline: pipelineSchema().optional() }));

/** Takes from a repository's `llm` what only a user may say, and says so. */
function withoutUsersLlm(written: Record<string, unknown>, name: string, userName: string): string[] {
  const { llm } = written;
  if (typeof llm !== 'object' || llm === null) return [];
  const tried = usersLlm().filter((key) => Object.hasOwn(llm, key));
  written['llm'] = Object.fromEntries(Object.entries(llm).filter(([key]) => !tried.includes(key)));
  return tried.map(
    (key) => `${name} sets \`llm.${key}\`, which a repository may not decide; it is ignored. Set it in ${userName}.`,
  );
}
