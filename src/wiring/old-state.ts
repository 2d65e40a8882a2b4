import { join } from 'node:path';
import { readStateHolder } from '../adapters/locks/holder.ts';
import { listDeadStates, listHalfRemoved, type OldState } from '../adapters/settings/old-state.ts';
import { findStateHome } from '../adapters/settings/user-folders.ts';

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
