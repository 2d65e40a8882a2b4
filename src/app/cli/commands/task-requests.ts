import { toTerminalLine } from '../../../base/plain-text.ts';
import { formatReadReport, resumeEither } from '../../../line/halts/resume-command.ts';
import { findActiveTask } from '../../../line/journal/active-task.ts';
import { requestOrRun } from '../ask-watchdog.ts';
import { getUserName, type Invocation } from '../command.ts';
import { hasFlag, readTaskArgument, readTextOption } from '../options.ts';
import { printResult, printJson, printLine } from '../print.ts';
import { describeKept } from '../../../line/breakers/breaker.ts';
import { findRecord, hintToGoOn, withJournal, withTask } from '../tasks.ts';
import { createUsageError } from '../../../base/problem.ts';
import { LONGEST_SENTENCE } from '../../../project/requests/request.ts';
import { runCommand } from '../usage-errors.ts';
import {
  countComments,
  MOST_COMMENTS,
  parseComment,
  parsePlace,
  type GivenComment,
} from '../../../project/requests/comment.ts';

/** `andon abandon`: gives a task up at any status. */
export async function requestAbandon(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { status, reason } = await requestOrRun(invocation, { do: 'abandon', taskId, by: getUserName() });
  return printResult(
    invocation,
    { task_id: taskId, status },
    `${taskId} is ${toTerminalLine(reason, 300)}. ${await withTask(invocation, describeKept)}`,
  );
}

/** `andon undo`: takes a merged task out again, by a gated revert commit. */
export async function requestUndo(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { status, commit } = await requestOrRun(invocation, { do: 'undo', taskId, by: getUserName() });
  return printResult(
    invocation,
    { task_id: taskId, status, undone_as: commit },
    `${taskId} is undone${commit === null ? '' : ` as ${commit.slice(0, 12)}`}; its merge and every attempt stay in git.`,
  );
}

/** `andon pause`: nothing more starts, until `--off`. */
export async function requestPause(invocation: Invocation): Promise<number> {
  const request = { do: hasFlag(invocation.options, 'off') ? 'unpause' : 'pause', by: getUserName() } as const;
  const { status, reason } = await requestOrRun(invocation, request);
  return printResult(
    invocation,
    { paused: status === 'paused', since: reason === '' ? null : reason },
    status === 'paused'
      ? `The line is paused (since ${reason}). Run \`andon pause --off\` to let it go on.`
      : `The line goes on.${await hintToGoOn(invocation)}`,
  );
}

/** `andon halt`: the cord. It ends what runs and stops the line until a path is chosen; of one task, others go on. */
export async function requestHalt(invocation: Invocation): Promise<number> {
  const reason = toTerminalLine(readTextOption(invocation.options, 'reason') ?? '', 300);
  const named = invocation.args[0] === undefined ? undefined : readTaskArgument(invocation);
  const taskId = named ?? (await withJournal(invocation, (journal) => journal && findActiveTask({ journal })?.taskId));
  const about = named === undefined ? {} : { taskId: named };
  const { status } = await requestOrRun(invocation, { do: 'halt', ...about, by: getUserName(), reason });
  const facts = { task_id: taskId ?? null, status };
  if (taskId === undefined) return printResult(invocation, facts);
  const record = await withJournal(invocation, (journal, place) => findRecord(place, journal, taskId));
  const what = named === undefined ? `The line is stopped, at ${taskId}` : `${taskId} is halted`;
  const next = `${formatReadReport(record)}, then: ${resumeEither(taskId, record.halt?.id)}`;
  return printResult(invocation, facts, `${what}. ${next}`);
}

/** `andon say`: a sentence for the agents of a task, which every later prompt of the task has. */
export async function requestSay(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const [, written] = invocation.args;
  const text = typeof written === 'string' ? written.trim() : '';
  if (text === '' || text.length > LONGEST_SENTENCE)
    throw createUsageError(
      text === ''
        ? 'Missing argument: the sentence.'
        : `Invalid value: ${text.length} characters. At most ${LONGEST_SENTENCE} are sent.`,
      runCommand(`andon say ${taskId} "Use UTC everywhere"`),
    );
  await requestOrRun(invocation, { do: 'say', taskId, text, by: getUserName() });
  const { halt, openCall } = await withJournal(invocation, (journal, place) => findRecord(place, journal, taskId));
  if (hasFlag(invocation.options, 'json')) printJson({ task_id: taskId, said: text });
  else if (halt !== undefined)
    printLine(`Noted for ${taskId}, which waits for you. Choose a path: ${runCommand(`andon resume ${taskId}`)}`);
  else
    printLine(
      `Noted. The next prompt of ${taskId} has it.${openCall === undefined ? '' : ` The ${openCall.station} that works now does not.`}`,
    );
  return 0;
}

/** `andon comment`: comments on the change of a task, which send it back to the implementer. */
export async function requestComment(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const comments = readComments(taskId, invocation.args[1]);
  const haltId = readTextOption(invocation.options, 'halt');
  const before = await withJournal(invocation, (journal, place) => findRecord(place, journal, taskId));
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
    `Noted ${countComments(comments)}. ${how}${await hintToGoOn(invocation)}`,
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
