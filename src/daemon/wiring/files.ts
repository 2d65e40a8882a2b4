import { doorTo } from '../../adapters/door.ts';
import { handoffFolder } from '../../adapters/handoff/folder.ts';
import { readIfThere } from '../../adapters/settings/places.ts';
import { HANDOFF } from '../../base/names.ts';
import type { Handoff } from '../../ports/handoff.ts';
import type { Place } from './open-place.ts';

export { doorTo } from '../../adapters/door.ts';
export { readIfThere, readOwn, readPlainFile } from '../../adapters/settings/places.ts';

/** The `_handoff/` folder of a project. */
export const handoffAt = (root: string): Handoff => handoffFolder(root);

/** The user's own configuration as it lies on disk; undefined when there is none. */
export const readUserConfig = ({ userConfig }: Place): string | undefined => readIfThere(userConfig);

/** Why the disks under a repository's papers and state take no writes now; undefined when they do. */
export function whyNoWrites({ facts, state }: Place): string | undefined {
  try {
    const project = doorTo(facts.root);
    const papers = project.stat(HANDOFF) === undefined ? [] : [doorTo(project.at(HANDOFF))]; // none is made for this
    for (const door of [...papers, doorTo(state)]) {
      door.write('.probe', 'x'.repeat(64 * 1024));
      door.remove('.probe');
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
