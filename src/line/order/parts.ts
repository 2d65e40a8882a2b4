import { circlesIn } from './circles.ts';

/** The spec that a contract is a part of, by its name, and its number there; 0 where it names none. */
export interface Part {
  readonly name: string;
  readonly part: number;
}

/** What waits, as far as the order of parts is about it; several are given in the order in which they arrived. */
interface Waits {
  readonly taskId: string | undefined;
  readonly after: readonly string[];
  readonly spec?: Part | undefined;
  readonly goesFirst: boolean;
}

/** What became of tasks that were begun, and the specs that they are parts of. */
interface Begun {
  readonly tasks: ReadonlyMap<string, { readonly is: string }>;
  readonly parts?: ReadonlyMap<string, Part>;
}

/**
 * For every contract that waits, the tasks of its spec that go before it: the one with the number below (the one that
 * arrived before, where numbers are the same), and those that are open. Where `after` says it the other way round, `after`
 * counts. Pure.
 */
export function partsBefore(
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

/** What has ended keeps no order any more. */
const OPEN: ReadonlySet<string> = new Set(['under way', 'halted']);

/** Of equal numbers the one that lies in the place is the one that was dropped last. */
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
  const circles = circlesIn(after);
  return new Map(
    [...before].map(([task, theirs]) => [
      task,
      circles.has(task) ? theirs.filter((other) => !circles.has(other)) : theirs,
    ]),
  );
}
