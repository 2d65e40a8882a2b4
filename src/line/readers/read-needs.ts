import type { Need } from '../digest/digest.ts';
import { compareUrgency } from '../digest/gather-digest.ts';
import { listNeeds } from '../digest/list-needs.ts';
import type { LineFacts } from '../words/line-facts.ts';
import type { Journal } from '../journal/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openTasks } from '../journal/active-task.ts';
import { NO_JOURNAL } from '../journal/open-journal.ts';

export function readNeeds({ facts }: Workspace, journal: Journal | undefined, line: LineFacts): readonly Need[] {
  const stories = openTasks({ journal: journal ?? NO_JOURNAL }).map((record) => ({ taskId: record.taskId, record }));
  const night = { root: facts.root, line, damage: undefined };
  return listNeeds(night, stories, new Date().toISOString()).toSorted(compareUrgency);
}
