import { WORKS_AT } from '../base/agents.ts';
import { findUserPath } from '../base/base-folders.ts';
import { renderConfigPage } from '../config/config-page.ts';
import type { PageValues } from '../config/config-page.ts';
import { readSettings } from '../config/read-settings.ts';
import { toBranchName } from '../base/names.ts';
import { detectStack } from './detect-stack.ts';
import { isOnPath } from '../wiring/on-path.ts';
import { NO_JOURNAL } from '../wiring/open-journal.ts';
import { buildServices } from '../wiring/open-services.ts';
import type { Workspace } from '../wiring/load-workspace.ts';
import type { LeftOutGate, ProposedGate } from './stack.ts';
import { checkPrograms } from './check-programs.ts';

/** A gate in the configuration. */
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

/** What there is around the questions of `init`: the stack, the branches, the models. */
export interface InitContext {
  readonly found: readonly string[];
  readonly notes: readonly string[];
  /** Gates of the project that cannot be used here. */
  readonly leftOut: readonly LeftOutGate[];
  /** The default target, in words. */
  readonly standardTarget: string;
  readonly standardModels: { readonly implementers: readonly string[]; readonly localReviewer: string };
  /** The models that ollama has; empty when it is not there. */
  readonly models: readonly string[];
  /** Why a name is no branch to merge into; undefined when it is one. */
  readonly isBranch: (name: string) => Promise<string | undefined>;
}

/** Looks at a project: what its files propose, and what the questions about it can be answered with. */
export async function proposeConfig(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  { detect, models }: { readonly detect: boolean; readonly models: boolean },
): Promise<{ readonly proposed: ConfigValues; readonly around: InitContext }> {
  const services = await buildServices(place, env, () => {}, NO_JOURNAL);
  const { repository } = services;
  const target = await repository.target(undefined);
  const tracked = target.ok ? (await repository.files(target.value.commit)).map((file) => file.path) : undefined;
  const path = findUserPath(env);
  const found = detectStack(place.facts.root, tracked, (program) => isOnPath(program, path));
  const stack = checkPrograms(place.facts.root, found, path);
  const unset = readSettings({ name: '', text: undefined }, { name: '', text: undefined }, '/');
  return {
    proposed: detect
      ? {
          setup: some(stack.setup),
          share: some(stack.share),
          gates: some(
            stack.gates.map(({ name, run, results }) => ({ name, run, ...(results !== undefined && { results }) })),
          ),
        }
      : {},
    around: {
      found: detect ? stack.names : [],
      notes: detect ? stack.notes : [],
      leftOut: detect ? (stack.leftOut ?? []) : [],
      standardTarget: target.ok
        ? `${toBranchName(target.value.ref)}, as git says now`
        : 'what git says (no commit yet)',
      standardModels: unset.ok ? unset.value.roles : place.settings.roles,
      models: models ? worthNaming((await services.agents[WORKS_AT.implementer].models?.()) ?? []) : [],
      async isBranch(name) {
        const found = await repository.target(name);
        const isEmpty = (await repository.refsUnder('refs/heads/')).length === 0;
        return found.ok || isEmpty ? undefined : found.why;
      },
    },
  };
}

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

/** A gate as a command line. */
export const formatGate = ({ name, run }: NamedGate): string => `${name}=${run}`;

const some = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);
