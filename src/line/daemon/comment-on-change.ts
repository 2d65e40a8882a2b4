import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { foldEntry, foldJournal } from '../core/record.ts';
import type { GivenComment } from '../../project/requests/comment.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { maskEntry } from '../record/read-entry.ts';
import { describeOutsideWait } from '../core/external-judge.ts';
import { openTask } from '../journal/active-task.ts';
import { readMergeState } from '../git/merge-state.ts';
import type { MergeCriticalSection } from '../journal/step-journal.ts';
import type { Needs } from '../services/services.ts';
import type { Line } from './line.ts';
import { checkComments } from '../halts/check-comments.ts';

interface CommentRequest {
  readonly taskId: string;
  /** The halt that is answered with them; undefined = the current one, if any. */
  readonly haltId?: string | undefined;
  /** The tree that the person read; undefined = that of the current change. */
  readonly tree?: string | undefined;
  readonly comments: readonly GivenComment[];
  readonly by: string;
  readonly how: string;
}

/** Takes comments on a change: at a halt they send it back at once, else at the next step. */
export async function commentOnTask(line: Line, request: CommentRequest): Promise<TaskRecord> {
  const { services } = line;
  refuseEnded(services, request.taskId);
  const record = openTask(services, request.taskId);
  if (record.halt !== undefined || request.haltId !== undefined)
    return line.resume({ ...request, path: undefined, haltId: request.haltId });
  const isActive = record.parked === undefined;
  const commented = await commentOnChange(services, record, request, isActive ? line.landings : undefined);
  // A step that waits, for an agent or for a person, begins again: the change goes back now, not after the wait.
  const { settings } = services.configuration.line();
  const waits = commented.hold !== undefined || describeOutsideWait(commented, settings) !== undefined;
  if (isActive && waits) await line.restart();
  return commented;
}

function refuseEnded({ journal }: Needs<'journal'>, taskId: string): void {
  const status = foldJournal(journal.entries(taskId))?.status;
  if (status === 'merged') throw createTooLate(taskId);
  if (status === 'abandoned')
    throw new Problem('outdated-choice', `${taskId} was abandoned`, `andon resume ${taskId} --again drops it again`);
}

const createTooLate = (taskId: string): Problem =>
  new Problem(
    'outdated-choice',
    `${taskId} is merged already, so it cannot be sent back`,
    `andon undo ${taskId} takes it out again; or andon new drops a further task`,
  );

/**
 * Notes comments on the change of a task that is under way. The line sends the change back at its next step, at the
 * latest before the merge. A merge that has begun is waited for: then it is too late.
 */
async function commentOnChange(
  services: Needs<'clock' | 'journal' | 'repository' | 'say'>,
  record: TaskRecord,
  { tree, comments, by }: CommentRequest,
  landings: MergeCriticalSection | undefined,
): Promise<TaskRecord> {
  const { taskId, change } = record;
  if (tree !== undefined && tree !== change?.tree)
    throw outdated(taskId, `the comments are about the tree ${toTerminalLine(tree, 80)}`, change?.tree);
  const checked = await checkComments(services, record, comments);
  for (;;) {
    await landings?.idle();
    const begun = landings?.begun;
    if ((await readMergeState(services, record)).is === 'merged') throw createTooLate(taskId);
    if (landings?.begun !== begun) continue;
    // From here on nothing is awaited, so that no merge begins before the comments are written.
    const latest = foldJournal(services.journal.entries(taskId)) ?? record;
    if (latest.change?.commit !== change?.commit || latest.halt !== undefined)
      throw outdated(taskId, 'the task has moved on meanwhile', latest.change?.tree);
    const entry = maskEntry({
      kind: 'commented',
      at: services.clock.now(),
      by,
      tree: change?.tree ?? '',
      comments: [...checked],
    });
    services.journal.append(taskId, [entry]);
    const after = foldEntry(latest, entry) ?? latest;
    services.say({ kind: 'entry', entry, record: after });
    return after;
  }
}

const outdated = (taskId: string, what: string, tree: string | undefined): Problem =>
  new Problem(
    'outdated-choice',
    `${what}; the change of ${taskId} is ${tree === undefined ? 'not there yet' : tree}`,
    `read the change again (andon show ${taskId} --diff), then comment on that`,
  );
