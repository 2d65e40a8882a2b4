import { join } from 'node:path';
import { statesIn } from '../adapters/settings/moved-state.ts';
import type { KnownState } from '../adapters/settings/moved-state.ts';
import { stateHome } from '../adapters/settings/places.ts';

export type { KnownState } from '../adapters/settings/moved-state.ts';

/** Where andon keeps what it knows of all repositories of this user, and the folder of this user. */
export { stateHome as stateHomeOf, homeFolder as homeOf } from '../adapters/settings/places.ts';

/** Every repository that andon keeps a state of, by name. */
export const knownStates = (env: NodeJS.ProcessEnv): readonly KnownState[] =>
  statesIn(join(stateHome(env), 'repositories')).toSorted((one, two) => (one.state < two.state ? -1 : 1));
