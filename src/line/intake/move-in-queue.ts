import type { Request } from '../../project/requests/request.ts';
import { HANDOFF, LINE } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { moveTo, type QueuedTurn } from '../order/queued-turn.ts';
import type { Waiting } from '../order/handoff-queue.ts';
import { listUnderWay } from '../journal/active-task.ts';
import { listTurns } from '../journal/list-turns.ts';
import type { Needs } from '../services/services.ts';

type Rearrange = Extract<Request, { do: 'move' | 'withdraw' }>;
type OwnServices = Needs<'clock' | 'configuration' | 'journal' | 'queue'>;

/** Moves a waiting contract in the order, or withdraws it; throws a Problem where that is impossible. */
export function moveInQueue(
  services: OwnServices,
  request: Rearrange,
): { status: string; reason: string; commit: null } {
  const { queue, journal, clock, configuration } = services;
  const { onOverlap } = configuration.line().settings;
  const underWay = listUnderWay(services);
  const turns = listTurns({
    queue,
    journal,
    now: clock.now(),
    underWay,
    onOverlap,
    isRefused: () => false,
  });
  const one = findWaiting(turns, request.contract);
  const reason = request.do === 'move' ? move(services, turns, one, request) : withdraw(services, one, request.by);
  return { status: request.do === 'move' ? 'moved' : 'withdrawn', reason, commit: null };
}

function move(
  services: OwnServices,
  turns: readonly QueuedTurn<Waiting>[],
  one: Waiting,
  request: Extract<Rearrange, { do: 'move' }>,
): string {
  const taskId = getMovableId(one);
  const { to, before = '' } = request;
  const position = to === 'before' ? { to, other: getMovableId(findWaiting(turns, before)) } : ({ to } as const);
  const moved = moveTo(turns, taskId, position);
  if (!moved.ok) throw createUsageError(moved.why, 'andon queue shows what waits for what');
  note(services, request.by, { task: taskId, to: moved.value.to, before: [...moved.value.before] });
  return taskId;
}

/** The id of a contract that has a turn: the one in the place precedes the queue. */
function getMovableId({ name, taskId, goesFirst }: Waiting): string {
  if (taskId !== undefined && !goesFirst) return taskId;
  throw createUsageError(
    goesFirst ? `${show(name)} goes before the queue` : `${show(name)} is no contract that can be read`,
    'andon queue',
  );
}

/** The file is moved before the journal notes it, so that a crash between loses nothing. */
function withdraw(services: OwnServices, one: Waiting, by: string): string {
  const to = services.queue.withdraw(one);
  if (to === undefined)
    throw new Problem(
      'outdated-choice',
      `${show(one.name)} ${one.text.ok ? 'has just changed, or is gone' : one.text.why}; nothing was moved`,
      one.text.ok ? 'look with andon queue, then type it again' : 'take it away yourself',
      one.text.ok ? 1 : 2,
    );
  if (one.taskId !== undefined) note(services, by, { task: one.taskId, to: 'out', before: [] });
  return `${HANDOFF}/${to}`;
}

function note(
  { clock, journal }: OwnServices,
  by: string,
  moved: { readonly task: string; readonly to: 'first' | 'last' | 'before' | 'out'; readonly before: string[] },
): void {
  journal.append(LINE, [{ kind: 'ranked', at: clock.now(), by, ...moved }]);
}

/** Finds a waiting contract by its file, in any usual spelling, or by its task. */
function findWaiting(turns: readonly QueuedTurn<Waiting>[], text: string): Waiting {
  const waiting = turns.map(({ one }) => one);
  const byFile = waiting.filter(({ name }) => toFileNames(name).includes(text));
  const found = byFile.length > 0 ? byFile : waiting.filter(({ taskId }) => taskId === text);
  const [one, other] = found;
  if (one !== undefined && other === undefined) return one;
  if (one !== undefined)
    throw createUsageError(
      `${show(text)} is the id of ${found.length} contracts: ${found.map(({ name }) => show(name)).join(', ')}`,
      'name the file',
    );
  throw new Problem('no-task', `no contract ${show(text)} waits`, 'andon queue shows what waits, andon list all tasks');
}

/** The usual spellings of a file in `_handoff/`. */
const toFileNames = (name: string): readonly string[] => [name, `${HANDOFF}/${name}`, name.replace(/^.*\//, '')];

const show = (text: string): string => toTerminalLine(text, 80);
