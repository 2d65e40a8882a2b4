import { FILES, HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { isUntouched, type OwnPapers } from './own-papers.ts';

/** Refuses a choice that would overwrite an edited lock, or another contract. */
export function refuseLostEdits(services: OwnPapers, taskId: string): void {
  for (const name of [FILES.lock, FILES.contract]) {
    if (isUntouched(services, taskId, name)) continue;
    throw new Problem('outdated-choice', overwritten(services, name), `${MOVE_AWAY}, then choose again`);
  }
}

/** The warning about the first such file, before a path is chosen; undefined without one. */
export function describeEdited(services: OwnPapers, { taskId, halt }: LineRecord): string | undefined {
  const name = [FILES.lock, FILES.contract].find((paper) => !isUntouched(services, taskId, paper));
  return halt === undefined || name === undefined
    ? undefined
    : `${overwritten(services, name)}, so no path can be taken: ${MOVE_AWAY}`;
}

const overwritten = ({ handoff }: Pick<OwnPapers, 'handoff'>, name: string): string =>
  `${handoff.shown(name)} was edited while the line is halted; going on would overwrite it`;

const MOVE_AWAY = `move that file away (a new contract goes to ${HANDOFF}/${FILES.queue}/)`;

/** Moves an edited lock to the archive before its task ends; returns the new name. */
export function setEditedLockAside(services: OwnPapers, { taskId, history }: LineRecord): string | undefined {
  if (isUntouched(services, taskId, FILES.lock)) return undefined;
  const kept = `${FILES.archive}/${taskId}/${history.length}.edited.${FILES.contract}`;
  return services.handoff.rename(FILES.lock, kept) ? `${HANDOFF}/${kept}` : undefined;
}
