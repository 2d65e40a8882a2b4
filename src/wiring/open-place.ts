import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { requestFiles } from '../adapters/handoff/requests.ts';
import { currentHolder } from '../adapters/locks/holder.ts';
import { shippedNames } from '../adapters/own-files.ts';
import { findRepository } from '../adapters/repository/find-repository.ts';
import { inboxRoot } from '../adapters/repository/inbox.ts';
import { hasCommit } from '../adapters/repository/past.ts';
import { takeStateAlong } from '../adapters/settings/moved-state.ts';
import { makeStateFolder, readIfThere, readOwn, stateFolder, userConfigFile } from '../adapters/settings/places.ts';
import { CONFIG, PIPELINE_CONFIG, RULEBOUND_CONFIG } from '../config/config.ts';
import type { ConfigFile } from '../config/config-file.ts';
import { readSettings } from '../config/read-settings.ts';
import { secretValues } from '../config/secret-values.ts';
import { accountFaults } from '../config/user-limits.ts';
import type { Settings } from '../config/config.ts';
import type { RepositoryFacts } from '../ports/repository.ts';
import type { Requests } from '../ports/requests.ts';
import { failure } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import { rememberSecrets } from '../base/known-secrets.ts';
import { mistake, Problem } from '../base/problem.ts';

/** The place of one repository: found, configured, its state folder made; nothing is locked yet. */
export interface Place {
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

/** Finds the repository that `folder` lies in, whatever is configured there; throws a Problem where there is none. */
export async function findFacts(folder: string, env: NodeJS.ProcessEnv): Promise<RepositoryFacts> {
  if (!existsSync(folder)) throw mistake(`there is no folder ${folder}`, 'name a git repository');
  const facts = await findRepository(folder, env);
  if (!facts.ok) throw new Problem('not-a-repository', facts.why.sentence, facts.why.remedy);
  return { ...facts.value, root: realpathSync(facts.value.root) };
}

/** Finds the repository that `folder` lies in and reads both configurations; throws a Problem that says what is wrong. */
export async function findPlace(
  folder: string,
  env: NodeJS.ProcessEnv,
  { tolerates = 'nothing' }: { readonly tolerates?: 'nothing' | 'the checkout' | 'everything' } = {},
): Promise<Place> {
  const facts = await findFacts(folder, env);
  const { root } = facts;
  const userConfig = userConfigFile(env);
  const userText = readIfThere(userConfig);
  const user = { name: userConfig, text: userText };
  const nothing = { name: CONFIG, text: undefined };
  const read = readCheckout(root, user, tolerates !== 'nothing');
  const withoutCheckout = read.ok || tolerates === 'nothing' ? read : readSettings(nothing, user, root);
  const settings =
    withoutCheckout.ok || tolerates !== 'everything'
      ? withoutCheckout
      : readSettings(nothing, { ...user, text: undefined }, root);
  if (!settings.ok) throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
  rememberSecrets(secretValues(settings.value, env));
  const idle = accountFaults(userConfig, settings.value, shippedDrivers);
  if (idle.length > 0 && tolerates !== 'everything')
    throw new Problem('bad-configuration', idle, 'correct the file and try again');
  if (/[\n\r]/.test(root))
    throw new Problem(
      'not-a-repository',
      'the path of this repository holds a line break, which git cannot borrow objects from',
      'rename the folder',
    );
  const state = stateFolder(env, facts.commonDir);
  const takenFrom = await takeStateAlong(state, facts, {
    isHeld: (held) => currentHolder({ stateFolder: held, commonDir: facts.commonDir }) !== undefined,
    hasCommit: (commit) => hasCommit(facts.commonDir, commit),
  });
  makeStateFolder(state);
  return {
    ...(takenFrom === undefined ? {} : { takenFrom }),
    facts,
    inboxRoot: inboxRoot(facts),
    settings: settings.value,
    state,
    requests: requestFiles(join(state, 'requests')),
    userConfig,
    userText,
    ...(read.ok ? {} : { faults: read.why }),
  };
}

/** The settings that the files of a checkout say, with the user's. */
export function readCheckout(
  root: string,
  user: ConfigFile,
  isTolerant: boolean,
): Outcome<Settings, readonly string[]> {
  try {
    return readSettings(
      { name: CONFIG, text: readOwn(root, CONFIG) },
      user,
      root,
      { name: RULEBOUND_CONFIG, text: readIfThere(join(root, RULEBOUND_CONFIG)) },
      { name: PIPELINE_CONFIG, text: readOwn(root, PIPELINE_CONFIG) },
    );
  } catch (error) {
    if (!isTolerant || !(error instanceof Problem)) throw error;
    return failure([error.message]);
  }
}

/** What the user's own configuration says by itself, outside of every repository. */
export function readUserSettings(env: NodeJS.ProcessEnv): Settings {
  const name = userConfigFile(env);
  const settings = readSettings({ name: CONFIG, text: undefined }, { name, text: readIfThere(name) }, '/');
  if (settings.ok) rememberSecrets(secretValues(settings.value, env));
  if (settings.ok) return settings.value;
  throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
}

/** The names of the drivers that andon brings along. */
export const shippedDrivers = (): readonly string[] =>
  shippedNames('drivers').map((file) => file.replace(/\.yaml$/, ''));
