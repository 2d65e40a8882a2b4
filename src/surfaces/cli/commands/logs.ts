import { objectIn } from '../../../base/json-object.ts';
import { localTime } from '../../../base/local-time.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { tell } from '../../../line/story.ts';
import type { Journal } from '../../../wiring/open-journal.ts';
import { linesOfLog } from '../../../wiring/day-log.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { onPipeLeft, openEvents } from '../../../wiring/open-events.ts';
import type { Place } from '../../../wiring/open-place.ts';
import type { Told } from '../../../ports/events.ts';
import { flag, textOption } from '../options.ts';
import { line, sentence, styled, warningLine } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { conflictingOptions } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** Characters of one line of the log. */
const MOST_SHOWN = 2000;

/** `andon logs`: the story of all tasks, in the order in which it happened. */
export function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const only = textOption(options, 'task');
  const isJson = flag(options, 'json');
  if (flag(options, 'watchdog')) return printWatchdogLog(invocation, isJson);
  const print = ({ seq, taskId, entry }: Told): void => {
    const text = only !== undefined && taskId !== only ? undefined : tell(entry);
    if (text === undefined) return;
    if (isJson) line(JSON.stringify({ seq, task_id: taskId, at: entry.at, kind: entry.kind, text }));
    else sentence(`${styled('dim', localTime(entry.at, new Date(), { seconds: true }))}  ${taskId}  ${text}`);
  };
  return withJournal(invocation, async (journal, place) => {
    if (flag(options, 'follow')) {
      await follow(invocation, place, print, whatIsAwaited(journal, only));
      return 0;
    }
    if (only !== undefined) recordOf(journal, only);
    const told = journal?.since(0) ?? [];
    for (const one of told) print(one);
    if (told.length === 0 && !isJson) line('Nothing has happened here yet.');
    return 0;
  });
}

/** Prints the log that the watchdog itself wrote, over all days that are kept. */
async function printWatchdogLog({ options, cwd, env }: Invocation, isJson: boolean): Promise<number> {
  if (options['task'] !== undefined || flag(options, 'follow'))
    throw conflictingOptions(['--watchdog', '--task or --follow'], 'andon logs --watchdog');
  const { state } = await findPlace(cwd, env);
  let isEmpty = true;
  for (const text of linesOfLog(state)) {
    isEmpty = false;
    if (isJson) line(text);
    else sentence(logLineInWords(text));
  }
  if (isEmpty && !isJson) line('No watchdog has run here yet.');
  return 0;
}

/** A line of the log for a person; a torn one is printed unchanged. */
function logLineInWords(text: string): string {
  const { time, msg, task } = objectIn<Record<string, unknown>>(text, []) ?? {};
  const at = typeof time === 'string' ? localTime(time, new Date(), { seconds: true }) : '';
  const about = typeof task === 'string' ? `${inOneTerminalLine(task)}  ` : '';
  return `${styled('dim', at)}  ${about}${inOneTerminalLine(typeof msg === 'string' ? msg : text, MOST_SHOWN)}`;
}

/** Says what it waits for while there is nothing to show. */
function whatIsAwaited(journal: Journal | undefined, only: string | undefined): string | undefined {
  const known = journal?.taskIds() ?? [];
  if (only !== undefined) {
    if (known.includes(only)) return undefined;
    const others = known.length === 0 ? '' : ` (known tasks: ${known.slice(-10).join(', ')})`;
    return `task ${only}, which is not known here yet${others}`;
  }
  return journal === undefined || journal.head() === 0 ? 'the first task' : undefined;
}

/** Prints what happened and what happens, until a signal, a closed pipe, or the end of the journal. */
async function follow(
  invocation: Invocation,
  place: Place,
  print: (what: Told) => void,
  waits?: string,
): Promise<void> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  onFirstSignal(invocation, resolve);
  process.stdout.once('error', () => resolve());
  const reader = onPipeLeft(resolve);
  if (waits !== undefined) warningLine(`Waits for ${waits}. Press Ctrl-C to end.`);
  const following = openEvents(place).follow(0, print, reject);
  try {
    await over;
  } finally {
    following.close();
    reader.stop();
  }
}
