import { join } from 'node:path';
import { statesIn } from '../adapters/settings/moved-state.ts';
import type { KnownState } from '../adapters/settings/moved-state.ts';
import { homeFolder, stateHome } from '../adapters/settings/places.ts';

export type { KnownState } from '../adapters/settings/moved-state.ts';

/** Where andon keeps what it knows of all repositories of this user. */
export const stateHomeOf = (env: NodeJS.ProcessEnv): string => stateHome(env);

/** The folder of this user. */
export const homeOf = (env: NodeJS.ProcessEnv): string => homeFolder(env);

/** Every repository that andon keeps a state of, by name. */
export const knownStates = (env: NodeJS.ProcessEnv): readonly KnownState[] =>
  statesIn(join(stateHome(env), 'repositories')).toSorted((one, two) => (one.state < two.state ? -1 : 1));
