import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { QueueMove } from './apply-moves.ts';
import type { QueuedTurn } from './queued-turn.ts';

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
