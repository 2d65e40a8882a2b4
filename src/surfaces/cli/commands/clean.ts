import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { cleaningInWords, planCleaning } from '../../../daemon/journal/clean.ts';
import type { TaskCleaning } from '../../../daemon/journal/clean.ts';
import { handoffAt } from '../../../wiring/files.ts';
import { holdPlace } from '../../../wiring/hold-place.ts';
import { goneStates, oldCaches, oldPrepared, removeOld } from '../../../wiring/old-state.ts';
import type { OldState } from '../../../wiring/old-state.ts';
import { readJournal } from '../../../wiring/open-journal.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import type { Place } from '../../../wiring/open-place.ts';
import { holderOf, openForReading } from '../../../wiring/open-reader.ts';
import { carryOut, whoAmI } from '../ask.ts';
import { flag, textOption } from '../options.ts';
import { json, line, warningLine } from '../print.ts';
import { invalidValue } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** `andon clean`: says what of tasks that have ended, of caches and of repositories that are gone can go; removes it with --yes. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const place = await findPlace(cwd, env);
  const age = ageOf(textOption(options, 'olderThan')) ?? place.settings.clean.afterDays * (UNITS['d'] ?? 0);
  const scope = { before: new Date(Date.now() - age).toISOString(), attempts: flag(options, 'attempts') };
  const tasks = await plan(place, scope);
  const prepared = oldPrepared(place.state, scope.before);
  const others = [...oldCaches(place.state, scope.before), ...goneStates(env, place.state, scope.before)];
  const isAsked = flag(options, 'yes');
  if (flag(options, 'json')) json({ before: scope.before, tasks, files: [...prepared, ...others], removed: isAsked });
  else print(tasks, [...prepared, ...others], scope.before);
  const isEmpty = tasks.every((one) => cleaningInWords(one).length === 0) && prepared.length + others.length === 0;
  if (!isAsked || isEmpty) {
    if (!isEmpty && !flag(options, 'json')) line('Nothing was removed. Run `andon clean --yes` to remove it.');
    return 0;
  }
  const { reason } = await carryOut(invocation, { do: 'clean', ...scope, by: whoAmI() });
  for (const one of others) removeOld(one);
  await removePrepared(place, prepared);
  if (!flag(options, 'json')) line(`removed: ${reason}, ${others.length} files of caches, logs and states.`);
  return 0;
}

async function plan(place: Place, scope: Parameters<typeof planCleaning>[1]): Promise<readonly TaskCleaning[]> {
  const journal = readJournal(place);
  if (journal === undefined) return [];
  try {
    const repository = await openForReading(place);
    return await planCleaning({ journal, repository, handoff: handoffAt(place.inboxRoot) }, scope);
  } finally {
    journal.close();
  }
}

/** Gates of a watchdog may work in one of these folders; without one, the lock keeps it from starting meanwhile. */
async function removePrepared(place: Place, prepared: readonly OldState[]): Promise<void> {
  if (prepared.length === 0) return;
  if (holderOf(place) !== undefined)
    return warningLine(`${prepared.length} prepared folders stay, for a watchdog runs. Run \`andon stop\` first.`);
  const lock = await holdPlace(place, 'clean', () => {});
  try {
    for (const one of prepared) removeOld(one);
  } finally {
    await lock.release();
  }
}

function print(tasks: readonly TaskCleaning[], files: readonly OldState[], before: string): void {
  let bytes = 0;
  for (const task of tasks) {
    for (const text of cleaningInWords(task)) line(inOneTerminalLine(text));
    for (const text of task.kept) warningLine(`${task.taskId} keeps ${text}`);
    bytes += task.archived ?? 0;
  }
  for (const { path, bytes: size, isState, root = 'its repository is not known' } of files) {
    line(`${inOneTerminalLine(path)}${isState === true ? ` (gone: ${inOneTerminalLine(root)})` : ''}`);
    bytes += size;
  }
  const count = tasks.reduce((sum, task) => sum + cleaningInWords(task).length, files.length);
  line(
    count === 0
      ? `nothing is older than ${before.slice(0, 10)} and may go.`
      : `${count} entries older than ${before.slice(0, 10)}, ${(bytes / 1024 / 1024).toFixed(1)} MB.`,
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
