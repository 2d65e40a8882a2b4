import { CONFIG } from '../../project/config/read-settings.ts';
import { explainDiskWait } from '../../base/disk-trouble.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { readLine } from '../../line/readers/read-line.ts';
import type { LineFacts } from '../../line/words/line-facts.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';
import { readRecord } from '../../line/journal/read-records.ts';
import { usingJournal } from '../../line/journal/open-journal.ts';
import type { Journal } from '../../line/journal/journal.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import { Problem } from '../../base/problem.ts';
import { withLocalTimes } from '../../base/local-time.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { formatInboxPath } from '../../project/workspace/files.ts';
import { hasFlag, readTaskArgument } from './options.ts';
import { printErrorLine, printSentence } from './print.ts';
import type { Invocation } from './command.ts';
import type { TaskView } from '../../line/words/view-task.ts';

/** The journal of the repository the command was typed in, opened for reading, and closed afterwards. */
export async function withJournal<Value>(
  { cwd, env }: Invocation,
  work: (journal: Journal | undefined, place: Workspace) => Promise<Value> | Value,
  { checked = true, ...more }: { readonly checked?: boolean; readonly tolerates?: 'everything' } = {},
): Promise<Value> {
  const place = await loadWorkspace(cwd, env, more);
  return usingJournal(place, (journal) => {
    if (checked) warnIfBroken(journal);
    return work(journal, place);
  });
}

/** The root of the repository the command was typed in. */
export const rootOf = async ({ cwd, env }: Invocation): Promise<string> => (await loadWorkspace(cwd, env)).facts.root;

/** Names the inbox where it is not the `_handoff/` of the checkout in which the command was typed. */
export function sayOtherInbox(place: Workspace): void {
  if (place.inboxRoot !== place.facts.root)
    printSentence(`the inbox of this repository is ${toTerminalLine(formatInboxPath(place, ''), 1000)}`);
}

/** An edited journal may show wrong things, so the reader is warned. */
function warnIfBroken(journal: Journal | undefined): void {
  const broken = journal?.verify();
  if (broken !== undefined)
    printErrorLine(
      `Entry ${broken} of the journal is not what andon wrote there, so this may be wrong. Run \`andon doctor --journal\`.`,
    );
}

/** The task that a command names, with the journal of its repository. */
export function withTask<Value>(
  invocation: Invocation,
  work: (record: TaskRecord, journal: Journal, place: Workspace) => Promise<Value> | Value,
): Promise<Value> {
  const taskId = readTaskArgument(invocation);
  return withJournal(invocation, async (journal, place) => {
    const record = await findRecord(place, journal, taskId);
    return work(record, journal as Journal, place); // a task has a journal
  });
}

/** The record of a task, or a Problem that says what a contract waits for, or names the tasks there are. */
export async function findRecord(place: Workspace, journal: Journal | undefined, taskId: string): Promise<TaskRecord> {
  const record = readRecord(journal, taskId);
  if (record !== undefined) return record;
  const { queue } = await readLine(place, journal);
  const why = queue.find(({ task_id: id }) => id === taskId)?.why;
  if (why !== undefined)
    throw new Problem(
      'no-task',
      `${taskId} has not begun: it ${withLocalTimes(toTerminalLine(why, 400), new Date())}.`,
      'Run `andon queue` to see the order.',
    );
  const known = journal?.taskIds() ?? [];
  throw new Problem(
    'no-task',
    `There is no task ${taskId} in this repository.`,
    known.length === 0
      ? 'No task is known here. Run `andon status` to see why.'
      : `Known tasks: ${known.slice(-10).join(', ')}. Run \`andon list\` to see all tasks.`,
  );
}

/** What follows a sentence where no watchdog takes up what it tells of. */
const hintToWatch = (watches: boolean): string =>
  watches ? '' : ' No watchdog is running. Run `andon watch` to start one.';

export const hasWatchdog = ({ watchdog }: LineFacts): boolean => watchdog?.doing === 'watch';

/** What follows where something holds the whole line; empty where nothing does. */
export function hintAtHold(facts: LineFacts): string {
  const waits = facts.watchdog?.waits;
  const why = waits ? explainDiskWait(waits) : facts.blocked;
  return why === null ? '' : ` Nothing starts now: ${toTerminalLine(why)}.${hintToWatch(hasWatchdog(facts))}`;
}

/** What follows a sentence that says that something goes on. Empty with `--json`, which prints no sentence. */
export async function hintToGoOn(invocation: Invocation): Promise<string> {
  if (hasFlag(invocation.options, 'json')) return '';
  const facts = await withJournal(invocation, (journal, place) => readLine(place, journal), { checked: false });
  return hintAtHold(facts) || hintToWatch(hasWatchdog(facts));
}

/** Whether nothing runs, waits or is parked. */
export const isIdle = ({ task, parked, proposal, queue }: LineFacts): boolean =>
  task === null && parked.length + queue.length === 0 && proposal === null;

/** What a repository lacks that was never set up or has nothing to do, each with its command. */
export function listFirstSteps({ facts, settings }: Workspace, { isIdle }: { readonly isIdle: boolean }) {
  const isUnset = settings.gates.length === 0 && openDir(facts.root).stat(CONFIG) === undefined;
  return [
    ...(isUnset ? ['No gate is configured, so only the reviewers decide. Run `andon init` to set this up.'] : []),
    ...(isIdle ? ['No task waits. Run `andon new` to add one.'] : []),
  ];
}

/** What follows the file of a contract that is not the next one. */
export const hintAtTurn = (waits: boolean): string =>
  waits ? ' It waits its turn; `andon queue` shows the order.' : '';

/** That nothing but the reviewers decides is never shown as nothing. */
export const NO_GATE = 'no gate: only the reviewers decide';

/** The outcome of a gate on the change, and on the base where it is not green now. */
export const gateLine = ({ name, outcome, base }: TaskView['gates'][number]): string =>
  `gate ${toTerminalLine(name, 60)}: ${outcome}${outcome === 'green' || base === 'green' || base === 'not run' ? '' : ` (on the base: ${base})`}`;
