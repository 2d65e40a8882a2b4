import { doorTo } from '../adapters/door.ts';
import { readIfThere } from '../adapters/settings/places.ts';
import { HANDOFF } from '../base/names.ts';
import type { Place } from './open-place.ts';

export { doorTo } from '../adapters/door.ts';
export { makeSocketFolder } from '../adapters/socket-folder.ts';
export { readIfThere, readOwn, readPlainFile } from '../adapters/settings/places.ts';

/** The `_handoff/` folder of a project. */
export { handoffFolder as handoffAt } from '../adapters/handoff/folder.ts';

/** A file of the inbox as people find it: from the root of this checkout, or by its whole path where it is another's. */
export const shownInInbox = ({ facts, inboxRoot }: Pick<Place, 'facts' | 'inboxRoot'>, name: string): string =>
  inboxRoot === facts.root ? `${HANDOFF}/${name}` : `${inboxRoot}/${HANDOFF}/${name}`;

/** The user's own configuration as it lies on disk; undefined when there is none. */
export const readUserConfig = ({ userConfig }: Place): string | undefined => readIfThere(userConfig);

/** Room for a paper. */
const PAPERS_BYTES = 64 * 1024;
/** Room for journal and ledger: what their logs take at a start was free only because a stop gave it back. */
const STATE_BYTES = 512 * 1024;

/** Why the disks under a repository's papers and state take no writes now; undefined when they do. */
export function whyNoWrites({ inboxRoot, state }: Place): string | undefined {
  try {
    const project = doorTo(inboxRoot);
    if (project.stat(HANDOFF) !== undefined) tryToWrite(doorTo(project.at(HANDOFF)), PAPERS_BYTES); // none is made for this
    tryToWrite(doorTo(state), STATE_BYTES);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function tryToWrite(door: ReturnType<typeof doorTo>, bytes: number): void {
  door.write('.probe', 'x'.repeat(bytes));
  door.remove('.probe');
}
