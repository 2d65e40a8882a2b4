import { OLLAMA, WORKS_AT } from '../../base/agent-ids.ts';
import { findUserPath } from '../../base/environment-variables.ts';
import { renderConfigPage, type PageValues } from '../../project/config/config-page.ts';
import { readSettings } from '../../project/config/read-settings.ts';
import { detectStack, checkPrograms, listRootNames } from './detect-stack.ts';
import { isOnPath, isProgram } from '../../project/workspace/on-path.ts';
import { NO_JOURNAL } from '../../line/journal/open-journal.ts';
import { buildServices } from '../../line/services/open-services.ts';
import type { Services } from '../../line/services/services.ts';
import { findProfile, type AgentProfiles } from '../../project/config/agent-profiles.ts';
import { getConfiguredModel } from '../../agents/calls/resolve-driver.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { LeftOutGate, ProposedGate, Stack } from './stack.ts';
import { listDriverNames, readDriver } from '../../project/config/read-driver.ts';
import { listDriverSources } from '../../agents/drivers/open-drivers.ts';

export type NamedGate = Pick<ProposedGate, 'name' | 'run' | 'results'>;

/** What `init` asks about and writes; other keys of a page that is written again stay as they are. */
export interface ConfigValues extends PageValues {
  readonly target?: string | undefined;
  readonly setup?: readonly string[] | undefined;
  readonly share?: readonly string[] | undefined;
  readonly gates?: readonly NamedGate[] | undefined;
  readonly require_gates?: boolean | undefined;
  readonly roles?: { readonly implementer?: string | readonly string[]; readonly local_reviewer?: string } | undefined;
}

/** What there is around the questions of `init`: the stack, the branches, the agents. */
export interface InitContext {
  readonly found: readonly string[];
  readonly notes: readonly string[];
  /** Gates of the project that cannot be used here. */
  readonly leftOut: readonly LeftOutGate[];
  /** The roles without any configuration. */
  readonly standard: { readonly implementer: string; readonly reviewer: string };
  /** The models that ollama has; undefined where ollama is not here. */
  readonly models: readonly string[] | undefined;
  /** The drivers with a program on this machine, the judge's own last. */
  readonly agents: readonly FoundAgent[];
  /** Every driver, by which a flag may name a worker. */
  readonly drivers: readonly FoundAgent[];
  readonly profiles: AgentProfiles;
  /** Why a driver cannot work here now; undefined when it can. Starts its program. */
  readonly explainUnready: (agent: FoundAgent) => Promise<string | undefined>;
  /** Gates that use what is installed here, where the found setup cannot run. */
  readonly unprepared?: ConfigValues;
  /** Why a name is no branch to merge into; undefined when it is one. */
  readonly isBranch: (name: string) => Promise<string | undefined>;
}

/** Looks at a project: what its files propose, and what the questions about it can be answered with. */
export async function proposeConfig(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  { detect }: { readonly detect: boolean },
): Promise<{ readonly proposed: ConfigValues; readonly around: InitContext }> {
  const path = findUserPath(env);
  const drivers = listAgents(place, path);
  const agents = drivers.filter((agent) => agent.isHere);
  const names = drivers.map(({ driver }) => driver);
  const services = await buildServices(place, env, () => {}, NO_JOURNAL, 'examining', names);
  const { repository } = services;
  const target = await repository.target(undefined);
  const tracked = target.ok ? (await repository.files(target.value.commit)).map((file) => file.path) : undefined;
  const ignored = await repository.listIgnored(listRootNames(place.facts.root));
  const look = (files: readonly string[] | undefined): Stack =>
    checkPrograms(
      place.facts.root,
      detectStack(place.facts.root, files, { isHere: (program) => isOnPath(program, path), ignored }),
      path,
    );
  const stack = detect ? look(tracked) : NO_STACK;
  const unset = readSettings({ name: '', text: undefined }, { name: '', text: undefined }, '/');
  const { implementers, localReviewer } = unset.ok ? unset.value.roles : place.settings.roles;
  return {
    proposed: valuesOf(stack),
    around: {
      found: stack.names,
      notes: stack.notes,
      leftOut: stack.leftOut ?? [],
      standard: { implementer: implementers[0] ?? '', reviewer: localReviewer },
      models:
        detect && isHere(place.settings.ollama.program, path)
          ? worthNaming((await services.agents[WORKS_AT.implementer].models?.()) ?? [])
          : undefined,
      agents: detect ? agents : [],
      drivers,
      profiles: services.profiles,
      explainUnready: rememberByDriver((agent) => explainUnready(services, agent)),
      // A setup comes only from tracked files.
      ...(stack.setup.length > 0 && { unprepared: valuesOf(look([])) }),
      async isBranch(name) {
        const found = await repository.target(name);
        const isEmpty = (await repository.refsUnder('refs/heads/')).length === 0;
        return found.ok || isEmpty ? undefined : found.why;
      },
    },
  };
}

const NO_STACK: Stack = { names: [], setup: [], share: [], gates: [], notes: [] };

const valuesOf = ({ setup, share, gates }: Stack): ConfigValues => ({
  setup: some(setup),
  share: some(share),
  gates: some(gates.map(({ name, run, results }) => ({ name, run, ...(results !== undefined && { results }) }))),
});

/** Everything on this machine that can implement: the models of ollama but the usual reviewer, then programs. */
export const listImplementers = ({ models, agents, standard }: InitContext): readonly string[] => [
  ...(models?.length === 0 ? [standard.implementer] : (models ?? [])).filter(
    (name) => name !== standard.reviewer && !name.startsWith(`${standard.reviewer}:`),
  ),
  // The judge's own program implements only where there is no model that costs nothing.
  ...agents
    .filter((agent) => agent.implements && (agent.driver !== WORKS_AT.judge || (models ?? []).length === 0))
    .map(({ driver }) => driver),
];

/** The roles that differ from the defaults: a given or found implementer, and a reviewer beside it that can work here. */
export async function chooseRoles(
  context: InitContext,
  given: NonNullable<ConfigValues['roles']> = {},
): Promise<ConfigValues['roles']> {
  const { standard } = context;
  const implementer = [given.implementer ?? (await pickImplementer(context))].flat()[0] ?? standard.implementer;
  const reviewer = given.local_reviewer ?? (await pickReviewer(context, implementer));
  const roles = {
    ...(implementer === standard.implementer ? {} : { implementer }),
    ...(reviewer === standard.reviewer ? {} : { local_reviewer: reviewer }),
  };
  return Object.keys(roles).length === 0 ? undefined : roles;
}

/** The default model or its tag, another model, a program; the default where nothing is here. */
async function pickImplementer(context: InitContext): Promise<string> {
  const { models = [], agents, standard } = context;
  const model = findModel(models, standard.implementer) ?? models[0];
  if (model !== undefined) return model;
  const able = agents.filter((agent) => agent.implements);
  return ((await findReady(context, able)) ?? able[0])?.driver ?? standard.implementer;
}

/** The default model or its tag, another model than the implementer, another program; rather any than none. */
async function pickReviewer(context: InitContext, implementer: string): Promise<string> {
  const { models = [], agents, drivers, standard } = context;
  const model = findModel(models, standard.reviewer) ?? models.find((name) => name !== implementer);
  if (model !== undefined) return model;
  const able = agents.filter(({ reviews }) => reviews);
  const others = able.filter(({ driver }) => driver !== implementer);
  const self = drivers.filter(({ driver, reviews }) => reviews && driver === implementer);
  const ready = await findReady(context, [...others, ...self]);
  return (ready ?? others[0])?.driver ?? models[0] ?? able[0]?.driver ?? standard.reviewer;
}

async function findReady(
  { explainUnready: explain }: InitContext,
  agents: readonly FoundAgent[],
): Promise<FoundAgent | undefined> {
  for (const agent of agents) if ((await explain(agent)) === undefined) return agent;
  return undefined;
}

/** Names of drivers in flags that cannot do the work, in a sentence, and what to type next. */
export function explainUnable(
  { implementer, local_reviewer: reviewer }: NonNullable<ConfigValues['roles']>,
  { drivers, profiles }: InitContext,
): { readonly why: string; readonly remedy: string } | undefined {
  const named = [
    ...[implementer ?? []].flat().map((name) => ({ name, does: 'implements', verb: 'implement' }) as const),
    ...[reviewer ?? []].flat().map((name) => ({ name, does: 'reviews', verb: 'review' }) as const),
  ];
  for (const { name, does, verb } of named) {
    if (findProfile(profiles, name).found !== undefined) continue;
    if (name === WORKS_AT.implementer)
      return {
        why: `${name} needs a model: name the model itself`,
        remedy: 'Run `ollama list` to see the models here.',
      };
    const agent = drivers.find(({ driver }) => driver === name);
    if (agent?.[does] === false) {
      const able = drivers.filter((one) => one[does]).map(({ driver }) => driver);
      const remedy = 'Run `andon agents list` to see all drivers.';
      return { why: `the driver ${name} cannot ${verb}; these can: ${able.join(', ')}`, remedy };
    }
  }
  return undefined;
}

/** Sentences about the workers of a page: which drivers were taken, and what is missing for a name. */
export async function describeRoles(roles: ConfigValues['roles'], context: InitContext): Promise<readonly string[]> {
  const { standard, drivers, profiles, models = [] } = context;
  const workers = [
    ...[roles?.implementer ?? standard.implementer].flat().map((name) => ({ name, role: 'implementer' })),
    { name: roles?.local_reviewer ?? standard.reviewer, role: 'reviewer' },
  ];
  const notes = await Promise.all(
    workers.map(async ({ name, role }) => {
      const { driver = name } = findProfile(profiles, name).found ?? {};
      const agent = drivers.find((one) => one.driver === driver);
      if (agent !== undefined) {
        const why = await context.explainUnready(agent);
        return why === undefined
          ? `${role}: ${name}, by the driver ${driver}`
          : `${role}: ${name}, by the driver ${driver}, which cannot work yet: ${why}. Mend that and run \`andon agents test ${name}\`.`;
      }
      if (findProfile(profiles, name).found !== undefined || isListed(models, name)) return undefined;
      const missing =
        context.models === undefined
          ? 'ollama is not installed: get it from https://ollama.com, then'
          : 'ollama does not list it:';
      const other = drivers.find((one) => one.isHere && (role === 'reviewer' ? one.reviews : one.implements));
      return `${role}: no agent profile or driver is called ${name}, so it is an ollama model; ${missing} \`ollama pull ${name}\`, or \`andon init --${role} ${other?.driver ?? 'NAME'}\``;
    }),
  );
  return notes.filter((note) => note !== undefined);
}

/** Whether ollama has this model; the ones that andon made itself are not among those that are proposed. */
const isListed = (models: readonly string[], name: string): boolean =>
  name.startsWith('andon-') || models.includes(name.replace(/:latest$/, ''));

const findModel = (models: readonly string[], wanted: string): string | undefined =>
  models.find((name) => name === wanted) ?? models.find((name) => name.startsWith(`${wanted}:`));

/** What the reader of the configuration would say against these values, in its own words. */
export function checkValues(values: ConfigValues): string | undefined {
  const read = readSettings({ name: '', text: renderConfigPage(values) }, { name: '', text: undefined }, '/');
  return read.ok ? undefined : read.why[0]?.replace(/^: /, '');
}

/** Names as they are typed; those that andon made itself for a window, and any that could be read as more than a name, are not. */
const worthNaming = (names: readonly string[]): readonly string[] =>
  names
    .map((name) => name.replace(/:latest$/, ''))
    .filter((name) => /^(?!andon-)[\w.][\w./:@-]*$/.test(name))
    .filter((name) => checkValues({ roles: { implementer: name } }) === undefined);

/** A project that has gates wants them asked of every task, unless its page says otherwise; one that has none cannot. */
export const demandGates = (values: ConfigValues): ConfigValues => ({
  ...values,
  require_gates: (values.gates ?? []).length > 0 ? (values.require_gates ?? true) : undefined,
});

export const formatGate = ({ name, run }: NamedGate): string => `${name}=${run}`;

const some = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);

/** A driver, and the work that it can do. */
export interface FoundAgent {
  readonly driver: string;
  /** It implements only by editing the files itself. */
  readonly edits: boolean;
  readonly implements: boolean;
  readonly reviews: boolean;
  /** It has a program of its own, which is on this machine. */
  readonly isHere: boolean;
}

/** Every driver that can be read, but ollama, whose models are named instead; the judge's own comes last. No program is started. */
function listAgents(
  place: Pick<Workspace, 'settings' | 'userConfig'>,
  path: string | undefined,
): readonly FoundAgent[] {
  const sources = listDriverSources(place);
  const declared = listDriverNames(sources)
    .filter((name) => name !== OLLAMA)
    .flatMap((driver) => {
      const read = readDriver(driver, sources);
      if (!read.ok) return [];
      if (!('calls' in read.value)) return [{ driver, edits: false, implements: true, reviews: true, isHere: false }];
      const { program, calls } = read.value;
      const edits = calls.text === undefined && calls.edit !== undefined;
      return [
        {
          driver,
          edits,
          implements: edits || calls.text !== undefined,
          reviews: calls.review !== undefined,
          isHere: isHere(program, path),
        },
      ];
    });
  const isJudge = ({ driver }: FoundAgent): boolean => driver === WORKS_AT.judge;
  return [...declared.filter((one) => !isJudge(one)), ...declared.filter(isJudge)];
}

/** A program is started once for all questions about it. */
function rememberByDriver(explain: InitContext['explainUnready']): InitContext['explainUnready'] {
  const known = new Map<string, ReturnType<typeof explain>>();
  return (agent) => {
    const answer = known.get(agent.driver) ?? explain(agent);
    known.set(agent.driver, answer);
    return answer;
  };
}

/** Asks the program for its version and its login, or for an editing one its key and its cage. */
async function explainUnready(
  { agents, settings }: Pick<Services, 'agents' | 'settings'>,
  { driver, edits }: FoundAgent,
): Promise<string | undefined> {
  const agent = agents[driver];
  if (agent === undefined) return `there is no driver ${driver}`;
  const found = edits ? await agent.fit?.() : await agent.probe(getConfiguredModel(settings, driver));
  if (found?.ok === false) return found.why;
  return edits ? agent.editing?.unavailable() : undefined;
}

const isHere = (program: string, path: string | undefined): boolean =>
  program.includes('/') ? isProgram(program) : isOnPath(program, path);
