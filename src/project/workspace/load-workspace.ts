import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createRequestFiles, type Requests } from '../handoff/requests.ts';
import { readCurrentHolder } from '../locks/holder.ts';
import { shippedNames } from '../../base/system/install-root.ts';
import { findRepository } from '../git/find-repository.ts';
import { findInboxRoot } from '../git/find-inbox-root.ts';
import { hasCommit } from '../git/history.ts';
import { takeStateAlong } from '../folders/moved-state.ts';
import { makeStateFolder, readIfThere, readOwn, findStateFolder, findUserConfig } from '../folders/user-folders.ts';
import { openKnownSettings } from '../folders/known-settings.ts';
import {
  CONFIG,
  RULEBOUND_CONFIG,
  readProjectSettings,
  readSettings,
  type KnownSettings,
  type Settings,
} from '../config/read-settings.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { collectSecretValues } from '../config/collect-secret-values.ts';
import { checkProgramNames } from '../config/check-program-names.ts';
import type { RepositoryFacts } from '../git/repository-facts.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { rememberSecrets } from '../../base/known-secrets.ts';
import { createUsageError, Problem } from '../../base/problem.ts';

/** The place of one repository: found, configured, its state folder made; nothing is locked yet. */
export interface Workspace {
  readonly facts: RepositoryFacts;
  /** The checkout whose `_handoff/` is the inbox of the repository, whichever of its checkouts this is. */
  readonly inboxRoot: string;
  readonly settings: Settings;
  readonly state: string;
  readonly requests: Requests;
  readonly userConfig: string;
  /** The text that the user's part of `settings` was read from. */
  readonly userText?: string | undefined;
  /** Why files of the checkout, or the user's own, are not part of `settings`, where that is tolerated. */
  readonly faults?: readonly string[];
  /** The line takes the files of the checkout instead of what its target commits (`--working-config`). */
  readonly workingConfig?: boolean;
  /** Where the repository lay before it was moved here; its state was taken along by this very command. */
  readonly takenFrom?: string;
}

/** Finds the repository around `folder`, whatever its configuration. Throws a Problem without one. */
export async function findFacts(folder: string, env: NodeJS.ProcessEnv): Promise<RepositoryFacts> {
  if (!existsSync(folder)) throw createUsageError(`There is no folder ${folder}.`, 'Name a git repository.');
  const facts = await findRepository(folder, env);
  if (!facts.ok) throw new Problem('not-a-repository', facts.why.sentence, facts.why.remedy);
  return { ...facts.value, root: realpathSync(facts.value.root) };
}

/**
 * Finds the repository around `folder` and reads both configurations. A fault throws a Problem that names it, except
 * where it is tolerated: of `the checkout` (its files then say nothing, and `faults` has why: for what only the committed
 * configuration decides), of `nothing` (for commands that work with the files of the checkout), or of `everything`, the
 * user's own file too.
 */
export async function loadWorkspace(
  folder: string,
  env: NodeJS.ProcessEnv,
  { tolerates = 'the checkout' }: { readonly tolerates?: 'nothing' | 'the checkout' | 'everything' } = {},
): Promise<Workspace> {
  const facts = await findFacts(folder, env);
  const { root } = facts;
  const userConfig = findUserConfig(env);
  const userText = readIfThere(userConfig);
  const user = { name: userConfig, text: userText };
  const nothing = { name: CONFIG, text: undefined };
  const state = findStateFolder(env, facts.commonDir);
  const known = openKnownSettings(state);
  const read = readCheckout(root, user, known);
  const withoutCheckout = read.ok || tolerates === 'nothing' ? read : readSettings(nothing, user, root);
  const settings =
    withoutCheckout.ok || tolerates !== 'everything'
      ? withoutCheckout
      : readSettings(nothing, { ...user, text: undefined }, root);
  if (!settings.ok) throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
  rememberSecrets(collectSecretValues(settings.value, env));
  const idle = checkProgramNames(userConfig, settings.value, listShippedDrivers);
  if (idle.length > 0 && tolerates !== 'everything')
    throw new Problem('bad-configuration', idle, 'correct the file and try again');
  if (/[\n\r]/.test(root))
    throw new Problem(
      'not-a-repository',
      'the path of this repository holds a line break, which git cannot borrow objects from',
      'rename the folder',
    );
  const inboxRoot = findInboxRoot(facts);
  const takenFrom = await takeStateAlong(
    state,
    { ...facts, root: inboxRoot },
    {
      isHeld: (held) => readCurrentHolder({ stateFolder: held, commonDir: facts.commonDir }) !== undefined,
      hasCommit: (commit) => hasCommit(facts.commonDir, commit),
    },
  );
  makeStateFolder(state);
  known.keep();
  return {
    ...(takenFrom === undefined ? {} : { takenFrom }),
    facts,
    inboxRoot,
    settings: settings.value,
    state,
    requests: createRequestFiles(join(state, 'requests')),
    userConfig,
    userText,
    ...(read.ok ? {} : { faults: read.why }),
  };
}

/** The settings that the files of a checkout say, with the user's. */
export function readCheckout(
  root: string,
  user: ConfigFile,
  known?: KnownSettings,
): Outcome<Settings, readonly string[]> {
  const text = (name: string): string | undefined =>
    name === RULEBOUND_CONFIG ? readIfThere(join(root, name)) : readOwn(root, name);
  try {
    return readProjectSettings(text, user, root, known);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return failure([error.message]);
  }
}

/** What the user's own configuration says by itself, outside of every repository. */
export function readUserSettings(env: NodeJS.ProcessEnv): Settings {
  const name = findUserConfig(env);
  const settings = readSettings({ name: CONFIG, text: undefined }, { name, text: readIfThere(name) }, '/');
  if (settings.ok) rememberSecrets(collectSecretValues(settings.value, env));
  if (settings.ok) return settings.value;
  throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
}

/** The names of the drivers that andon brings along. */
export const listShippedDrivers = (): readonly string[] =>
  shippedNames('drivers').map((file) => file.replace(/\.yaml$/, ''));
