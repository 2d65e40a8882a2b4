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
