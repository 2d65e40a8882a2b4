import { eventsOf } from '../adapters/journal/follow.ts';
import type { Events } from '../ports/events.ts';
import { journalIn, readJournal } from './open-journal.ts';
import type { Place } from './open-place.ts';

export { onPipeLeft } from '../adapters/processes/pipe-left.ts';

/** What happens in the repository of a place, for logs and boards; nothing is held or locked for it. */
export const openEvents = (place: Pick<Place, 'state'>): Events => eventsOf(journalIn(place), () => readJournal(place));
