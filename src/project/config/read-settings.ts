import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { OLLAMA } from '../../base/agent-ids.ts';
import { onlyLimits, listRaisedLimits } from '../../sandbox/cage-limits.ts';
import { projectSchema } from './config-schema.ts';
import { cleanSchema, logSchema, userSchema, type ollamaSchema } from './user-schema.ts';
import { toCamelKeys } from '../../base/letter-case.ts';
import type { AgentRole } from './config-words.ts';
import { reviewersOf } from '../contract/task-contract.ts';
import { toGate } from '../contract/gate.ts';
import { toCeilings, toHours } from './night-settings.ts';
import { toHistory } from './history-settings.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { projectLlmSchema, toLlm, userLlmSchema } from './llm-settings.ts';
import type { MessageSettings } from './message-settings.ts';
import { pipelineSchema, toPipeline } from './pipeline-settings.ts';
import { toNotifications, parseMinute } from './notification.ts';
import { readPipelineToml } from './read-toml.ts';
import { readRuleboundConfig } from './rulebound-config.ts';
import { formatRuleSource } from './rule-fault.ts';
import { checkConfig, parseConfig, type ConfigFile } from './config-file.ts';
import type { WrittenDriver } from './driver-schema.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { getValueAt } from '../../base/schema-faults.ts';
import { foldProtectedEntry, PROTECTED_PATHS, type ProtectedChange } from '../../base/protected-paths.ts';

/** The configuration files of a project: andon's own, and that of the tool whose rules andon also reads. */
export const CONFIG = '.andon/config.yaml';
export const RULEBOUND_CONFIG = '.rulebound/config.json';
/** The pipeline alone, in TOML. */
export const PIPELINE_CONFIG = '.andon/pipeline.toml';

/** Whether only the user's own configuration may set a key; in a repository it is ignored with a warning. */
const isUserOnly = (key: string, value: unknown): boolean => {
  if (key === 'cage') return !onlyLimits(value);
  if (key === 'budget') return true; // of older configurations
  return !Object.hasOwn(projectSchema().shape, key) && Object.hasOwn(userSchema().shape, key);
};

/** Keys of `llm` about where questions go, with which key, and their cost. */
const usersLlm = (): readonly string[] =>
  Object.keys(userLlmSchema().shape).filter((key) => !(key in projectLlmSchema().shape));

/**
 * Merges the project's and the user's configuration; every fault at once, with file and place. `rulebound` and `toml` are
 * foreign files: they count where the project's own has no value.
 */
export function readSettings(
  project: ConfigFile,
  user: ConfigFile,
  root: string,
  rulebound: ConfigFile = { name: RULEBOUND_CONFIG, text: undefined },
  toml: ConfigFile = { name: PIPELINE_CONFIG, text: undefined },
): Outcome<Settings, readonly string[]> {
  const foreign = readRuleboundConfig(rulebound);
  const apart = readPipelineToml(toml);
  const faults = [...foreign.faults, ...apart.faults].map(
    ({ source, path, message }) => `${formatRuleSource(source)}: ${path === '$' ? '' : `${path}: `}${message}`,
  );
  const notices: string[] = [];
  const written = parseConfig(project, faults);
  for (const [key, value] of Object.entries(written)) {
    if (!isUserOnly(key, value)) continue;
    delete written[key];
    notices.push(
      `${project.name} sets \`${key}\`, which a repository may not decide; it is ignored. Set it in ${user.name}.`,
    );
  }
  notices.push(...withoutUsersLlm(written, project.name, user.name));
  const ours = checkConfig(projectSchema, written, project.name, faults);
  const inToml = checkConfig(pipelineFileSchema, apart.value, toml.name, faults);
  if (ours?.pipeline !== undefined && inToml?.pipeline !== undefined)
    faults.push(`${toml.name}: pipeline is also in ${project.name}; keep one of the two`);
  const usersOwn = parseConfig(user, faults);
  notices.push(...withoutFallbacks(usersOwn, user.name));
  // An empty file of the user needs no schema; that of the project gives the defaults.
  const theirs = Object.keys(usersOwn).length === 0 ? {} : checkConfig(userSchema, usersOwn, user.name, faults);
  for (const { llm } of [theirs ?? {}, ...Object.values(theirs?.projects ?? {})])
    if (llm?.agent !== undefined && llm.provider !== undefined)
      faults.push(`${user.name}: llm names both an agent and a provider; keep one of the two`);
  const names = new Set<string>();
  for (const { name } of ours?.gates ?? []) {
    if (names.has(name)) faults.push(`${project.name}: two gates are called "${name}"`);
    names.add(name);
  }
  if (faults.length > 0 || ours === undefined || theirs === undefined) return failure(faults);
  const here = theirs.projects?.[root];
  const sources = {
    project: { ...ours, pipeline: ours.pipeline ?? inToml?.pipeline },
    user: { ...theirs, ...here, agents: { ...theirs.agents, ...here?.agents } },
    rulebound: foreign,
    names: { project: project.name, user: user.name },
  };
  return success(mergeSettings(sources, notices));
}

/** The same for a project whose files are read by name; settings of the same texts may be `known`. */
export function readProjectSettings(
  text: (name: string) => string | undefined,
  user: ConfigFile,
  root: string,
  known?: KnownSettings,
): ReturnType<typeof readSettings> {
  const file = (name: string): ConfigFile => ({ name, text: text(name) });
  const texts = [file(CONFIG), user, root, file(RULEBOUND_CONFIG), file(PIPELINE_CONFIG)] as const;
  return known === undefined ? readSettings(...texts) : known.read(texts, () => readSettings(...texts));
}

/** Settings that were read before, by the texts they were read from. */
export interface KnownSettings {
  read(texts: unknown, make: () => ReturnType<typeof readSettings>): ReturnType<typeof readSettings>;
  /** Writes new settings to the disk. */
  keep(): void;
}

interface Sources {
  readonly project: z.infer<ReturnType<typeof projectSchema>>;
  /** The user's general part under that of the project. */
  readonly user: z.infer<ReturnType<typeof userSchema>>;
  readonly rulebound: ReturnType<typeof readRuleboundConfig>;
  readonly names: { readonly project: string; readonly user: string };
}

/** Every setting of one project, defaults filled in. */
export type Settings = Readonly<ReturnType<typeof mergeSettings>>;

/** How strictly `check`, `ci` and the hook enforce rules; hard constraints stop the line in every mode. */
export type EnforcementSettings = Settings['enforcement'];

/** A user's limits over all repositories: hours and ceilings. */
export type UserLimits = Pick<Settings, 'hours' | 'ceilings'>;

function mergeSettings({ project, user, rulebound, names }: Sources, notices: string[]) {
  const cage = typeof user.cage === 'string' ? { driver: user.cage } : (user.cage ?? {});
  const limits = { user: toCamelKeys(cage.limits ?? {}), project: toCamelKeys(project.cage?.limits ?? {}) };
  notices.push(...listRaisedLimits(limits, names.project, names.user));
  const less = user.unprotected_paths ?? [];
  const { change: protectedPaths, unknown } = readProtectedChange(project.protected_paths, less);
  notices.push(...unknown.map((text) => `${names.user}: unprotected_paths: ${text}`));
  const { roles, review } = project;
  const { agents = {} } = user;
  const log = logSchema().parse(user.log ?? {});
  return {
    target: project.target,
    setup: project.setup as readonly string[],
    setupInputs: project.setup_inputs as readonly string[],
    share: project.share as readonly string[],
    /** Names of files with the project's conventions. */
    conventions: project.conventions,
    gates: project.gates.map(toGate),
    /** Whether gates also run with the tests of the base. */
    secondLook: user.second_look ?? 'on',
    /** Minutes of a run after which that happens only before the merge. */
    secondLookMinutes: user.second_look_minutes ?? 5,
    requireGates: project.require_gates,
    /** The changes to the list of protected files; undefined without any. */
    protectedPaths,
    /** An external judge writes the report; andon only waits for it. */
    judgeIsOutside: project.judge === 'external',
    hold: { leashHours: project.hold.leash_hours, retryMinutes: project.hold.retry_minutes },
    onHalt: project.on_halt,
    onOverlap: project.on_overlap,
    onCritical: project.local_review.on_critical,
    history: toHistory(project.history),
    /** How several reviewers decide together: who must vote (undefined: all), and whose voice decides a conflict. */
    review: {
      quorum: review.quorum === 0 ? undefined : review.quorum,
      priority: review.role_priority as readonly AgentRole[],
    },
    /** The default models of a new contract. */
    roles: {
      implementers: [roles.implementer].flat(),
      ...reviewersOf(roles.local_reviewer, roles.judge),
      /** Undefined = the usual one, where its program is installed. */
      floorManager: roles.floor_manager,
      /** Undefined = the first of the other roles that answers. */
      proposalReader: roles.proposal_reader,
    },
    cage: { driver: cage.driver ?? 'bubblewrap', read: cage.read ?? [], env: cage.env ?? [], limits },
    ollama: fillProgramDefaults(agents.ollama),
    /** The user's settings of drivers; shipped ones need none. */
    drivers: Object.fromEntries(Object.entries(agents).filter(([name]) => name !== OLLAMA)) as Readonly<
      Record<string, WrittenDriver>
    >,
    /** Judgements between two tests of the judge with a known-bad change; 0 = never. */
    canaryEvery: user.canary?.every ?? 0,
    notifications: toNotifications(user.notifications),
    /** Minutes since midnight at which the daily digest is sent; undefined = never. */
    digestAt: user.digest && parseMinute(user.digest.at),
    /** Links of notifications lead to this origin; undefined = no links. */
    web: { url: user.web?.url === undefined ? undefined : new URL(user.web.url).origin },
    log: { keepDays: log.keep_days, bytesPerDay: log.mb_per_day * MB },
    clean: { afterDays: cleanSchema().parse(user.clean ?? {}).after_days },
    hours: toHours(user.hours),
    ceilings: toCeilings(user.ceilings),
    enforcement: toEnforcement(project.enforcement, rulebound.enforcement),
    messages: project.enforcement as MessageSettings,
    pipeline: toPipeline(project.pipeline),
    llm: toLlm({ user: user.llm, project: project.llm, rulebound: rulebound.llm }),
    /** Keys that have no effect where they are, or none any more. */
    notices: notices as readonly string[],
  };
}

/** How `ollama` is started. */
export type ProgramSettings = ReturnType<typeof fillProgramDefaults>;

const fillProgramDefaults = (written: z.infer<ReturnType<typeof ollamaSchema>> = {}) => ({
  program: written.program ?? OLLAMA,
  args: (written.args ?? []) as readonly string[],
  env: (written.env ?? {}) as Readonly<Record<string, string>>,
  model: written.model,
  /** Replacements for models of contracts. */
  models: (written.models ?? {}) as Readonly<Record<string, string>>,
});

const MB = 1024 * 1024;

type WrittenEnforcement = Pick<
  Sources['project']['enforcement'],
  'mode' | 'score_threshold' | 'auto_promote' | 'quality'
>;

/** The project's own enforcement, then that of the tool whose rules it also has, then the defaults. */
const toEnforcement = (ours: WrittenEnforcement, theirs: WrittenEnforcement) => ({
  mode: ours.mode ?? theirs.mode ?? 'advisory',
  scoreThreshold: ours.score_threshold ?? theirs.score_threshold ?? 70,
  autoPromote: ours.auto_promote ?? theirs.auto_promote ?? true,
  ...(ours.quality === 'high' ? { quality: ours.quality } : {}),
});

const pipelineFileSchema = lazy(() => z.strictObject({ pipeline: pipelineSchema().optional() }));

/** Removes a key of older configurations, with a notice: `agents.ollama.fallbacks`, which lists of implementers replace. */
function withoutFallbacks(written: Record<string, unknown>, name: string): string[] {
  const places = [['agents'], ...Object.keys(written['projects'] ?? {}).map((root) => ['projects', root, 'agents'])];
  return places.flatMap((place) => {
    const ollama = getValueAt(written, [...place, 'ollama']);
    if (typeof ollama !== 'object' || ollama === null || !Object.hasOwn(ollama, 'fallbacks')) return [];
    delete (ollama as { fallbacks?: unknown }).fallbacks;
    const key = [...place, 'ollama', 'fallbacks'].join('.');
    return [
      `${name}: ${key} has no effect any more; name the implementers in their order in \`roles: { implementer: [one, two] }\``,
    ];
  });
}

/** Removes a user's keys from a repository's `llm`, with a notice. */
function withoutUsersLlm(written: Record<string, unknown>, name: string, userName: string): string[] {
  const { llm } = written;
  if (typeof llm !== 'object' || llm === null) return [];
  const tried = usersLlm().filter((key) => Object.hasOwn(llm, key));
  written['llm'] = Object.fromEntries(Object.entries(llm).filter(([key]) => !tried.includes(key)));
  return tried.map(
    (key) => `${name} sets \`llm.${key}\`, which a repository may not decide; it is ignored. Set it in ${userName}.`,
  );
}

/**
 * The changes to the list of protected files: what a project adds, what its user removes, and removed entries that do
 * not exist.
 */
function readProtectedChange(
  more: readonly string[],
  less: readonly string[],
): { readonly change: ProtectedChange | undefined; readonly unknown: readonly string[] } {
  const out = new Set(less.map(foldProtectedEntry));
  const known = new Set([...PROTECTED_PATHS, ...more].map(foldProtectedEntry));
  const kept = more.filter((entry) => !out.has(foldProtectedEntry(entry)));
  return {
    change: kept.length === 0 && less.length === 0 ? undefined : { more: kept, less },
    unknown: less.flatMap((entry) => {
      if (ALWAYS.has(foldProtectedEntry(entry))) return [`${entry} is protected always`];
      if (known.has(foldProtectedEntry(entry))) return [];
      const nearest = findNearestWord(entry, [...PROTECTED_PATHS, ...more]);
      return [`the list has no entry ${entry}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`];
    }),
  };
}

const ALWAYS: ReadonlySet<string> = new Set(['.git', '_handoff', '.andon']);
