import { createUsageError } from '../../../base/problem.ts';
import { countComments, MOST_COMMENTS, parseComment, parsePlace, type GivenComment } from '../../../record/comment.ts';
import { requestOrRun, getUserName } from '../ask.ts';
import type { Invocation } from '../command.ts';
import { readTaskArgument, readTextOption } from '../options.ts';
import { printResult } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';

/** `andon comment`: comments on the change of a task, which send it back to the implementer. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const comments = readComments(taskId, invocation.args[1]);
  const haltId = readTextOption(invocation.options, 'halt');
  const before = await withJournal(invocation, (journal) => recordOf(journal, taskId));
  const { status, watchdog } = await requestOrRun(invocation, {
    do: 'comment',
    taskId,
    ...(haltId === undefined ? {} : { haltId }),
    comments: [...comments],
    by: getUserName(),
    how: 'andon comment',
  });
  const how =
    before.halt === undefined
      ? `${taskId} goes back at its next step, at the latest before a merge.`
      : `${taskId} goes back to the implementer.`;
  return printResult(
    invocation,
    { task_id: taskId, status, comments, watchdog },
    `Noted ${countComments(comments)}. ${how}${watchdog ? '' : ' No watchdog is running. Run `andon watch` to start one.'}`,
  );
}

/** One text is about the whole change; else places and texts alternate. */
function readComments(taskId: string, given: unknown): readonly GivenComment[] {
  const words = (Array.isArray(given) ? given : []).filter((one) => typeof one === 'string').map((one) => one.trim());
  const example = `Run \`andon comment ${taskId} src/a.ts:12 "Use a map"\`.`;
  const [first = ''] = words;
  if (words.length === 1 && (first === '' || parsePlace(first) !== undefined))
    throw createUsageError('Missing argument: the comment.', example);
  if (words.length === 1) return [checked({ text: first }, example)];
  if (words.length === 0 || words.length % 2 === 1)
    throw createUsageError('Missing argument: each place needs its comment, in quotes.', example);
  const comments = words.flatMap((place, at) =>
    at % 2 === 1 ? [] : [checked({ ...(parsePlace(place) ?? { file: place }), text: words[at + 1] ?? '' }, example)],
  );
  if (comments.length > MOST_COMMENTS)
    throw createUsageError(`Invalid value: ${comments.length} comments. At most ${MOST_COMMENTS} are taken.`, example);
  return comments;
}

function checked(comment: GivenComment, example: string): GivenComment {
  const read = parseComment(comment);
  if (!read.ok) throw createUsageError(`Invalid value: ${read.why}.`, example);
  return read.value;
}
