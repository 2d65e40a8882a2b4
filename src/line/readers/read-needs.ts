import type { Need } from '../digest/digest.ts';
import { compareUrgency } from '../digest/gather-digest.ts';
import { listNeeds } from '../digest/list-needs.ts';
import type { LineFacts } from '../core/line-facts.ts';
import type { Journal } from '../state/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readRecords } from '../state/read-records.ts';

export function readNeeds({ facts }: Workspace, journal: Journal | undefined, line: LineFacts): readonly Need[] {
  const stories = readRecords(journal).map((record) => ({ taskId: record.taskId, record }));
  const night = { root: facts.root, line, damage: undefined };
  return listNeeds(night, stories, new Date().toISOString()).toSorted(compareUrgency);
}
