import { viewTaskDetails, type TaskDetails } from '../reports/task-report/task-details.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { Journal } from '../journal/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { TERMINAL } from '../../base/names.ts';
import { readLine } from './read-line.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';

/** A task from journal and repository; the patch of its change only where it is wanted and its commits are there. */
export async function readTaskReport(
  place: Workspace,
  journal: Journal | undefined,
  record: TaskRecord,
  wants: { readonly patch: boolean },
): Promise<{ readonly details: TaskDetails; readonly patch: string | undefined }> {
  const { change, taskId } = record;
  const repository = await openForReading(place);
  const holds = async (commit: string): Promise<boolean> => (await repository.resolve(commit)) !== undefined;
  const isThere = wants.patch && change !== undefined && (await holds(change.base)) && (await holds(change.commit));
  const refs = await repository.refsUnder(`refs/andon/${taskId}/`);
  const details = viewTaskDetails(record, journal?.entries(taskId) ?? [], {
    now: new Date().toISOString(),
    refs: new Map(refs.filter(({ ref }) => /\/\d+(?:\.\d+)?$/.test(ref)).map(({ ref, commit }) => [commit, ref])),
    isChainWhole: journal?.verify() === undefined,
    line: TERMINAL.includes(record.status) ? undefined : await readLine(place, journal),
  });
  return { details, patch: isThere ? withoutSecrets(await repository.patch(change.base, change.commit)) : undefined };
}
