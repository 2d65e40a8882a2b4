import { toTerminal } from '../../../base/plain-text.ts';
import { openForReading } from '../../../wiring/open-reader.ts';
import { Problem } from '../../../base/problem.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { readTaskArgument } from '../options.ts';
import type { Invocation } from '../command.ts';

/** `andon show --diff`: the change as a patch; escaped on a terminal, as git writes it into a pipe. */
export function printDiff(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  return withJournal(invocation, async (journal, place) => {
    const { change } = recordOf(journal, taskId);
    if (change === undefined) throw new Problem('no-task', `${taskId} has no change yet.`, 'Run `andon status`.', 1);
    const repository = await openForReading(place);
    if ((await repository.resolve(change.base)) === undefined)
      throw new Problem(
        'no-task',
        `The commits of ${taskId} are not in this repository.`,
        `Run \`andon show ${taskId}\` to see what is known.`,
        1,
      );
    const patch = await repository.patch(change.base, change.commit);
    process.stdout.write(process.stdout.isTTY ? toTerminal(patch) : patch);
    return 0;
  });
}
