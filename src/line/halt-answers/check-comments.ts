import { createUsageError, Problem } from '../../base/problem.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import {
  countComments,
  LONGEST_QUOTE,
  MOST_OPEN_COMMENTS,
  type GivenComment,
  type HumanComment,
} from '../../project/requests/comment.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { indexTree } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

/**
 * Checks comments against the change that they are about, and quotes the commented lines. Throws a Problem for a file
 * that the change does not have, a line behind the end of its file, and for too many comments.
 */
export async function checkComments(
  { repository }: Needs<'repository'>,
  { taskId, change, comments: open }: TaskRecord,
  given: readonly GivenComment[],
): Promise<readonly HumanComment[]> {
  if (change === undefined)
    throw new Problem(
      'outdated-choice',
      `${taskId} has no attempt yet to comment on; its first one is still being written or checked`,
      `andon say ${taskId} "what the agents should know", or stop it with andon halt ${taskId} and comment then`,
    );
  const waiting = open.filter(({ asked }) => asked === undefined);
  if (waiting.length + given.length > MOST_OPEN_COMMENTS)
    throw createUsageError(
      `${countComments(waiting)} of ${taskId} wait for the next attempt; at most ${MOST_OPEN_COMMENTS} may`,
      'wait for the next attempt, then comment on that',
    );
  const { plain } = indexTree(await repository.files(change.commit));
  const deleted = new Set(change.files.filter(({ status }) => status === 'deleted').map(({ path }) => path));
  const named = given.map((one) => ({ ...one, ...(one.file === undefined ? {} : { file: toPath(one.file) }) }));
  for (const { file, line } of named) {
    if (file === undefined && line !== undefined)
      throw createUsageError(`line ${line} is of no file`, 'name the file, as in src/a.ts:12');
    if (file === undefined || plain.has(file)) continue;
    const shown = toTerminalLine(file, 120);
    if (!deleted.has(file))
      throw createUsageError(`${shown} is no file of attempt ${change.attempt}`, seeChange(taskId));
    if (line !== undefined)
      throw createUsageError(
        `attempt ${change.attempt} deletes ${shown}, so it has no line ${line}`,
        seeChange(taskId),
      );
  }
  const read = new Set(named.flatMap(({ file, line }) => (line === undefined || file === undefined ? [] : [file])));
  const texts = await repository.read(change.commit, [...read]);
  return named.map(({ file, line, text }) => {
    const quote = file === undefined || line === undefined ? undefined : lineOf(texts.get(file), line);
    if (file !== undefined && line !== undefined && quote === undefined)
      throw createUsageError(
        `${toTerminalLine(file, 120)} has no line ${line} in attempt ${change.attempt}`,
        seeChange(taskId),
      );
    const cut = toTerminalLine(withoutSecrets(quote ?? ''), LONGEST_QUOTE);
    return {
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(cut === '' ? {} : { quote: cut }),
      text: withoutSecrets(text),
    };
  });
}

const toPath = (file: string): string => file.replace(/^(?:\.\/)+/, '');

const seeChange = (taskId: string): string => `andon show ${taskId} --diff shows the change`;

/** A line of a file by its number, or undefined behind its end. */
function lineOf(content: Uint8Array | undefined, line: number): string | undefined {
  const lines = new TextDecoder().decode(content ?? new Uint8Array()).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines[line - 1];
}
