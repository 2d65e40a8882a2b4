import { gatherReport, type TaskReport } from '../../line/documents/task-report/facts.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { Journal } from '../../wiring/open-journal.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { openForReading } from '../../wiring/open-reader.ts';

/** Gathers everything about a task from journal and repository; the patch of its change only where it is wanted. */
export async function readTaskReport(
  place: Workspace,
  journal: Journal | undefined,
  record: LineRecord,
  wants: { readonly patch: boolean },
): Promise<TaskReport> {
  const { change, taskId } = record;
  const repository = await openForReading(place);
  const holds = async (commit: string): Promise<boolean> => (await repository.resolve(commit)) !== undefined;
  const isThere = wants.patch && change !== undefined && (await holds(change.base)) && (await holds(change.commit));
  const refs = await repository.refsUnder(`refs/andon/${taskId}/`);
  return gatherReport(record, journal?.entries(taskId) ?? [], {
    now: new Date().toISOString(),
    patch: isThere ? await repository.patch(change.base, change.commit) : undefined,
    refs: new Map(refs.filter(({ ref }) => /\/\d+(?:\.\d+)?$/.test(ref)).map(({ ref, commit }) => [commit, ref])),
    isChainWhole: journal?.verify() === undefined,
  });
}
