import { formatCount } from '../../base/format-count.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { foldJournal } from '../../line/core/record.ts';
import { describeSentComments, sentCommentsSchema } from '../../project/requests/comment.ts';
import type { Request } from '../../project/requests/request.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readEntries } from '../../line/state/open-journal.ts';
import { unknownTask, type ToolAnswer, type ToolFacts } from './tool.ts';

type CommentRequest = Omit<Extract<Request, { do: 'comment' }>, 'by' | 'how'>;

/** Sends a change back with comments, as `andon comment` does; the status of the task afterwards. */
export type SendComments = (request: CommentRequest) => Promise<string>;

/** The one tool that moves the line; it is there only with `--allow-comments`. */
export const getCommentTool = (): ToolFacts => ({
  name: 'andon_comment',
  title: 'andon: send a change back',
  description:
    'Sends the change of a task back with comments. Each is a required fix of the next attempt, as a person gives it. At a halt this is the answer.',
  inputSchema: { ...describeSentComments(), type: 'object' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
});

export async function callCommentTool(place: Workspace, given: unknown, send: SendComments): Promise<ToolAnswer> {
  const parsed = sentCommentsSchema().safeParse(given);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
    throw createUsageError(
      `${toTerminalLine(path.join('.') || 'the arguments', 80)}: ${toTerminalLine(message, 200)}`,
      'andon_comment takes task_id, commit, halt_id and comments',
    );
  }
  const { task_id: taskId, commit, halt_id: haltId, comments } = parsed.data;
  const record = foldJournal(readEntries(place, taskId));
  if (record === undefined) throw unknownTask();
  const { change, halt } = record;
  if (change?.commit !== commit)
    throw new Problem(
      'outdated-choice',
      `the change of ${taskId} is another one by now`,
      'read it again (andon_task), then comment on that',
    );
  if (halt !== undefined && haltId === undefined)
    throw createUsageError(`${taskId} is halted, so the comments answer its halt`, `give ${halt.id} as halt_id`);
  const about = { do: 'comment', taskId, tree: change.tree, comments } as const;
  const status = await send(haltId === undefined ? about : { ...about, haltId });
  return {
    summary: `${taskId} goes back with ${formatCount(comments.length, 'comment')}`,
    facts: { task_id: taskId, status },
    isError: false,
  };
}
