import type { Need } from '../../line/digest/digest.ts';
import { byUrgency } from '../../line/digest/gather.ts';
import { needsOf } from '../../line/digest/needs.ts';
import type { LineFacts } from '../../line/line-facts.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Place } from '../../wiring/open-place.ts';
import { recordsOf } from '../../wiring/records-of.ts';

/** What of one repository does not go on without you: the very needs of digest and board, for whoever has just looked at its line. */
export function needsNow({ facts }: Place, journal: Journal | undefined, line: LineFacts): readonly Need[] {
  const stories = recordsOf(journal).map((record) => ({ taskId: record.taskId, record }));
  const night = { root: facts.root, line, damage: undefined };
  return needsOf(night, stories, new Date().toISOString()).toSorted(byUrgency);
}
