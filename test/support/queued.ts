import type { Queued } from '../../src/line/order/queued-turn.ts';

/** A contract that waits in the folder; undefined = its id is not known, as of prose. */
export function queued(taskId: string | undefined, said: Partial<Queued> = {}): Queued {
  const name = `queue/${taskId ?? 'prose'}.json`;
  return {
    name,
    taskId,
    priority: 0,
    after: [],
    notBefore: undefined,
    goesFirst: false,
    waitsFor: 'its turn',
    ...said,
  };
}
