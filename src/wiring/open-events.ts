import { followEvents } from '../adapters/journal/follow.ts';
import type { Events } from '../ports/events.ts';
import { findJournal, readJournal } from './open-journal.ts';
import type { Workspace } from './load-workspace.ts';

export { onReaderClosed } from '../adapters/processes/on-reader-closed.ts';

/** What happens in the repository of a place, for logs and boards; nothing is held or locked for it. */
export const openEvents = (place: Pick<Workspace, 'state'>): Events =>
  followEvents(findJournal(place), () => readJournal(place));
