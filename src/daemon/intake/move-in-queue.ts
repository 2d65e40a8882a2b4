import type { Request } from '../../record/request.ts';
import { LINE, HANDOFF } from '../../base/names.ts';
import { findNearestWord } from '../../base/nearest-word.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { moveTo } from '../../line/order/move-to.ts';
import type { QueuePosition } from '../../line/order/move-to.ts';
import type { QueuedTurn } from '../../line/order/turns.ts';
import type { Waiting } from '../../ports/queue.ts';
import { readQueueEvents } from '../journal/queue-events.ts';
import { listTurns } from '../journal/list-turns.ts';
import type { Services } from '../../wiring/services.ts';

type Rearrange = Extract<Request, { do: 'move' | 'withdraw' }>;
type Needs = Pick<Services, 'clock' | 'configuration' | 'journal' | 'queue'>;

/** Puts a contract that waits somewhere else in the order, or takes it out; a Problem where that cannot be. */
export function moveInQueue(services: Needs, request: Rearrange): { status: string; reason: string; commit: null } {
  const { queue, journal, clock, configuration } = services;
  const { onOverlap } = configuration.line().settings;
  const turns = listTurns({ queue, journal, now: clock.now(), underWay: [], onOverlap, isRefused: () => false });
  const one = named(services, turns, request.contract);
  const reason = request.do === 'move' ? move(services, turns, one, request) : withdraw(services, one, request.by);
  return { status: request.do === 'move' ? 'moved' : 'withdrawn', reason, commit: null };
}

function move(
  services: Needs,
  turns: readonly QueuedTurn<Waiting>[],
  { name, taskId, goesFirst }: Waiting,
  request: Extract<Rearrange, { do: 'move' }>,
): string {
  if (taskId === undefined)
    throw createUsageError(`${shown(name)} is no contract that can be read, so it has no turn`, 'andon queue');
  if (goesFirst) throw createUsageError(`${taskId} lies in ${shown(name)}, which goes before the queue`, 'andon queue');
  const moved = moveTo(turns, taskId, whereIn(services, turns, request));
  if (!moved.ok) throw createUsageError(moved.why, 'andon queue shows what waits for what');
  const { to, before } = moved.value;
  services.journal.append(LINE, [
    { kind: 'ranked', at: services.clock.now(), by: request.by, task: taskId, to, before: [...before] },
  ]);
  return taskId;
}

function whereIn(
  services: Needs,
  turns: readonly QueuedTurn<Waiting>[],
  { to, before = '' }: Extract<Rearrange, { do: 'move' }>,
): QueuePosition {
  if (to !== 'before') return { to };
  const other = named(services, turns, before);
  if (other.goesFirst || other.taskId === undefined)
    throw createUsageError(
      other.goesFirst
        ? `${shown(other.name)} goes before the queue`
        : `${shown(other.name)} is no contract that can be read`,
      'andon queue',
    );
  return { to, other: other.taskId };
}

/** The file is moved before the journal tells of it: a crash in between forgets nothing that counts. */
function withdraw(services: Needs, one: Waiting, by: string): string {
  const to = services.queue.withdraw(one);
  if (to === undefined)
    throw new Problem(
      'outdated-choice',
      `${shown(one.name)} ${one.text.ok ? 'has just changed, or is gone' : one.text.why}; nothing was moved`,
      one.text.ok ? 'look with andon queue, then type it again' : 'take it away yourself',
      one.text.ok ? 1 : 2,
    );
  const { taskId } = one;
  if (taskId !== undefined)
    services.journal.append(LINE, [
      { kind: 'ranked', at: services.clock.now(), by, task: taskId, to: 'out', before: [] },
    ]);
  return `${HANDOFF}/${to}`;
}

/** The contract that is meant by its task, or by its file in any of the ways in which people write it. */
function named(services: Pick<Services, 'journal'>, turns: readonly QueuedTurn<Waiting>[], text: string): Waiting {
  const waiting = turns.map(({ one }) => one);
  const spellings = ({ name }: Waiting): readonly string[] => [name, `${HANDOFF}/${name}`, name.replace(/^.*\//, '')];
  const byFile = waiting.filter((one) => spellings(one).includes(text));
  const meant = byFile.length > 0 ? byFile : waiting.filter(({ taskId }) => taskId === text);
  const [one, other] = meant;
  if (one !== undefined && other === undefined) return one;
  if (one !== undefined)
    throw createUsageError(
      `${shown(text)} is the id of ${meant.length} contracts: ${meant.map(({ name }) => shown(name)).join(', ')}`,
      'name the file',
    );
  const begun = readQueueEvents(services.journal).tasks.get(text)?.is;
  if (begun !== undefined)
    throw new Problem(
      'no-task',
      `${shown(text)} does not wait: it ${begun === 'undone' ? 'was merged and taken out again' : begun === 'merged' || begun === 'abandoned' ? `was ${begun}` : `is ${begun}`}`,
      begun === 'under way' || begun === 'halted'
        ? `andon show ${text}; andon abandon ${text} ends it`
        : `andon show ${text}`,
    );
  const known = waiting.flatMap(({ name, taskId }) => taskId ?? name);
  const nearest = findNearestWord(text, known);
  throw new Problem(
    'no-task',
    `no contract ${shown(text)} waits`,
    nearest === undefined
      ? 'andon queue shows what waits'
      : `did you mean ${shown(nearest)}? andon queue shows what waits`,
  );
}

const shown = (text: string): string => toTerminalLine(text, 80);
