import type { Need } from '../../line/digest/digest.ts';
import { compareUrgency } from '../../line/digest/gather-digest.ts';
import { listNeeds } from '../../line/digest/needs.ts';
import type { LineFacts } from '../../line/line-facts.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { readRecords } from '../../wiring/read-records.ts';

export function readNeeds({ facts }: Workspace, journal: Journal | undefined, line: LineFacts): readonly Need[] {
  const stories = readRecords(journal).map((record) => ({ taskId: record.taskId, record }));
  const night = { root: facts.root, line, damage: undefined };
  return listNeeds(night, stories, new Date().toISOString()).toSorted(compareUrgency);
}
