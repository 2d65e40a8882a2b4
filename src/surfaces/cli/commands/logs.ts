import { localTime } from '../../../base/local-time.ts';
import { tell } from '../../../line/story.ts';
import { openEvents } from '../../../daemon/wiring/open-events.ts';
import type { Told } from '../../../ports/events.ts';
import { flag, textOption } from '../options.ts';
import { line, sentence, styled } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon logs`: the story of all tasks, in the order in which it happened. */
export function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const only = textOption(options, 'task');
  const isJson = flag(options, 'json');
  const print = ({ seq, taskId, entry }: Told): void => {
    const text = only !== undefined && taskId !== only ? undefined : tell(entry);
    if (text === undefined) return;
    if (isJson)
      process.stdout.write(`${JSON.stringify({ seq, task_id: taskId, at: entry.at, kind: entry.kind, text })}\n`);
    else sentence(`${styled('dim', localTime(entry.at, new Date(), { seconds: true }))}  ${taskId}  ${text}`);
  };
  return withJournal(invocation, async (journal, place) => {
    if (flag(options, 'follow')) {
      const following = openEvents(place).follow(0, print);
      await new Promise<void>((resolve) => {
        onFirstSignal(invocation, resolve);
        process.stdout.once('error', () => resolve()); // the reader of a pipe has left
      });
      following.close();
      return 0;
    }
    if (only !== undefined) recordOf(journal, only);
    const told = journal?.since(0) ?? [];
    for (const one of told) print(one);
    if (told.length === 0 && !isJson) line('nothing has happened here yet.');
    return 0;
  });
}
