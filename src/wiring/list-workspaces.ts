import { listDeadStates, listHalfRemoved, type OldState } from '../adapters/settings/old-state.ts';
import { join } from 'node:path';
import { listStates, type KnownState } from '../adapters/settings/moved-state.ts';
import { findStateHome } from '../adapters/settings/user-folders.ts';
import { readStateHolder } from '../adapters/locks/holder.ts';

export type { KnownState } from '../adapters/settings/moved-state.ts';

/** Where andon keeps what it knows of all repositories of this user, and the folder of this user. */
export { findStateHome, findHome } from '../adapters/settings/user-folders.ts';

export const listWorkspaces = (env: NodeJS.ProcessEnv): readonly KnownState[] =>
  listStates(join(findStateHome(env), 'repositories')).toSorted((one, two) => (one.state < two.state ? -1 : 1));

export { listOldCaches, listOldPrepared, removeOld } from '../adapters/settings/old-state.ts';
export type { OldState } from '../adapters/settings/old-state.ts';

/** The states of this user's repositories that are gone, and what a killed clean left of them; `own` is in use. */
export const listGoneStates = (env: NodeJS.ProcessEnv, own: string, before: string): readonly OldState[] => {
  const home = join(findStateHome(env), 'repositories');
  return [
    ...listDeadStates(home, before, (state) => state === own || readStateHolder(state) !== undefined),
    ...listHalfRemoved(home, before),
  ];
};
