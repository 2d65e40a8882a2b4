import { FILES } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { Handoff } from '../../ports/handoff.ts';
import type { Queue, Waiting } from '../../ports/queue.ts';

/** What a contract says of itself; of one that cannot be read nothing. */
type Said = Pick<Waiting, 'taskId' | 'priority'>;

/**
 * The queue in `_handoff/`: what was dropped there comes first, then `queue/*.json` by priority, the oldest first. There is
 * one place, `TASK_CONTRACT.json`, so one task is under way at a time: a contract is claimed by getting that name.
 */
export function handoffQueue(handoff: Handoff): Queue {
  const known = new Map<string, { readonly text: string; readonly said: Said }>();
  const saidBy = (name: string, text: Outcome<string, string>): Said => {
    if (!text.ok) return SAYS_NOTHING;
    const before = known.get(name);
    if (before?.text === text.value) return before.said;
    const parsed = parseContract(text.value);
    const { taskId, priority } = parsed.ok ? parsed.value.contract : SAYS_NOTHING;
    const said = { taskId, priority };
    known.set(name, { text: text.value, said });
    return said;
  };
  const lookAt = (name: string, waitsFor: Waiting['waitsFor']): readonly Waiting[] => {
    const read = handoff.read(name);
    if (read.ok ? read.value === undefined : !handoff.exists(name)) return []; // behind a link nothing is there
    const text = read.ok ? { ok: true as const, value: read.value ?? '' } : read;
    return [{ name, text, ...saidBy(name, text), waitsFor }];
  };
  return {
    waiting(underWay) {
      const [place] = lookAt(FILES.contract, underWay.length === 0 ? 'its turn' : 'a place');
      const dropped = place === undefined || isUnderWay(place, underWay) ? [] : [place];
      const isFree = place === undefined && underWay.length === 0;
      const names = handoff.queued().map((name) => `${FILES.queue}/${name}`);
      const queued = names.flatMap((name) => lookAt(name, isFree ? 'its turn' : 'a place'));
      const there = new Set([FILES.contract, ...names]);
      for (const name of known.keys()) if (!there.has(name)) known.delete(name);
      return [...dropped, ...queued.toSorted((a, b) => b.priority - a.priority)];
    },
    read: (name) => handoff.read(name),
    claim({ name, text }) {
      if (!text.ok) return false;
      const isSame = (found: string | undefined): boolean => found === text.value;
      if (name !== FILES.contract) return handoff.renameToFree(name, FILES.contract, isSame);
      const now = handoff.read(name);
      return now.ok && isSame(now.value);
    },
    release(taskId, text) {
      let name = `${FILES.queue}/${taskId}.json`;
      for (let number = 2; handoff.exists(name); number += 1) name = `${FILES.queue}/${taskId}.${number}.json`;
      return handoff.renameToFree(FILES.contract, name, (found) => found === text) ? name : undefined;
    },
  };
}

/** What lies in the place of a task that is under way is its own, unless it is about another task. */
const isUnderWay = ({ taskId }: Waiting, underWay: readonly string[]): boolean =>
  underWay.length > 0 && (taskId === undefined || underWay.includes(taskId));

const SAYS_NOTHING: Said = { taskId: undefined, priority: 0 };
