import { listGoneStates, mayRemove } from '../../../project/workspace/list-workspaces.ts';
import { listOldCaches, listOldPrepared, removeOld, type OldState } from '../../../project/folders/old-state.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { describeCleaning, planCleaning, type TaskCleaning } from '../../../line/upkeep/clean.ts';
import { createHandoff } from '../../../project/handoff/create-handoff.ts';
import { lockWorkspace } from '../../../project/workspace/lock-workspace.ts';
import { usingJournal } from '../../../line/journal/open-journal.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { openHolder, openForReading } from '../../../project/workspace/open-reader.ts';
import { requestOrRun } from '../ask-watchdog.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printJson, printLine, printWarning } from '../print.ts';
import { invalidValue } from '../usage-errors.ts';
import { getUserName, type Invocation } from '../command.ts';

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** `andon clean`: says what of tasks that have ended, of caches and of repositories that are gone can go; removes it with --yes. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const place = await loadWorkspace(cwd, env);
  const age = ageOf(readTextOption(options, 'olderThan')) ?? place.settings.clean.afterDays * (UNITS['d'] ?? 0);
  const scope = { before: new Date(Date.now() - age).toISOString(), attempts: hasFlag(options, 'attempts') };
  const tasks = await plan(place, scope);
  const prepared = listOldPrepared(place.state, scope.before);
  const others = [...listOldCaches(place.state, scope.before), ...listGoneStates(env, place.state, scope.before)];
  const files = [...prepared, ...others];
  const isJson = hasFlag(options, 'json');
  const { before } = scope;
  if (!isJson) print(tasks, files, before);
  const isEmpty = tasks.every((one) => describeCleaning(one).length === 0) && files.length === 0;
  if (!hasFlag(options, 'yes') || isEmpty) {
    if (isJson) printJson({ before, tasks, files, removed: false });
    else if (!isEmpty) printLine('Nothing was removed. Run `andon clean --yes` to remove it.');
    return 0;
  }
  const { reason } = await requestOrRun(invocation, { do: 'clean', ...scope, by: getUserName() });
  const gone = await removePrepared(place, prepared);
  for (const one of others) {
    if (!mayRemove(one, place.state, before)) {
      printWarning(`${one.path} stays, for its repository is there again or in use.`);
      continue;
    }
    removeOld(one);
    gone.push(one);
  }
  if (isJson) {
    const stayed = files.filter((one) => !gone.includes(one));
    printJson({ before, tasks: await removedOf(place, tasks), files: gone, stayed, removed: true });
  } else printLine(`removed: ${reason}, ${gone.length} caches, logs, prepared folders and states.`);
  return 0;
}

/** What was removed of the planned tasks: what git and the archive do not have any more. */
async function removedOf(place: Workspace, planned: readonly TaskCleaning[]): Promise<readonly TaskCleaning[]> {
  const repository = await openForReading(place);
  const archived = createHandoff(place.inboxRoot).archived();
  const found = await Promise.all(['refs/andon/', 'refs/heads/task/'].map((prefix) => repository.refsUnder(prefix)));
  const there = new Set(found.flat().map(({ ref }) => ref));
  return planned.map((task) => ({
    ...task,
    refs: task.refs.filter(({ ref }) => !there.has(ref)),
    archived: archived.includes(task.taskId) ? undefined : task.archived,
  }));
}

const plan = (place: Workspace, scope: Parameters<typeof planCleaning>[1]): Promise<readonly TaskCleaning[]> =>
  usingJournal(place, async (journal) => {
    if (journal === undefined) return [];
    const repository = await openForReading(place);
    return planCleaning({ journal, repository, handoff: createHandoff(place.inboxRoot) }, scope);
  });

/** Gates of a watchdog may work in one of these folders; without one, the lock keeps it from starting meanwhile. Returns what it removed. */
async function removePrepared(place: Workspace, prepared: readonly OldState[]): Promise<OldState[]> {
  if (prepared.length === 0) return [];
  if (openHolder(place) !== undefined) {
    printWarning(`${prepared.length} prepared folders stay, for a watchdog runs. Run \`andon stop\` first.`);
    return [];
  }
  const lock = await lockWorkspace(place, 'clean', () => {});
  try {
    for (const one of prepared) removeOld(one);
    return [...prepared];
  } finally {
    await lock.release();
  }
}

function print(tasks: readonly TaskCleaning[], files: readonly OldState[], before: string): void {
  let bytes = 0;
  for (const task of tasks) {
    for (const text of describeCleaning(task)) printLine(toTerminalLine(text));
    for (const text of task.kept) printWarning(`${task.taskId} keeps ${text}`);
    bytes += task.archived ?? 0;
  }
  for (const { path, bytes: size, isState, root = 'its repository is not known' } of files) {
    printLine(`${toTerminalLine(path)}${isState === true ? ` (gone: ${toTerminalLine(root)})` : ''}`);
    bytes += size;
  }
  const day = before.slice(0, 10);
  const none = tasks.some(({ kept }) => kept.length > 0)
    ? `what is left from before ${day} is kept`
    : `there are no leftovers from before ${day}`;
  const count = tasks.reduce((sum, task) => sum + describeCleaning(task).length, files.length);
  printLine(
    count === 0
      ? `nothing to remove: ${none}.`
      : `${count} entries older than ${day}, ${(bytes / 1024 / 1024).toFixed(1)} MB.`,
  );
}

function ageOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const [, number, unit = 'd'] = /^(\d{1,6})([hdw])?$/.exec(written) ?? [];
  if (number === undefined)
    throw invalidValue('--older-than', written, 'an age such as 30d, 12h or 8w', 'andon clean --older-than 30d');
  const age = Number(number) * (UNITS[unit] ?? 0);
  if (age > Date.now())
    throw invalidValue('--older-than', written, 'an age since 1970', 'andon clean --older-than 30d');
  return age;
}
