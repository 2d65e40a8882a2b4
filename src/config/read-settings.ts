import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { AGENT_IDS, mapAgents } from '../base/agents.ts';
import { onlyLimits, listRaisedLimits, toAsked } from './cage-limits.ts';
import { projectSchema } from './config-schema.ts';
import { userSchema } from './user-schema.ts';
import { toEnforcement } from './enforcement-settings.ts';
import { reviewersOf } from '../contract/task-contract-normalise.ts';
import { toGate } from '../contract/gate.ts';
import { toCeilings, toHours } from './night-settings.ts';
import { toDigest } from './digest-settings.ts';
import { toClean, toLog } from './housekeeping-settings.ts';
import { toWeb } from './web-settings.ts';
import { toHistory } from './history-settings.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';
import { projectLlmSchema, toLlm, userLlmSchema } from './llm-settings.ts';
import { toMessages } from './message-settings.ts';
import { pipelineSchema, toPipeline } from './pipeline-settings.ts';
import { toNotifications } from '../record/notification.ts';
import { toReview } from './review-settings.ts';
import { fillProgramDefaults } from './program-settings.ts';
import { readPipelineToml } from '../compat/toml.ts';
import { readRuleboundConfig } from '../compat/rulebound-config.ts';
import { checkConfig, parseConfig, type ConfigFile } from './config-file.ts';
import { PIPELINE_CONFIG, RULEBOUND_CONFIG, type Settings } from './config.ts';
import { findNearestWord } from '../base/nearest-word.ts';
import { foldProtectedEntry, PROTECTED_PATHS, type ProtectedChange } from '../base/protected-paths.ts';

/** Keys that only the user's own configuration may set; in a repository they are ignored with a warning. */
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
  'log',
  'clean',
  'hours',
  'ceilings',
];

/** Keys of `llm` about where questions go, with which key, and their cost. */
const usersLlm = (): readonly string[] =>
  Object.keys(userLlmSchema().shape).filter((key) => !(key in projectLlmSchema().shape));

/** The lock files whose content decides whether `setup` runs again. */
const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'requirements.txt',
  'requirements-dev.txt',
  'Pipfile.lock',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'package.json',
  'pyproject.toml',
];

/**
 * Merges the project's and the user's configuration; every fault at once, with file and place. `rulebound` and `toml` are
 * foreign files, converted by `compat/`: they count where the project's own has no value.
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
    ({ source: { name, line }, path, message }) =>
      `${name}${line === undefined ? '' : `:${line}`}: ${path === '$' ? '' : `${path}: `}${message}`,
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
  const inToml = checkConfig(pipelineFileSchema, apart.value, toml.name, faults);
  if (ours?.pipeline !== undefined && inToml?.pipeline !== undefined)
    faults.push(`${toml.name}: pipeline is also in ${project.name}; keep one of the two`);
  const theirs = checkConfig(userSchema, parseConfig(user, faults), user.name, faults);
  for (const { llm } of [theirs ?? {}, ...Object.values(theirs?.projects ?? {})]) {
    if (llm?.max_usd !== undefined && llm.usd_per_million === undefined)
      faults.push(`${user.name}: llm.max_usd needs llm.usd_per_million: andon keeps no list of prices`);
    if (llm?.agent !== undefined && llm.provider !== undefined)
      faults.push(`${user.name}: llm names both an agent and a provider; keep one of the two`);
  }
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
  notices.push(...listRaisedLimits(limits, project.name, user.name));
  const agents = { ...theirs.agents, ...here?.agents };
  const less = here?.unprotected_paths ?? theirs.unprotected_paths ?? [];
  const { change: protectedPaths, unknown } = readProtectedChange(ours.protected_paths ?? [], less);
  notices.push(...unknown.map((said) => `${user.name}: unprotected_paths: ${said}`));
  return success({
    target: ours.target,
    setup: ours.setup ?? [],
    setupInputs: ours.setup_inputs ?? LOCK_FILES,
    share: ours.share ?? [],
    conventions: ours.conventions ?? ['AGENTS.md', 'CLAUDE.md'],
    gates: (ours.gates ?? []).map(toGate),
    secondLook: here?.second_look ?? theirs.second_look ?? 'on',
    secondLookMinutes: here?.second_look_minutes ?? theirs.second_look_minutes ?? 5,
    requireGates: ours.require_gates ?? false,
    protectedPaths,
    judgeIsOutside: ours.judge === 'external',
    hold: { leashHours: ours.hold?.leash_hours ?? 24, retryMinutes: ours.hold?.retry_minutes ?? 1 },
    onHalt: ours.on_halt ?? 'park',
    onOverlap: ours.on_overlap ?? 'wait',
    onCritical: ours.local_review?.on_critical ?? 'judge',
    history: toHistory(ours.history),
    review: toReview(ours.review),
    roles: {
      implementers: [ours.roles?.implementer ?? 'qwen2.5-coder'].flat(),
      ...reviewersOf(ours.roles?.local_reviewer ?? 'deepseek-r1', ours.roles?.judge ?? 'claude-code-cli'),
      ...(ours.roles?.floor_manager === undefined ? {} : { floorManager: ours.roles.floor_manager }),
      ...(ours.roles?.proposal_reader === undefined ? {} : { proposalReader: ours.roles.proposal_reader }),
    },
    cage: {
      driver: cageParts.driver ?? 'bubblewrap',
      read: cageParts.read ?? [],
      env: cageParts.env ?? [],
      limits,
    },
    agents: mapAgents((id) => fillProgramDefaults(id, agents[id])),
    drivers: Object.fromEntries(
      Object.entries(agents).filter(([name]) => !AGENT_IDS.some((id) => id === name)),
    ) as Settings['drivers'],
    canaryEvery: (here?.canary ?? theirs.canary)?.every ?? 0,
    notifications: toNotifications(here?.notifications ?? theirs.notifications),
    digest: toDigest(theirs.digest),
    web: toWeb(theirs.web),
    log: toLog(theirs.log),
    clean: toClean(theirs.clean),
    hours: toHours(theirs.hours),
    ceilings: toCeilings(theirs.ceilings),
    enforcement: toEnforcement(ours.enforcement ?? {}, foreign.enforcement),
    messages: toMessages(ours.enforcement),
    pipeline: toPipeline(ours.pipeline ?? inToml?.pipeline),
    llm: toLlm({ user: here?.llm ?? theirs.llm, project: ours.llm, rulebound: foreign.llm }),
    notices,
  });
}

/** A file that holds only the pipeline. */
const pipelineFileSchema = lazy(() => z.strictObject({ pipeline: pipelineSchema().optional() }));

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
