import { join } from 'node:path';
import { listStates, type KnownState } from '../adapters/settings/moved-state.ts';
import { findStateHome } from '../adapters/settings/user-folders.ts';

export type { KnownState } from '../adapters/settings/moved-state.ts';

/** Where andon keeps what it knows of all repositories of this user, and the folder of this user. */
export { findStateHome as stateHomeOf, findHome as homeOf } from '../adapters/settings/user-folders.ts';

/** Every repository that andon keeps a state of, by name. */
export const listWorkspaces = (env: NodeJS.ProcessEnv): readonly KnownState[] =>
  listStates(join(findStateHome(env), 'repositories')).toSorted((one, two) => (one.state < two.state ? -1 : 1));
