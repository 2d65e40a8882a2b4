import { WORKS_AT, isAgentId } from '../../base/agents.ts';
import { findUserPath } from '../../base/base-folders.ts';
import { renderConfigPage, type PageValues } from '../../project/config/config-page.ts';
import { readSettings, type Settings } from '../../project/config/read-settings.ts';
import { detectStack, checkPrograms, listRootNames } from './detect-stack.ts';
import { isOnPath, isProgram } from '../../project/workspace/on-path.ts';
import { NO_JOURNAL } from '../../line/state/open-journal.ts';
import { buildServices } from '../../line/services/open-services.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { LeftOutGate, ProposedGate, Stack } from './stack.ts';
import { listDriverNames, readDriver } from '../../project/config/drivers.ts';
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
  readonly agents: readonly FoundAgent[];
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
  const services = await buildServices(place, env, () => {}, NO_JOURNAL);
  const { repository } = services;
  const target = await repository.target(undefined);
  const tracked = target.ok ? (await repository.files(target.value.commit)).map((file) => file.path) : undefined;
  const ignored = await repository.listIgnored(listRootNames(place.facts.root));
  const path = findUserPath(env);
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
        detect && isHere(place.settings.agents[WORKS_AT.implementer].program, path)
          ? worthNaming((await services.agents[WORKS_AT.implementer].models?.()) ?? [])
          : undefined,
      agents: detect ? findAgents(place, path) : [],
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
  ...agents.filter((agent) => agent.implements).map(({ driver }) => driver),
];

/** The roles that differ from the defaults: an implementer, and a reviewer beside it that is on this machine. */
export function chooseRoles(context: InitContext, implementer = pickImplementer(context)): ConfigValues['roles'] {
  const { standard } = context;
  const reviewer = pickReviewer(context, implementer);
  const roles = {
    ...(implementer === standard.implementer ? {} : { implementer }),
    ...(reviewer === standard.reviewer ? {} : { local_reviewer: reviewer }),
  };
  return Object.keys(roles).length === 0 ? undefined : roles;
}

/** The default model or its tag, another model, a program; the default where nothing is here. */
const pickImplementer = ({ models = [], agents, standard }: InitContext): string =>
  findModel(models, standard.implementer) ??
  models[0] ??
  agents.find((agent) => agent.implements)?.driver ??
  standard.implementer;

/** The default model or its tag, another model than the implementer, another program; rather any than none. */
function pickReviewer({ models = [], agents, standard }: InitContext, implementer: string): string {
  const reviewers = [...models, ...agents.filter(({ reviews }) => reviews).map(({ driver }) => driver)];
  return (
    findModel(models, standard.reviewer) ??
    reviewers.find((name) => name !== implementer) ??
    reviewers[0] ??
    standard.reviewer
  );
}

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

/** A driver whose program is on this machine. */
export interface FoundAgent {
  readonly driver: string;
  /** It implements only by editing the files itself. */
  readonly edits: boolean;
  readonly implements: boolean;
  readonly reviews: boolean;
}

/** The drivers with a program of their own on this machine; no program is started. */
function findAgents(
  place: Pick<Workspace, 'settings' | 'userConfig'>,
  path: string | undefined,
): readonly FoundAgent[] {
  const sources = listDriverSources(place);
  return listDriverNames(sources)
    .filter((name) => !isAgentId(name))
    .flatMap((driver) => {
      const read = readDriver(driver, sources);
      if (!read.ok || !('calls' in read.value)) return [];
      const { program, calls } = read.value;
      if (!isHere(program, path)) return [];
      const edits = calls.text === undefined && calls.edit !== undefined;
      return [{ driver, edits, implements: edits || calls.text !== undefined, reviews: calls.review !== undefined }];
    });
}

const isHere = (program: string, path: string | undefined): boolean =>
  program.includes('/') ? isProgram(program) : isOnPath(program, path);
