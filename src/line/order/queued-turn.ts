import { findCycles, findEarlierParts, type SpecPart, type QueuedPart } from './find-earlier-parts.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { TERMINAL } from '../../base/names.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { classifyPath } from '../../base/paths.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** A contract that has not begun, from its own text; lists are in order of arrival. */
export interface Queued extends QueuedPart {
  /** Its name in the queue, used in claims and messages. */
  readonly name: string;
  readonly priority: number;
  /** ISO 8601 in UTC; undefined = at once. */
  readonly notBefore: string | undefined;
  /** Whether there is a place in which it could begin. */
  readonly waitsFor: 'its turn' | 'a place';
}

/** The outcome of a begun task. */
export type Begun =
  | { readonly is: 'under way' | 'merged' | 'abandoned' }
  | { readonly is: 'halted'; readonly by: string }
  /** It was merged and reverted: it is not merged again. */
  | { readonly is: 'undone'; readonly commit: string };

export type QueueWait =
  /** Refused, or no readable contract. */
  | { readonly for: 'a correction'; readonly isUnread?: true }
  | {
      readonly for: 'another task';
      readonly task: string;
      readonly is: Exclude<Begun['is'], 'merged'> | 'waiting' | 'refused' | 'unknown';
      readonly by?: string;
      readonly spec?: string;
    }
  /** Its scope overlaps the change of a parked task. */
  | { readonly for: 'a parked task'; readonly task: string; readonly paths: readonly string[] }
  | { readonly for: 'a time'; readonly until: string }
  | { readonly for: 'a place' }
  | { readonly for: 'its turn'; readonly behind: string };

/** Why a contract can never begin in its current form. */
export type Never =
  | ({ readonly key: 'after'; readonly at: number; readonly task: string } & (
      | { readonly is: 'unknown' | 'abandoned' }
      | { readonly is: 'undone'; readonly commit: string }
      /** `way` begins and ends with the task itself. */
      | { readonly is: 'circle'; readonly way: readonly string[] }
    ))
  | { readonly key: 'task_id'; readonly is: 'waiting'; readonly name: string }
  | { readonly key: 'task_id'; readonly is: 'under way' | 'halted' };

export interface Floor<One extends Queued = Queued> {
  readonly now: string;
  readonly tasks: ReadonlyMap<string, Begun>;
  readonly parts?: ReadonlyMap<string, SpecPart>;
  /** Manual moves, oldest first. */
  readonly moves?: readonly QueueMove[];
  /** Whether a contract is refused; default: none is. */
  readonly isRefused?: (one: One, never: readonly Never[]) => boolean;
  /** A further reason to hold one back; default: none. */
  readonly keptBy?: (one: One) => readonly QueueWait[];
}

export interface QueuedTurn<One extends Queued = Queued> {
  readonly one: One;
  /** Every reason to wait, the strongest first; empty for the next one. */
  readonly waits: readonly QueueWait[];
  readonly never: readonly Never[];
}

/**
 * Decides the order: who is next, and why each other one waits. The contract in the place goes first; then by priority,
 * the oldest first; manual moves apply; dependencies and earlier parts of a spec precede. A held-back contract holds no
 * other one back. At most one begins next. Pure.
 */
export function computeTurns<One extends Queued>(
  waiting: readonly One[],
  floor: Floor<One>,
): readonly QueuedTurn<One>[] {
  const byRight = waiting.toSorted((a, b) => Number(b.goesFirst) - Number(a.goesFirst));
  const firstOf = firstBy(byRight, ({ taskId }) => taskId);
  const owners = firstBy(byRight, ({ taskId }) => taskId?.toLowerCase());
  const earlier = findEarlierParts(waiting, floor);
  const order = sortQueued(waiting, firstOf, earlier, floor.moves ?? []);
  const toBegin = [...firstOf].filter(([taskId]) => !HAS_BEGUN.has(floor.tasks.get(taskId)?.is ?? 'unknown'));
  const circles = findCycles(new Map(toBegin.map(([taskId, { after }]) => [taskId, after])));
  const judged = order.map((one) => ({ one, never: explainNever(one, firstOf, circles, owners, floor) }));
  const refused = new Set(judged.filter(({ one, never }) => floor.isRefused?.(one, never)).map(({ one }) => one));
  const turns: QueuedTurn<One>[] = [];
  let ahead: string | undefined;
  for (const { one, never } of judged) {
    const kept = keptBack(one, { firstOf, refused, earlier }, floor);
    const turn: readonly QueueWait[] = ahead === undefined ? [] : [{ for: 'its turn', behind: ahead }];
    turns.push({ one, waits: [...kept, ...(one.waitsFor === 'a place' ? [A_PLACE] : turn)], never });
    if (kept.length === 0) ahead = one.taskId ?? one.name;
  }
  return turns;
}

const HAS_BEGUN: ReadonlySet<string> = new Set(['under way', 'halted', 'merged', 'undone']);

/** Whether a reason other than a free place and earlier turns holds a contract back. */
export const isKeptBack = ({ waits }: QueuedTurn): boolean => waits.some((one) => !IN_LINE.has(one.for));

/** Whether it waits for another task: then its requirements on the repository may still come true. */
export const isAwaitingTask = ({ waits }: QueuedTurn): boolean =>
  waits.some((one) => one.for === 'another task' || one.for === 'a parked task');

const IN_LINE: ReadonlySet<QueueWait['for']> = new Set(['its turn', 'a place']);

/** The earliest start of a contract that waits for a time; undefined when none does. */
export const findNextOpening = (turns: readonly QueuedTurn[]): string | undefined =>
  turns
    .flatMap(({ waits }) => waits.flatMap((one) => (one.for === 'a time' ? [one.until] : [])))
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];

function sortQueued<One extends Queued>(
  waiting: readonly One[],
  firstOf: ReadonlyMap<string, One>,
  earlier: ReadonlyMap<string, readonly string[]>,
  moves: readonly QueueMove[],
): readonly One[] {
  const first = waiting.filter(({ goesFirst }) => goesFirst);
  const others = waiting.filter(({ goesFirst }) => !goesFirst).toSorted((a, b) => b.priority - a.priority);
  return [...first, ...behindTheirs(applyMoves(others, moves), firstOf, earlier)];
}

/** The same order with dependencies first; iterative, for a chain may be long. */
function behindTheirs<One extends Queued>(
  order: readonly One[],
  firstOf: ReadonlyMap<string, One>,
  earlier: ReadonlyMap<string, readonly string[]>,
): readonly One[] {
  const known = new Set(order);
  const placed = new Set<One>();
  const entered = new Set<One>();
  for (const one of order) {
    const stack = [one];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const isNew = !entered.has(top);
      entered.add(top);
      const before = isNew ? [...top.after, ...(earlier.get(top.taskId ?? '') ?? [])] : [];
      const theirs = before.flatMap((task) => firstOf.get(task) ?? []);
      const missing = theirs.filter((each) => known.has(each) && !entered.has(each));
      stack.push(...missing.toReversed());
      if (missing.length > 0) continue;
      placed.add(top);
      stack.pop();
    }
  }
  return [...placed];
}

const A_PLACE: QueueWait = { for: 'a place' };

function keptBack<One extends Queued>(
  one: One,
  {
    firstOf,
    refused,
    earlier,
  }: {
    readonly firstOf: ReadonlyMap<string, Queued>;
    readonly refused: ReadonlySet<Queued>;
    readonly earlier: ReadonlyMap<string, readonly string[]>;
  },
  { now, tasks, keptBy }: Floor<One>,
): readonly QueueWait[] {
  const waits: QueueWait[] = refused.has(one) ? [{ for: 'a correction' }] : [];
  if (waits.length === 0 && one.taskId === undefined) waits.push({ for: 'a correction', isUnread: true });
  const parts = (earlier.get(one.taskId ?? '') ?? []).filter((task) => !one.after.includes(task));
  for (const task of [...one.after, ...parts]) {
    const begun = tasks.get(task);
    if (begun?.is === 'merged') continue;
    const part = parts.includes(task) && one.spec !== undefined ? { spec: one.spec.name } : {};
    const queued = firstOf.get(task);
    if (queued !== undefined && !HAS_BEGUN.has(begun?.is ?? 'unknown'))
      waits.push({ for: 'another task', task, is: refused.has(queued) ? 'refused' : 'waiting', ...part });
    else
      waits.push({
        for: 'another task',
        task,
        is: begun?.is ?? 'unknown',
        ...(begun?.is === 'halted' ? { by: begun.by } : {}),
        ...part,
      });
  }
  waits.push(...(keptBy?.(one) ?? []));
  if (one.notBefore !== undefined && Date.parse(one.notBefore) > Date.parse(now))
    waits.push({ for: 'a time', until: one.notBefore });
  return waits;
}

function explainNever(
  one: Queued,
  firstOf: ReadonlyMap<string, Queued>,
  circles: ReadonlyMap<string, readonly string[]>,
  owners: ReadonlyMap<string, Queued>,
  { tasks }: Pick<Floor, 'tasks'>,
): readonly Never[] {
  const { name, taskId, after, goesFirst } = one;
  const never = after.flatMap((task, at): readonly Never[] => {
    const way = taskId === undefined ? undefined : circles.get(taskId);
    if (way?.[1] === task) return [{ key: 'after', at, task, is: 'circle', way }];
    const begun = tasks.get(task);
    if (begun?.is === 'undone') return [{ key: 'after', at, task, is: 'undone', commit: begun.commit }];
    if (firstOf.has(task) || (begun !== undefined && begun.is !== 'abandoned')) return [];
    return [{ key: 'after', at, task, is: begun === undefined ? 'unknown' : 'abandoned' }];
  });
  if (taskId === undefined) return never;
  const open = tasks.get(taskId)?.is;
  if (!goesFirst && (open === 'under way' || open === 'halted')) return [...never, { key: 'task_id', is: open }];
  const owner = owners.get(taskId.toLowerCase());
  if (owner === undefined || owner.name === name) return never;
  return [...never, { key: 'task_id', is: 'waiting', name: owner.name }];
}

function firstBy<One>(all: readonly One[], keyOf: (one: One) => string | undefined): ReadonlyMap<string, One> {
  const first = new Map<string, One>();
  for (const one of all) {
    const key = keyOf(one);
    if (key !== undefined && !first.has(key)) first.set(key, one);
  }
  return first;
}

/** The key of a placed contract is its task. */
interface Named {
  readonly taskId: string | undefined;
}

/** A manual move; it is valid until the task begins or is withdrawn. */
export interface QueueMove {
  readonly task: string;
  readonly to: 'first' | 'last' | 'before';
  /** The tasks to stay behind it when it was put `before` one of them. */
  readonly before: readonly string[];
}

/** The contracts with manual moves applied; later arrivals keep their own order. */
export function applyMoves<One extends Named>(order: readonly One[], moves: readonly QueueMove[]): readonly One[] {
  const last = new Map<string, QueueMove>();
  for (const move of moves) {
    last.delete(move.task);
    last.set(move.task, move);
  }
  return [...last.values()].reduce<readonly One[]>(put, order);
}

function put<One extends Named>(order: readonly One[], { task, to, before }: QueueMove): readonly One[] {
  const moved = order.filter(({ taskId }) => taskId === task);
  if (moved.length === 0) return order;
  const others = order.filter(({ taskId }) => taskId !== task);
  if (to === 'first') return [...moved, ...others];
  if (to === 'last') return [...others, ...moved];
  const at = others.findIndex(({ taskId }) => taskId !== undefined && before.includes(taskId));
  return at === -1 ? order : [...others.slice(0, at), ...moved, ...others.slice(at)];
}

/** A destination: before or behind all others, or before one of them. */
export type QueuePosition = { readonly to: 'first' | 'last' } | { readonly to: 'before'; readonly other: string };

/** The move to a destination, or why it is impossible, in words. */
export function moveTo(turns: readonly QueuedTurn[], task: string, where: QueuePosition): Outcome<QueueMove, string> {
  if (where.to !== 'before') return success({ task, to: where.to, before: [] });
  const { other } = where;
  if (other === task) return failure(`${task} cannot go before itself`);
  if (waitsForIt(turns, task).has(other)) return failure(`${task} cannot go before ${other}: it waits for it`);
  const ids = turns.flatMap(({ one }) => (one.taskId === undefined || one.goesFirst ? [] : [one.taskId]));
  const at = ids.indexOf(other);
  return success({ task, to: 'before', before: [...new Set(ids.slice(at))].filter((id) => id !== task) });
}

function waitsForIt(turns: readonly QueuedTurn[], task: string): ReadonlySet<string> {
  const after = new Map(
    turns.flatMap(({ one, waits }) => {
      const earlier = waits.flatMap((wait) => (wait.for === 'another task' ? [wait.task] : []));
      return one.taskId === undefined ? [] : [[one.taskId, [...one.after, ...earlier]] as const];
    }),
  );
  const found = new Set<string>();
  const open = [task];
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const other of after.get(one) ?? [])
      if (!found.has(other)) {
        found.add(other);
        open.push(other);
      }
  return found;
}

/** A waiting contract, from its own text. */
interface Asking {
  readonly taskId: string | undefined;
  readonly scope:
    | { readonly project: string; readonly allowedPaths: readonly string[]; readonly forbiddenPaths: readonly string[] }
    | undefined;
}

/** Open tasks beside the running one: parked, or halted and about to be parked. */
export const listStandingTasks = (open: readonly TaskRecord[], underWay: readonly string[]): readonly TaskRecord[] =>
  open.filter(
    ({ taskId, parked, halt, status }) =>
      !underWay.includes(taskId) && !TERMINAL.includes(status) && (parked !== undefined || halt !== undefined),
  );

/**
 * Why a contract is held back by these tasks: one has its id, or the change of one overlaps its scope (unless
 * `onOverlap` permits it). Pure.
 */
export function findBlockingTask(
  { taskId, scope }: Asking,
  standing: readonly TaskRecord[],
  onOverlap: 'wait' | 'start',
): readonly QueueWait[] {
  if (standing.length === 0 || scope === undefined) return [];
  const drop = (path: string): string => withoutProject(path, scope.project);
  const { allowedPaths, forbiddenPaths } = scope;
  const scopes = [
    { allowedPaths, forbiddenPaths },
    { allowedPaths: allowedPaths.map(drop), forbiddenPaths: forbiddenPaths.map(drop) },
  ];
  return standing.flatMap((record): readonly QueueWait[] => {
    if (record.taskId === taskId) return [{ for: 'a parked task', task: taskId, paths: [] }];
    const files = onOverlap === 'start' ? [] : (record.change?.files ?? []);
    const touched = files.flatMap(getTouchedPaths);
    const paths = touched.filter((path) => scopes.some((one) => classifyPath(path, one) === 'allowed'));
    return paths.length === 0 ? [] : [{ for: 'a parked task', task: record.taskId, paths }];
  });
}

const withoutProject = (path: string, project: string): string =>
  path.startsWith(`${project}/`) ? path.slice(project.length + 1) || '**' : path;
