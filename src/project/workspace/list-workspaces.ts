import { isDeadState, listDeadStates, listHalfRemoved, type OldState } from '../folders/old-state.ts';
import { join } from 'node:path';
import { listStates, type KnownState } from '../folders/moved-state.ts';
import { findStateHome } from '../folders/user-folders.ts';
import { readStateHolder } from '../locks/holder.ts';

export const listWorkspaces = (env: NodeJS.ProcessEnv): readonly KnownState[] =>
  listStates(join(findStateHome(env), 'repositories')).toSorted((one, two) => (one.state < two.state ? -1 : 1));

/** The states of this user's repositories that are gone, and what a killed clean left of them; `own` is in use. */
export const listGoneStates = (env: NodeJS.ProcessEnv, own: string, before: string): readonly OldState[] => {
  const home = join(findStateHome(env), 'repositories');
  return [...listDeadStates(home, before, isInUse(own)), ...listHalfRemoved(home, before)];
};

/** Whether a listed one may be removed now; what is no state may. */
export const mayRemove = ({ path, isState }: OldState, own: string, before: string): boolean =>
  isState !== true || isDeadState(path, before, isInUse(own));

const isInUse =
  (own: string) =>
  (state: string): boolean =>
    state === own || readStateHolder(state) !== undefined;
