import { readDecision, type DecisionFile } from '../record/decision-file.ts';
import { FILES, TASK_PAPERS } from '../../base/names.ts';
import type { Needs, Services } from '../services/services.ts';

/** The path of a parked task's paper, below `_handoff/`. */
export const pathOfParked = (taskId: string, name: string): string => `${FILES.tasks}/${taskId}/${name}`;

/** The path, below `_handoff/`, of a decision that a parked task did not take. */
export const lateDecisionPath = (taskId: string): string => `${FILES.archive}/${taskId}/late.${FILES.decision}`;

/** The same services with the papers of a parked task; decision, queue, archive and log are shared. */
export const forParkedTask = <Own extends Needs<'handoff'>>(services: Own, taskId: string): Own => ({
  ...services,
  handoff: parkedHandoff(services.handoff, taskId),
});

export function parkedHandoff(handoff: Services['handoff'], taskId: string): Services['handoff'] {
  const at = (name: string): string => (OWN.has(name) ? pathOfParked(taskId, name) : name);
  return {
    ...handoff,
    read: (name) => handoff.read(at(name)),
    write: (name, text, mayReplace) => handoff.write(at(name), text, mayReplace),
    rename: (from, to) => handoff.rename(at(from), at(to)),
    renameToFree: (from, to, isMeant) => handoff.renameToFree(at(from), at(to), isMeant),
    remove: (name) => handoff.remove(at(name)),
    take: (name, isMeant) => handoff.take(at(name), isMeant),
    exists: (name) => handoff.exists(at(name)),
    namedAt: (name) => handoff.namedAt(at(name)),
    shown: (name) => handoff.shown(at(name)),
  };
}

const OWN: ReadonlySet<string> = new Set(TASK_PAPERS);

/** The decision in `_handoff/`, or in another place; undefined when none is there, or it cannot be read. */
export function currentDecision(
  handoff: Pick<Services['handoff'], 'read'>,
  name: string = FILES.decision,
): DecisionFile | undefined {
  const written = handoff.read(name);
  const decision = written.ok && written.value !== undefined ? readDecision(written.value) : undefined;
  return decision?.ok === true ? decision.value : undefined;
}
