import { doorTo } from '../../adapters/door.ts';
import { taskIdsIn } from '../../adapters/journal/task-ids.ts';
import { commonDirAbove } from '../../adapters/repository/common-dir.ts';
import { stateFolder } from '../../adapters/settings/places.ts';

/**
 * The tasks of the repository that `folder` lies in, newest first; none where anything is not as it should be. A shell asks
 * this in the middle of a line: no git, no configuration and nothing of the line is loaded for it.
 */
export function taskIdsHere(folder: string, env: NodeJS.ProcessEnv): readonly string[] {
  try {
    const shared = commonDirAbove(folder);
    return shared === undefined ? [] : taskIdsIn(doorTo(stateFolder(env, shared)).plain('journal.sqlite'));
  } catch {
    return [];
  }
}
