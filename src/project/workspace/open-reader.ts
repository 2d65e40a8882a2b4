import { askHolder, type HolderSays } from '../locks/kernel-name.ts';
import { readCurrentHolder, type SeenHolder } from '../locks/holder.ts';
import { openRepository, type Repository } from '../git/git-repository.ts';
import { createWorkFolders, type WorkFolders } from '../folders/work-folders.ts';
import type { Workspace } from './load-workspace.ts';

/** The repository for reading, without a lock. */
export const openForReading = (place: Workspace): Promise<Repository> => openRepository(place.facts, place.state);

/** The andon that works in this repository now, if any. */
export const openHolder = ({ state, facts }: Pick<Workspace, 'state' | 'facts'>): SeenHolder | undefined =>
  readCurrentHolder({ stateFolder: state, commonDir: facts.commonDir });

/** What the andon that works in this repository says of itself. */
export const askHolderOf = ({ facts }: Workspace): Promise<HolderSays> => askHolder(facts.commonDir);

/** What is kept of the calls of tasks, and of a judge's opinions. */
export const openKept = ({
  state,
}: Pick<Workspace, 'state'>): Pick<WorkFolders, 'readCall' | 'pieceOfCall' | 'readOpinion' | 'keepOpinion'> =>
  createWorkFolders(state);
