import { findCycles } from './find-cycles.ts';

/** The spec of a contract by name, and its part number; 0 without one. */
export interface SpecPart {
  readonly name: string;
  readonly part: number;
}

/** A waiting contract, for the order of parts; lists are in order of arrival. */
interface Waits {
  readonly taskId: string | undefined;
  readonly after: readonly string[];
  readonly spec?: SpecPart | undefined;
  readonly goesFirst: boolean;
}

/** The outcome of begun tasks, and their specs. */
interface Begun {
  readonly tasks: ReadonlyMap<string, { readonly is: string }>;
  readonly parts?: ReadonlyMap<string, SpecPart>;
}

/**
 * For every waiting contract, the tasks of its spec that precede it: the next lower number (of equal numbers the
 * earlier arrival), and open ones. An opposite `after` wins. Pure.
 */
export function findEarlierParts(
  waiting: readonly Waits[],
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
const byNumber = (a: Waits, b: Waits): number =>
  (a.spec?.part ?? 0) - (b.spec?.part ?? 0) || Number(a.goesFirst) - Number(b.goesFirst);

function withoutCircles(
  before: ReadonlyMap<string, readonly string[]>,
  waiting: readonly Waits[],
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
