import { listNames } from '../../base/list-names.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { FILES, HANDOFF, RESERVED_TASK_IDS, TASK_ID } from '../../base/names.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import type { Journal } from '../journal/journal.ts';
import type { Services } from '../services/services.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** A sentence about tasks that git or `_handoff/` show and the journal has lost; undefined without a sign of a loss. */
export async function findLostEntries(
  handoff: Services['handoff'],
  journal: Pick<Journal, 'taskIds' | 'head'> | undefined,
  repository: Services['repository'],
): Promise<string | undefined> {
  const refs = await repository.refsUnder('refs/andon/');
  const mentioned = new Set([...refs.map(({ ref }) => ref.split('/')[2] ?? ''), ...handoff.archived()]);
  const known = new Set(journal?.taskIds());
  const lost = [...mentioned].filter((id) => isTaskId(id) && !known.has(id)).toSorted();
  if (lost.length > 0)
    return `the journal does not know ${listNames(lost)}, although git or ${HANDOFF}/${FILES.archive}/ holds work of that name: the journal was deleted or cut, or the repository was moved or copied without it (docs/configuration.md says how to take it along); cost, findings and halts of that work are unknown, branches and papers are untouched, and new contracts run as usual`;
  return findLostEnd(handoff, journal);
}

/** A sentence about a lock whose task the journal does not know: the next start keeps it in the archive. */
export function findUnknownLock(
  handoff: Pick<Services['handoff'], 'read' | 'shown'>,
  journal: Pick<Journal, 'taskIds'> | undefined,
): string | undefined {
  const read = handoff.read(FILES.lock);
  const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
  if (parsed?.ok !== true) return undefined;
  const { taskId } = parsed.value.contract;
  if (journal?.taskIds().includes(taskId) === true) return undefined;
  return `${handoff.shown(FILES.lock)} says that ${taskId} is halted, but the journal does not know it: nothing of it runs, and the next start keeps its papers in ${HANDOFF}/${FILES.archive}/${taskId}/`;
}

/** A sentence about the missing end of the journal, by the transition log; undefined when it is there. */
export function findLostEnd(
  handoff: Services['handoff'],
  journal: Pick<Journal, 'head'> | undefined,
): string | undefined {
  const last = readLastLogged(handoff); // before the journal, which a daemon writes first: else its newest step would look lost
  const head = journal?.head() ?? 0;
  return head > 0 && last > head
    ? `the journal ends at entry ${head}, but ${HANDOFF}/${FILES.transitions} tells of entry ${last}: its end was lost`
    : undefined;
}

/** The sequence number in the last line of the transition log; 0 for a missing or torn line. */
export function readLastLogged(handoff: Services['handoff']): number {
  const line = parseJsonObject<{ sequence: unknown }>(handoff.lastLine(FILES.transitions) ?? '', ['sequence']);
  const value = line?.sequence;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** Andon also has refs that belong to no task, such as `refs/andon/rollback/`. */
const isTaskId = (name: string): boolean => TASK_ID.test(name) && !RESERVED_TASK_IDS.includes(name.toLowerCase());

/**
 * A sentence about a task that began in an earlier repository at this path, which was deleted and created again since;
 * undefined for a task of this one. It cannot continue here, because its base commit is missing.
 */
export async function findFormerRepository(
  repository: Services['repository'],
  { taskId, base }: TaskRecord,
): Promise<string | undefined> {
  if ((await repository.resolve(base)) !== undefined) return undefined;
  return `${taskId} was begun in a repository that lay here before: the commit it builds on (${base.slice(0, 12)}) is not in this one`;
}
