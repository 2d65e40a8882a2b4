/** The spec of a contract by name, and its part number; 0 without one. */
export interface SpecPart {
  readonly name: string;
  readonly part: number;
}

/** A waiting contract, for the order of parts; lists are in order of arrival. */
export interface QueuedPart {
  /** Undefined where it is no readable contract. */
  readonly taskId: string | undefined;
  /** Tasks that must be merged before it may begin. */
  readonly after: readonly string[];
  readonly spec?: SpecPart | undefined;
  /** It is in the place already, so it precedes all others. */
  readonly goesFirst: boolean;
}

interface Begun {
  readonly tasks: ReadonlyMap<string, { readonly is: string }>;
  readonly parts?: ReadonlyMap<string, SpecPart>;
}

/**
 * For every waiting contract, the tasks of its spec that precede it: the next lower number (of equal numbers the
 * earlier arrival), and open ones. An opposite `after` wins. Pure.
 */
export function findEarlierParts(
  waiting: readonly QueuedPart[],
  { tasks, parts: specs = new Map() }: Begun,
): ReadonlyMap<string, readonly string[]> {
  const open = [...specs].flatMap(([task, spec]) => (OPEN.has(tasks.get(task)?.is ?? '') ? [{ task, spec }] : []));
  const before = new Map<string, readonly string[]>();
  for (const [name, parts] of Map.groupBy(waiting, ({ spec }) => spec?.name)) {
    if (name === undefined) continue;
    const known = open.filter(({ spec }) => spec.name === name);
    let last: string | undefined;
    for (const { taskId, spec } of parts.toSorted(byNumber)) {
      if (taskId === undefined || before.has(taskId)) continue;
      const begun = known.filter(({ task, spec: theirs }) => task !== taskId && theirs.part <= (spec?.part ?? 0));
      before.set(taskId, [...(last === undefined ? [] : [last]), ...begun.map(({ task }) => task)]);
      last = taskId;
    }
  }
  return withoutCircles(before, waiting);
}

/** Ended tasks do not constrain the order. */
const OPEN: ReadonlySet<string> = new Set(['under way', 'halted']);

/** Of equal numbers, the one in the place was dropped last. */
const byNumber = (a: QueuedPart, b: QueuedPart): number =>
  (a.spec?.part ?? 0) - (b.spec?.part ?? 0) || Number(a.goesFirst) - Number(b.goesFirst);

function withoutCircles(
  before: ReadonlyMap<string, readonly string[]>,
  waiting: readonly QueuedPart[],
): ReadonlyMap<string, readonly string[]> {
  if (before.size === 0) return before;
  const after = new Map(
    waiting.flatMap(({ taskId, after: theirs }) =>
      taskId === undefined ? [] : [[taskId, [...theirs, ...(before.get(taskId) ?? [])]] as const],
    ),
  );
  const circles = findCycles(after);
  return new Map(
    [...before].map(([task, theirs]) => [
      task,
      circles.has(task) ? theirs.filter((other) => !circles.has(other)) : theirs,
    ]),
  );
}

/**
 * For every task in a dependency cycle: the shortest cycle, which begins and ends with it. `after` maps each waiting
 * task to its dependencies; others are in no cycle.
 */
export function findCycles(after: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const inside = (map: ReadonlyMap<string, readonly string[]>, knot: ReadonlySet<string>): typeof after =>
    new Map([...knot].map((task) => [task, (map.get(task) ?? []).filter((other) => knot.has(other))]));
  const forward = inside(after, unsettled(inside(after, new Set(after.keys()))));
  const knot = unsettled(reversed(forward));
  const edges = inside(forward, knot);
  const circles = new Map<string, readonly string[]>();
  for (const task of knot) {
    const way = findCycle(task, edges);
    if (way !== undefined) circles.set(task, way);
  }
  return circles;
}

/** Repeatedly removes tasks without dependencies; cycles and their dependents remain. */
function unsettled(edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const left = new Map([...edges].map(([task, others]) => [task, new Set(others).size]));
  const waitedBy = reversed(edges);
  const free = [...left].flatMap(([task, count]) => (count === 0 ? [task] : []));
  for (let task = free.pop(); task !== undefined; task = free.pop()) {
    left.delete(task);
    for (const other of new Set(waitedBy.get(task))) {
      const count = (left.get(other) ?? 0) - 1;
      left.set(other, count);
      if (count === 0) free.push(other);
    }
  }
  return new Set(left.keys());
}

function reversed(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const back = new Map<string, string[]>([...edges.keys()].map((task) => [task, []]));
  for (const [task, others] of edges) for (const other of others) back.get(other)?.push(task);
  return back;
}

function findCycle(start: string, edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const from = new Map<string, string>();
  const reached = [start];
  for (const task of reached)
    for (const other of edges.get(task) ?? []) {
      if (other === start) return [...findWay(task, start, from), start];
      if (from.has(other)) continue;
      from.set(other, task);
      reached.push(other);
    }
  return undefined;
}

function findWay(end: string, start: string, from: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let task = end; task !== start;) {
    task = from.get(task) ?? start;
    way.unshift(task);
  }
  return way;
}
