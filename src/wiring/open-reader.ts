import { askHolder } from '../adapters/locks/kernel-name.ts';
import { currentHolder } from '../adapters/locks/holder.ts';
import type { Holder } from '../adapters/locks/holder.ts';
import { openRepository } from '../adapters/repository/git-repository.ts';
import type { TextPiece, WorkFolders } from '../ports/work-folders.ts';
import { workFolders } from '../adapters/settings/work-folders.ts';
import type { HolderSays } from '../adapters/locks/kernel-name.ts';
import type { Repository } from '../ports/repository.ts';
import type { Place } from './open-place.ts';

/** The repository for reading, without a lock. */
export const openForReading = (place: Place): Promise<Repository> => openRepository(place.facts, place.state);

/** The andon that works in this repository now; undefined when there is none. */
export const holderOf = ({ state }: Pick<Place, 'state'>): Holder | undefined => currentHolder(state);

/** What the andon that works in this repository says of itself. */
export const askHolderOf = ({ facts }: Place): Promise<HolderSays> => askHolder(facts.commonDir);

/** What was sent to an agent, or what it answered; undefined when it is gone. */
export const keptCall = (place: Place, taskId: string, call: number, what: 'prompt' | 'answer'): string | undefined =>
  workFolders(place.state).readCall(taskId, call, what);

/** A piece of it; see `pieceOfCall`. */
export const pieceOfKeptCall = (
  place: Place,
  taskId: string,
  call: number,
  what: 'prompt' | 'answer',
  piece: { readonly from: number; readonly most: number },
): TextPiece | undefined => workFolders(place.state).pieceOfCall(taskId, call, what, piece);

/** Where opinions of models about a rule and a text are kept, as the line keeps its own. */
export const opinionsOf = ({ state }: Pick<Place, 'state'>): Pick<WorkFolders, 'readOpinion' | 'keepOpinion'> =>
  workFolders(state);
