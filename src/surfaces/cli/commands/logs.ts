import { tell } from '../../../line/story.ts';
import { readJournal } from '../../../floor/open-floor.ts';
import { flag, textOption } from '../options.ts';
import { line, styled } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from './command.ts';

/** How often `--follow` asks the journal whether somebody wrote; one indexed query. */
const FOLLOW_MS = 200;

/** `andon logs`: the story of all tasks, in the order in which it happened. */
export function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const only = textOption(options, 'task');
  return withJournal(invocation, async (opened, place) => {
    if (only !== undefined && !flag(options, 'follow')) recordOf(opened, only);
    let journal = opened;
    let last = 0;
    const print = (): void => {
      for (const { seq, taskId, entry } of journal?.since(last) ?? []) {
        last = seq;
        if (only !== undefined && taskId !== only) continue;
        const text = tell(entry);
        if (text === undefined) continue;
        if (flag(options, 'json'))
          process.stdout.write(`${JSON.stringify({ seq, task_id: taskId, at: entry.at, kind: entry.kind, text })}\n`);
        else line(`${styled('dim', entry.at)}  ${taskId}  ${text}`);
      }
    };
    print();
    if (!flag(options, 'follow')) {
      if (last === 0 && !flag(options, 'json')) line('nothing has happened here yet.');
      return 0;
    }
    const stop = new Promise<void>((resolve) => {
      onFirstSignal(resolve);
      process.stdout.once('error', () => resolve()); // the reader of a pipe has left
    });
    const timer = setInterval(() => {
      journal ??= readJournal(place);
      print();
    }, FOLLOW_MS);
    await stop;
    clearInterval(timer);
    if (journal !== opened) journal?.close();
    return 0;
  });
}
