import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import type { LineFacts } from '../line-facts.ts';
import { isSilent, STATUS_PHRASES } from '../describe-line.ts';
import { isDecidedOutside, describeOutsideWait } from '../external-judge.ts';
import { describeHold } from '../hold.ts';
import type { WaitingItem } from './digest.ts';
import { toDigestLine, type RepositoryNight, type TaskStory } from './repository-night.ts';
import { findOverdueHold } from './needs.ts';

export interface OngoingItem {
  readonly isWorking: boolean;
  readonly wait: WaitingItem;
}

/** Items that continue without you: running and waiting tasks, and contracts that have not begun, with their reasons. */
export const listWaiting = (
  night: RepositoryNight,
  stories: readonly TaskStory[],
  now: string,
): readonly WaitingItem[] => listOngoing(night, stories, now).map(({ wait }) => wait);

/**
 * The same, with `isWorking`-style activity: a watchdog is there and the item does not wait. Overdue waits are needs
 * instead.
 */
export function listOngoing(
  night: RepositoryNight,
  stories: readonly TaskStory[],
  now: string,
): readonly OngoingItem[] {
  const open = stories.filter(({ record }) => !TERMINAL.includes(record.status));
  const moving = open.filter(
    ({ record }) =>
      record.halt === undefined &&
      !(record.status === 'review_complete' && isDecidedOutside(record)) &&
      findOverdueHold(record, now) === undefined,
  );
  const files = (night.line?.waiting ?? []).map((file) => ({
    repository: night.root,
    task_id: null,
    file: toDigestLine(file, 160),
    for: whyNotBegun(night.line, open, file),
    since: null,
    command: null,
  }));
  return [
    ...moving.map((story) => ({ isWorking: isWorkedOn(night, story), wait: waitOf(night, story) })),
    ...files.map((wait) => ({ isWorking: false, wait })),
  ];
}

function isWorkedOn(night: RepositoryNight, { record }: TaskStory): boolean {
  const { parked, openCall, hold, waitsFor } = record;
  if (parked !== undefined || night.line?.watchdog?.doing !== 'watch' || isSilent(night.line)) return false;
  if (openCall !== undefined) return true;
  return hold === undefined && waitsFor === undefined && describeOutsideWait(record, night) === undefined;
}

function waitOf(night: RepositoryNight, { taskId, record }: TaskStory): WaitingItem {
  const { root: repository, line } = night;
  const { openCall, hold, status, waitsFor, updatedAt } = record;
  const wait = (what: string, since: string, command: string | null = null): WaitingItem => ({
    repository,
    task_id: taskId,
    file: null,
    for: toDigestLine(what, 400),
    since,
    command,
  });
  if (record.parked !== undefined) return wait('the line to be free; it was parked, and is answered', updatedAt);
  const isWatched = line?.watchdog?.doing === 'watch';
  if (line !== undefined && !isWatched) return wait(`a watchdog (${STATUS_PHRASES[status]})`, updatedAt);
  if (openCall !== undefined) return wait(`the ${openCall.station}, which works`, openCall.at);
  if (hold !== undefined) {
    if (hold.own !== undefined) return wait(describeHold(hold), hold.since);
    const next = line?.task?.task_id === taskId ? line.next_try : null;
    const again = next === null ? '' : `; asked again at ${next}`;
    return wait(`the ${hold.station}: ${describeHold(hold)}${again}`, hold.since, `andon resume ${taskId} --again`);
  }
  if (waitsFor !== undefined) return wait('its target or the setup to change, as you chose', updatedAt);
  const outside = describeOutsideWait(record, night);
  if (outside !== undefined)
    return wait(outside, updatedAt, status === 'pending_judge_review' ? 'andon agents judge' : null);
  return wait(`its next step (${STATUS_PHRASES[status]})`, updatedAt);
}

/** Why the contracts in the folder have not begun. */
function whyNotBegun(line: LineFacts | undefined, open: readonly TaskStory[], file: string): string {
  if (line === undefined) return 'its turn';
  const { blocked, refusals, watchdog } = line;
  if (blocked !== null) return toDigestLine(blocked, 300);
  if (watchdog?.doing !== 'watch') return 'a watchdog';
  if (refusals.some(({ file }) => file === `${HANDOFF}/${FILES.contract}`)) return 'the refused contract before it';
  const own = line.queue.find((one) => one.file === file);
  if (own !== undefined && own.waits_for !== 'its turn' && own.waits_for !== 'a place')
    return toDigestLine(own.why.replace(/^waits (?:for )?/, ''), 300);
  if (open.length === 0) return 'its turn';
  const names = open.map(({ taskId, record }) => `${taskId}${record.halt === undefined ? '' : ', which is halted'}`);
  return `its turn, behind ${names.join(' and ')}`;
}
