import { OLLAMA, WORKS_AT } from '../../base/agent-ids.ts';
import type { RoleStation } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { findProfile, type AgentProfile, type AgentProfiles } from '../../project/config/agent-profiles.ts';
import type { Settings } from '../../project/config/read-settings.ts';
import type { Agent, Agents } from '../agent.ts';

/** Where a name is looked up: agents, configuration and profiles. */
export interface WorkerSources {
  readonly agents: Agents;
  readonly settings: Settings;
  readonly profiles: AgentProfiles;
}

/** Who works at a station. */
export interface Worker {
  readonly agent: Agent;
  /** Empty: the one that the program takes by itself. */
  readonly model: string;
  /** What a profile takes from the time of one call, in minutes. */
  readonly limits: AgentProfile['limits'];
  /** As an implementer it works on the files itself. */
  readonly edits: boolean;
}

/** The program and the model behind a name at a station: those of the profile of that name, else the model of that name in the program that usually works there. */
export function resolveByName(services: WorkerSources, station: RoleStation, name: string): Worker {
  const worker = profileWorker(services, name);
  if (worker !== undefined) return worker;
  const id = WORKS_AT[station];
  const isUsualJudge = station === 'judge' && name === 'claude-code-cli';
  const model = isUsualJudge ? getConfiguredModel(services.settings, id) : name;
  return { agent: services.agents[id], model, limits: NO_LIMITS, edits: false };
}

const NO_LIMITS: AgentProfile['limits'] = { idleMinutes: undefined, hardMinutes: undefined };

/** Whether a program implements on files alone. False for one that only reviews. */
const onlyEdits = ({ writesText, editing }: Agent): boolean => writesText === false && editing !== undefined;

/** The program and the model of a profile, or of a driver by itself; undefined when the name is neither. */
export function resolveDriver(services: WorkerSources, name: string): Worker | undefined {
  const agent = services.agents[name];
  const worker = profileWorker(services, name);
  if (worker !== undefined || agent === undefined) return worker;
  return {
    agent,
    model: getConfiguredModel(services.settings, name),
    limits: NO_LIMITS,
    edits: onlyEdits(agent),
  };
}

/** The agent that `llm.agent` names for questions about rules, or why it cannot answer; undefined where none is named. */
export function resolveAnswerer({
  agents,
  settings,
}: Pick<WorkerSources, 'agents' | 'settings'>): Outcome<Worker, string> | undefined {
  const { agent: name, model } = settings.llm;
  if (name === undefined) return undefined;
  const worker = resolveDriver({ agents, settings, profiles: { profiles: [], faults: [] } }, name);
  if (worker === undefined) return failure(`llm.agent: there is no agent ${name}`);
  if (!worker.agent.worksAt.includes('local-reviewer')) return failure(`llm.agent: ${name} answers by no schema`);
  const named = { ...worker, model: model ?? worker.model };
  return named.model === '' && worker.agent.localModels !== undefined
    ? failure(`llm.agent: ${name} needs a model (llm.model)`)
    : success(named);
}

/** The program and the model of a profile. Throws for an unknown agent, which is checked before. */
export function resolveProfileWorker(services: WorkerSources, profile: string): Worker {
  const worker = profileWorker(services, profile);
  if (worker === undefined) throw new Error(`the profile ${profile} names no driver that is there`);
  return worker;
}

function profileWorker({ agents, settings, profiles }: WorkerSources, name: string): Worker | undefined {
  const { found } = findProfile(profiles, name);
  const agent = found?.driver === undefined ? undefined : agents[found.driver];
  if (found === undefined || agent === undefined) return undefined;
  const edits = found.edits || onlyEdits(agent);
  return { agent, model: found.model ?? getConfiguredModel(settings, agent.id), limits: found.limits, edits };
}

/** The model that the user configured for a driver, or an empty text. */
export const getConfiguredModel = ({ ollama, drivers }: Settings, driver: string): string =>
  (driver === OLLAMA ? ollama.model : drivers[driver]?.model) ?? '';
