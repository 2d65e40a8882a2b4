import type { ReviewRecords } from '../../rules/guards/review-records.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { MessageContext } from '../../rules/guards/chain.ts';
import type { LineCounts } from '../../rules/guards/citations.ts';

/**
 * The records of a task's change: gates, the diff, commits, files shown to reviewers, and the line counts of cited files
 * where the caller has them. A gate with consent is left out: it may be red.
 */
export function reviewRecordsOf(
  { gates, change, base, rejected, merge }: Pick<TaskRecord, 'gates' | 'change' | 'base' | 'rejected' | 'merge'>,
  lines?: LineCounts,
): ReviewRecords {
  const files = change?.files.map(({ path }) => path) ?? [];
  const made = [change, ...rejected].flatMap((one) => (one === undefined ? [] : [one.commit, one.tree]));
  return {
    runs: (gates?.results ?? [])
      .filter(({ consent }) => consent === undefined)
      .map(({ name, run, outcome, output, passed }) => ({
        command: name === run ? run : `${name} (${run})`,
        isGreen: outcome === 'green',
        output,
        ...(passed === undefined ? {} : { passed }),
      })),
    ...(change === undefined ? {} : { diff: { files, added: change.added, deleted: change.deleted } }),
    lines,
    commits: [...made, base, ...(merge === undefined ? [] : [merge.commit, merge.tip])],
    read: files,
    changed: files,
  };
}

export function checklistOfTask({ contract }: Pick<TaskRecord, 'contract'>): string {
  const { requirements, acceptanceCriteria } = contract.specification;
  return [...requirements, ...acceptanceCriteria].map((item) => `- ${item.replace(/\s+/g, ' ')}`).join('\n');
}

export const readTaskContext = (record: TaskRecord, lines?: LineCounts): Omit<MessageContext, 'isDelegation'> => ({
  expectedOutcome: checklistOfTask(record),
  expectedFiles: [...record.contract.constraints.allowedPaths, ...record.grants.paths],
  ...(record.change === undefined ? {} : { modified: record.change.files }),
  records: reviewRecordsOf(record, lines),
});
