import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import type { LineFacts } from '../line-facts.ts';
import { isSilent } from '../line-in-words.ts';
import { isDecidedOutside, waitsForOutside } from '../outside.ts';
import { whatHolds } from '../wait.ts';
import type { Waits } from './digest.ts';
import { said } from './night.ts';
import type { Night, Story } from './night.ts';
import { overdueHold } from './overdue.ts';

/** An item that continues without you, and whether a worker is active. */
export interface GoesOn {
  readonly isWorking: boolean;
  readonly wait: Waits;
}

/** Items that continue without you: running and waiting tasks, and contracts that have not begun, with their reasons. */
export const waitsOf = (night: Night, stories: readonly Story[], now: string): readonly Waits[] =>
  goingOn(night, stories, now).map(({ wait }) => wait);

/**
 * The same, with `isWorking`-style activity: a watchdog is there and the item does not wait. Overdue waits are needs
 * instead.
 */
export function goingOn(night: Night, stories: readonly Story[], now: string): readonly GoesOn[] {
  const open = stories.filter(({ record }) => !TERMINAL.includes(record.status));
  const moving = open.filter(
    ({ record }) =>
      record.halt === undefined &&
      !(record.status === 'review_complete' && isDecidedOutside(record)) &&
      overdueHold(record, now) === undefined,
  );
  const files = (night.line?.waiting ?? []).map((file) => ({
    repository: night.root,
    task_id: null,
    file: said(file, 160),
    for: whyNotBegun(night.line, open, file),
    since: null,
    command: null,
  }));
  return [
    ...moving.map((story) => ({ isWorking: isWorkedOn(night, story), wait: waitOf(night, story) })),
    ...files.map((wait) => ({ isWorking: false, wait })),
  ];
}

function isWorkedOn(night: Night, { record }: Story): boolean {
  const { parked, openCall, hold, waitsFor } = record;
  if (parked !== undefined || night.line?.watchdog?.doing !== 'watch' || isSilent(night.line)) return false;
  if (openCall !== undefined) return true;
  return hold === undefined && waitsFor === undefined && waitsForOutside(record, night) === undefined;
}

function waitOf(night: Night, { taskId, record }: Story): Waits {
  const { root: repository, line } = night;
  const { openCall, hold, status, waitsFor, updatedAt } = record;
  const wait = (what: string, since: string, command: string | null = null): Waits => ({
    repository,
    task_id: taskId,
    file: null,
    for: said(what, 400),
    since,
    command,
  });
  if (record.parked !== undefined) return wait('the line to be free; it was parked, and is answered', updatedAt);
  const isWatched = line?.watchdog?.doing === 'watch';
  if (line !== undefined && !isWatched) return wait(`a watchdog; it is at ${status}`, updatedAt);
  if (openCall !== undefined) return wait(`the ${openCall.station}, which works`, openCall.at);
  if (hold !== undefined) {
    if (hold.own !== undefined) return wait(whatHolds(hold), hold.since);
    const next = line?.task?.task_id === taskId ? line.next_try : null;
    const again = next === null ? '' : `; asked again at ${next}`;
    return wait(`the ${hold.station}: ${whatHolds(hold)}${again}`, hold.since, `andon resume ${taskId} --again`);
  }
  if (waitsFor !== undefined) return wait('its target or the setup to change, as you chose', updatedAt);
  const outside = waitsForOutside(record, night);
  if (outside !== undefined)
    return wait(outside, updatedAt, status === 'pending_judge_review' ? 'andon agents judge' : null);
  return wait(`its next step, at ${status}`, updatedAt);
}

/** Why the contracts in the folder have not begun. */
function whyNotBegun(line: LineFacts | undefined, open: readonly Story[], file: string): string {
  if (line === undefined) return 'its turn';
  const { blocked, refusals, watchdog } = line;
  if (blocked !== null) return said(blocked, 300);
  if (watchdog?.doing !== 'watch') return 'a watchdog';
  if (refusals.some(({ file }) => file === `${HANDOFF}/${FILES.contract}`)) return 'the refused contract before it';
  const own = line.queue.find((one) => one.file === file);
  if (own !== undefined && own.waits_for !== 'its turn' && own.waits_for !== 'a place')
    return said(own.why.replace(/^waits (?:for )?/, ''), 300);
  if (open.length === 0) return 'its turn';
  const names = open.map(({ taskId, record }) => `${taskId}${record.halt === undefined ? '' : ', which is halted'}`);
  return `its turn, behind ${names.join(' and ')}`;
}
