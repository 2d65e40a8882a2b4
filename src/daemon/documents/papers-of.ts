import { readDecision, taskOf } from '../../record/decision.ts';
import type { DecisionFile } from '../../record/decision.ts';
import { FILES } from '../../base/names.ts';
import { success } from '../../base/outcome.ts';
import { readTicks, taskInHead } from '../../line/documents/ticks.ts';
import type { Handoff } from '../../ports/handoff.ts';
import { parkedIds } from '../journal/active-task.ts';
import type { Services } from '../../wiring/services.ts';

/** The papers of one task, by the names that they have in `_handoff/` and, while it is parked, in a folder of its own. */
export const OWN_PAPERS = [
  FILES.judgeReport,
  FILES.judgeReportJson,
  FILES.rebuttal,
  FILES.stallReport,
  FILES.reviewRequest,
  FILES.reviewInProgress,
  FILES.decision,
  FILES.halt,
  FILES.contract,
  FILES.lock,
] as const;

/** Where a paper of a parked task lies, below `_handoff/`. */
export const asideOf = (taskId: string, name: string): string => `${FILES.tasks}/${taskId}/${name}`;

/** The same world, in which the papers of a task are those of a parked one; queue, archive and log are everybody's. */
export const besideThePlace = (services: Services, taskId: string): Services => ({
  ...services,
  handoff: papersOf(services.handoff, taskId),
});

/** The same world for the task in the place: what lies there about a parked task is not there for it. */
export const atThePlace = (services: Services): Services => ({
  ...services,
  handoff: withoutOthers(services.handoff, () => parkedIds(services)),
});

/** The folder as a parked task sees it. */
export function papersOf(handoff: Handoff, taskId: string): Handoff {
  const at = (name: string): string => (OWN.has(name) ? asideOf(taskId, name) : name);
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

const OWN: ReadonlySet<string> = new Set(OWN_PAPERS);

/** The folder without what its two shared papers say about tasks that are not in the place. */
function withoutOthers(handoff: Handoff, others: () => readonly string[]): Handoff {
  const isOthers = (name: string): boolean => {
    if (name !== FILES.halt && name !== FILES.decision) return false;
    const ids = others();
    return ids.length > 0 && ids.includes(subjectOf(handoff, name) ?? '');
  };
  return {
    ...handoff,
    read: (name) => (isOthers(name) ? success(undefined) : handoff.read(name)),
    write: (name, text, mayReplace) =>
      handoff.write(name, text, () => {
        if (name === FILES.halt) giveTickAway(handoff, others());
        return mayReplace?.() ?? true;
      }),
    exists: (name) => handoff.exists(name) && !isOthers(name),
    rename: (from, to) => !isOthers(from) && handoff.rename(from, to),
    remove: (name) => {
      if (!isOthers(name)) handoff.remove(name);
    },
  };
}

/** A tick on the shared page that nobody has looked at yet goes to its task before the page is written over. */
function giveTickAway(handoff: Handoff, parked: readonly string[]): void {
  const page = parked.length === 0 ? undefined : handoff.read(FILES.halt);
  const text = page?.ok === true ? page.value : undefined;
  const taskId = text === undefined || readTicks(text) === undefined ? undefined : taskInHead(text);
  if (taskId !== undefined && parked.includes(taskId)) handoff.rename(FILES.halt, asideOf(taskId, FILES.halt));
}

/** The task that the halt report or the decision in `_handoff/` is about; undefined when it does not say. */
export function subjectOf(
  handoff: Pick<Handoff, 'read'>,
  name: typeof FILES.halt | typeof FILES.decision,
): string | undefined {
  if (name === FILES.decision) {
    const decision = decisionThere(handoff);
    return decision === undefined ? undefined : taskOf(decision);
  }
  const read = handoff.read(name);
  return read.ok && read.value !== undefined ? taskInHead(read.value) : undefined;
}

/** The decision that lies there; undefined when there is none that can be read. */
export function decisionThere(handoff: Pick<Handoff, 'read'>): DecisionFile | undefined {
  const written = handoff.read(FILES.decision);
  const decision = written.ok && written.value !== undefined ? readDecision(written.value) : undefined;
  return decision?.ok === true ? decision.value : undefined;
}
