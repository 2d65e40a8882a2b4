import type { LineRecord } from '../record/line-record.ts';
import type { Repository } from '../ports/repository.ts';

/**
 * A task that was begun in another repository at this path (which was deleted, and made or cloned again since), in a
 * sentence; undefined for a task of this one. Nothing of it can go on here: the commit it builds on is not there.
 */
export async function findFormerRepository(
  repository: Repository,
  { taskId, base }: LineRecord,
): Promise<string | undefined> {
  if ((await repository.resolve(base)) !== undefined) return undefined;
  return `${taskId} was begun in a repository that lay here before: the commit it builds on (${base.slice(0, 12)}) is not in this one`;
}
