import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { isSilent, type LineFacts } from '../core/line-facts.ts';
import { describeStep, STATUS_PHRASES } from '../core/describe-line.ts';
import { findGatesStart } from '../core/view-task.ts';
import { findOutsideWait, isDecidedOutside, joinHow } from '../core/find-outside-wait.ts';
import { describeHold } from '../core/hold.ts';
import type { WaitingItem } from './digest.ts';
import { toDigestLine, type RepositoryNight, type TaskStory } from './repository-night.ts';
import { findOverdueHold } from './list-needs.ts';

export interface OngoingItem {
  readonly isWorking: boolean;
  readonly wait: WaitingItem;
}

/** What a call that runs is waited for by. */
const WORKS = ', which works';

/** `waits for the judge`, `waits until 18:00`, `the implementer works`, without how to end it. */
export function describeWait({ for: what }: Pick<WaitingItem, 'for'>): string {
  if (what.endsWith(WORKS)) return what.replace(WORKS, ' works');
  return what.startsWith('until ') ? `waits ${what}` : `waits for ${what}`;
}

/** The same with how to end it. */
export const describeWholeWait = (wait: Pick<WaitingItem, 'for' | 'how'>): string =>
  joinHow({ ...wait, for: describeWait(wait) });

/** Items that continue without you: running and waiting tasks, and contracts that have not begun, with their reasons. */
export const listWaiting = (
  night: RepositoryNight,
  stories: readonly TaskStory[],
  now: string,
): readonly WaitingItem[] => listOngoing(night, stories, now).map(({ wait }) => wait);

/** The same, with whether it is worked on: a watchdog is there and the item does not wait. Overdue waits are needs. */
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
    for: explainNotBegun(night.line, open, file),
    since: null,
    command: null,
  }));
  return [...moving.map((story) => goingOf(night, story)), ...files.map((wait) => ({ isWorking: false, wait }))];
}

function goingOf(night: RepositoryNight, { taskId, record }: TaskStory): OngoingItem {
  const { root: repository, line } = night;
  const { openCall, hold, status, updatedAt } = record;
  const isMoving = line?.watchdog?.doing === 'watch' && !isSilent(line);
  const going = (isWorking: boolean, what: string, since: string, command: string | null = null): OngoingItem => ({
    isWorking,
    wait: { repository, task_id: taskId, file: null, for: toDigestLine(what, 400), since, command },
  });
  const waits = (what: string, since = updatedAt, command: string | null = null): OngoingItem =>
    going(false, what, since, command);
  if (record.parked !== undefined) return waits('the line to be free; it was set aside, and you have answered');
  if (line !== undefined && line.watchdog?.doing !== 'watch')
    return waits(`a watchdog (${hold === undefined ? STATUS_PHRASES[status] : describeHold(hold)})`);
  if (openCall !== undefined) return going(isMoving, `the ${openCall.station}${WORKS}`, openCall.at);
  if (hold !== undefined) {
    if (hold.own !== undefined) return waits(describeHold(hold), hold.since);
    const next = line?.task?.task_id === taskId ? line.next_try : null;
    const again = next === null ? '' : `; asked again at ${next}`;
    return waits(`the ${hold.station}: ${describeHold(hold)}${again}`, hold.since, `andon resume ${taskId} --again`);
  }
  const outside = findOutsideWait(record, night);
  if (outside !== undefined) {
    const { isWorking, wait } = waits(
      outside.for,
      updatedAt,
      status === 'pending_judge_review' ? 'andon agents judge' : null,
    );
    return { isWorking, wait: outside.how === undefined ? wait : { ...wait, how: toDigestLine(outside.how, 400) } };
  }
  return going(isMoving, `its next step (${describeStep(record, findGatesStart(record), line)})`, updatedAt);
}

/** Why the contracts in the folder have not begun. */
function explainNotBegun(line: LineFacts | undefined, open: readonly TaskStory[], file: string): string {
  if (line === undefined) return 'its turn';
  const { blocked, refusals, watchdog } = line;
  if (blocked !== null) return toDigestLine(blocked, 300);
  if (watchdog?.doing !== 'watch') return 'a watchdog';
  if (refusals.some(({ file }) => file === `${HANDOFF}/${FILES.contract}`)) return 'the refused contract before it';
  const own = line.queue.find((one) => one.file === file);
  if (own?.why.startsWith('waits ') === true) return toDigestLine(own.why.replace(/^waits (?:for )?/, ''), 300);
  const names = open.flatMap(({ taskId, record: { halt, parked } }) =>
    parked === undefined ? [`${taskId}${halt === undefined ? '' : ', which is halted'}`] : [],
  );
  return names.length === 0 ? 'its turn' : `its turn, behind ${names.join(' and ')}`;
}
