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
    const way = wayRound(task, edges);
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

function wayRound(start: string, edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const from = new Map<string, string>();
  const reached = [start];
  for (const task of reached)
    for (const other of edges.get(task) ?? []) {
      if (other === start) return [...wayTo(task, start, from), start];
      if (from.has(other)) continue;
      from.set(other, task);
      reached.push(other);
    }
  return undefined;
}

function wayTo(end: string, start: string, from: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let task = end; task !== start;) {
    task = from.get(task) ?? start;
    way.unshift(task);
  }
  return way;
}
