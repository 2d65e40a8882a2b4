import { join } from 'node:path';
import { holderOfState } from '../adapters/locks/holder.ts';
import { deadStates, halfRemoved } from '../adapters/settings/old-state.ts';
import type { OldState } from '../adapters/settings/old-state.ts';
import { stateHome } from '../adapters/settings/places.ts';

export { oldCaches, oldPrepared, removeOld } from '../adapters/settings/old-state.ts';
export type { OldState } from '../adapters/settings/old-state.ts';

/** The states of this user's repositories that are gone, and what a killed clean left of them; `own` is in use. */
export const goneStates = (env: NodeJS.ProcessEnv, own: string, before: string): readonly OldState[] => {
  const home = join(stateHome(env), 'repositories');
  return [
    ...deadStates(home, before, (state) => state === own || holderOfState(state) !== undefined),
    ...halfRemoved(home, before),
  ];
};
