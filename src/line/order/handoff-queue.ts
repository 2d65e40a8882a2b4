import { readJson } from '../../base/read-json.ts';
import { FILES, TASK_ID } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import type { Queued } from './queued-turn.ts';
import type { Handoff } from '../../project/handoff/create-handoff.ts';

/** The write scope of a contract, as written: paths may begin with the name of the project. */
interface WaitingScope {
  readonly project: string;
  readonly allowedPaths: readonly string[];
  readonly forbiddenPaths: readonly string[];
}

export interface Waiting extends Queued {
  /** The contract's text, or why it cannot be read. */
  readonly text: Outcome<string, string>;
  /** What it may write; undefined for an unreadable contract. */
  readonly scope: WaitingScope | undefined;
}

/** The fields of a readable contract that the queue uses. */
type QueuedFields = Pick<Waiting, 'taskId' | 'priority' | 'after' | 'notBefore' | 'spec' | 'scope'>;

export type Queue = ReturnType<typeof createHandoffQueue>;

/**
 * The queue in `_handoff/`: dropped files, then `queue/*.json`, oldest first. `TASK_CONTRACT.json` is the only active
 * name, so one task is under way at a time: claiming a contract renames it to that.
 */
export function createHandoffQueue(handoff: Handoff) {
  const known = new Map<string, { readonly text: string; readonly fields: QueuedFields }>();
  const readFields = (name: string, text: Outcome<string, string>): QueuedFields => {
    if (!text.ok) return NO_FIELDS;
    const before = known.get(name);
    if (before?.text === text.value) return before.fields;
    const fields = parseQueued(name, text.value);
    known.set(name, { text: text.value, fields });
    return fields;
  };
  const lookAt = (name: string, waitsFor: Waiting['waitsFor']): readonly Waiting[] => {
    const read = handoff.read(name);
    if (read.ok ? read.value === undefined : !handoff.exists(name)) return []; // nothing is read behind a link
    const text = read.ok ? { ok: true as const, value: read.value ?? '' } : read;
    return [{ name, text, ...readFields(name, text), goesFirst: name === FILES.contract, waitsFor }];
  };
  return {
    /** All waiting contracts in order of arrival, while the named tasks run; the queue decides how many may run. */
    waiting(underWay: readonly string[]) {
      const [place] = lookAt(FILES.contract, underWay.length === 0 ? 'its turn' : 'a place');
      const dropped = place === undefined || isUnderWay(place, underWay, handoff) ? [] : [place];
      const isFree = place === undefined && underWay.length === 0;
      const names = handoff.queued().map((name) => `${FILES.queue}/${name}`);
      const queued = names.flatMap((name) => lookAt(name, isFree ? 'its turn' : 'a place'));
      const there = new Set([FILES.contract, ...names]);
      for (const name of known.keys()) if (!there.has(name)) known.delete(name);
      return [...dropped, ...queued];
    },
    read: (name: string) => handoff.read(name),
    /** Takes one out to begin it; false when it is gone, has changed, or another process was faster. */
    claim({ name, text }: Waiting): boolean {
      if (!text.ok) return false;
      const isSame = (found: string | undefined): boolean => found === text.value;
      if (name !== FILES.contract) return handoff.renameToFree(name, FILES.contract, isSame);
      const now = handoff.read(name);
      return now.ok && isSame(now.value);
    },
    /** Gives back a claimed contract that has not begun: returns its new name; undefined when it is gone. */
    release(taskId: string, text: string) {
      const name = freeName(handoff, `${FILES.queue}/${taskId}`);
      return handoff.renameToFree(FILES.contract, name, (found) => found === text) ? name : undefined;
    },
    /** Takes one out for good and returns its new path; undefined when it is gone or has changed. */
    withdraw({ name, taskId, text }: Waiting) {
      if (!text.ok) return undefined;
      const own = name.slice(name.lastIndexOf('/') + 1).replace(/\.json$/, '');
      const last = name === FILES.contract ? (taskId ?? own) : own;
      const to = freeName(handoff, `${FILES.withdrawn}/${last}`);
      return handoff.renameToFree(name, to, (found) => found === text.value) ? to : undefined;
    },
  };
}

/** A refused contract in the queue is still known by its id, for its successors. */
function parseQueued(name: string, text: string): QueuedFields {
  const parsed = parseContract(text);
  if (parsed.ok) {
    const { taskId, project, priority, after = [], notBefore, spec, constraints } = parsed.value.contract;
    const { allowedPaths, forbiddenPaths } = constraints;
    return { taskId, priority, after, notBefore, spec, scope: { project, allowedPaths, forbiddenPaths } };
  }
  const read = name === FILES.contract ? undefined : readJson(text);
  const { task_id: taskId } = Object(read?.ok === true ? read.value.value : undefined) as { task_id?: unknown };
  return typeof taskId === 'string' && TASK_ID.test(taskId) ? { ...NO_FIELDS, taskId } : NO_FIELDS;
}

/**
 * The active contract of a task under way belongs to it, unless it is about another task; that of a halted one is its
 * lock.
 */
const isUnderWay = ({ taskId }: Waiting, underWay: readonly string[], handoff: Pick<Handoff, 'exists'>): boolean =>
  underWay.length > 0 && (taskId === undefined ? !handoff.exists(FILES.lock) : underWay.includes(taskId));

function freeName(handoff: Pick<Handoff, 'exists'>, stem: string): string {
  let name = `${stem}.json`;
  for (let number = 2; handoff.exists(name); number += 1) name = `${stem}.${number}.json`;
  return name;
}

const NO_FIELDS: QueuedFields = {
  taskId: undefined,
  priority: 0,
  after: [],
  notBefore: undefined,
  spec: undefined,
  scope: undefined,
};
