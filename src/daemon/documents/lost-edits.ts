import { FILES, HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { isUntouched } from './own-papers.ts';
import type { Kept } from './own-papers.ts';

/** Refuses a choice while files lie at the halt that somebody edited and the choice would overwrite. */
export function refuseLostEdits(services: Kept, taskId: string): void {
  for (const name of [FILES.lock, FILES.contract]) {
    if (isUntouched(services, taskId, name)) continue;
    throw new Problem('outdated-choice', overwritten(services, name), `${MOVE_AWAY}, then choose again`);
  }
}

/** What is said of such a file before anybody chooses. */
export const lostEdit = (services: Pick<Kept, 'handoff'>, name: string): string =>
  `${overwritten(services, name)}, so no path can be taken: ${MOVE_AWAY}`;

/** The first of them that lies there, in words; undefined when there is none. */
export function whatIsEdited(services: Kept, { taskId, halt }: LineRecord): string | undefined {
  const name = [FILES.lock, FILES.contract].find((paper) => !isUntouched(services, taskId, paper));
  return halt === undefined || name === undefined ? undefined : lostEdit(services, name);
}

const overwritten = ({ handoff }: Pick<Kept, 'handoff'>, name: string): string =>
  `${handoff.shown(name)} was edited while the line is halted; going on would overwrite it`;

const MOVE_AWAY = `move that file away (a new contract goes to ${HANDOFF}/${FILES.queue}/)`;

/** Keeps a lock that somebody edited out of the way of the task's end; gives the name it is kept by. */
export function setEditedLockAside(services: Kept, { taskId, history }: LineRecord): string | undefined {
  if (isUntouched(services, taskId, FILES.lock)) return undefined;
  const kept = `${FILES.archive}/${taskId}/${history.length}.edited.${FILES.contract}`;
  return services.handoff.rename(FILES.lock, kept) ? `${HANDOFF}/${kept}` : undefined;
}
