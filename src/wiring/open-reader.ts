import { askHolder } from '../adapters/locks/kernel-name.ts';
import { currentHolder } from '../adapters/locks/holder.ts';
import type { SeenHolder } from '../adapters/locks/holder.ts';
import { openRepository } from '../adapters/repository/git-repository.ts';
import type { WorkFolders } from '../ports/work-folders.ts';
import { workFolders } from '../adapters/settings/work-folders.ts';
import type { HolderSays } from '../adapters/locks/kernel-name.ts';
import type { Repository } from '../ports/repository.ts';
import type { Place } from './open-place.ts';

/** The repository for reading, without a lock. */
export const openForReading = (place: Place): Promise<Repository> => openRepository(place.facts, place.state);

/** The andon that works in this repository now; undefined when there is none. */
export const holderOf = ({ state, facts }: Pick<Place, 'state' | 'facts'>): SeenHolder | undefined =>
  currentHolder({ stateFolder: state, commonDir: facts.commonDir });

/** The same, as far as the state folder tells by itself. */
export { holderOfState, whereRuns } from '../adapters/locks/holder.ts';

/** What the andon that works in this repository says of itself. */
export const askHolderOf = ({ facts }: Place): Promise<HolderSays> => askHolder(facts.commonDir);

/** What is kept of the calls of tasks, and where opinions of models about a rule and a text are kept, as the line keeps its own. */
export const keptIn = ({
  state,
}: Pick<Place, 'state'>): Pick<WorkFolders, 'readCall' | 'pieceOfCall' | 'readOpinion' | 'keepOpinion'> =>
  workFolders(state);
