import type { LineRecord } from '../../record/line-record.ts';
import type { MessageContext } from './chain.ts';
import type { ReviewRecords } from './review-gate.ts';

/**
 * The records of a task's change: gates, the diff, files shown to reviewers. A gate with consent is left out: it may be red.
 */
export function reviewRecordsOf({ gates, change }: Pick<LineRecord, 'gates' | 'change'>): ReviewRecords {
  const files = change?.files.map(({ path }) => path) ?? [];
  return {
    runs: (gates?.results ?? [])
      .filter(({ consent }) => consent === undefined)
      .map(({ name, run, outcome, passed }) => ({
        command: name === run ? run : `${name} (${run})`,
        isGreen: outcome === 'green',
        ...(passed === undefined ? {} : { passed }),
      })),
    ...(change === undefined ? {} : { diff: { files, added: change.added, deleted: change.deleted } }),
    read: files,
    changed: files,
  };
}

export function checklistOfTask({ contract }: Pick<LineRecord, 'contract'>): string {
  const { requirements, acceptanceCriteria } = contract.specification;
  return [...requirements, ...acceptanceCriteria].map((item) => `- ${item.replace(/\s+/g, ' ')}`).join('\n');
}

export const readTaskContext = (record: LineRecord): Omit<MessageContext, 'isDelegation'> => ({
  expectedOutcome: checklistOfTask(record),
  expectedFiles: [...record.contract.constraints.allowedPaths, ...record.grants.paths],
  ...(record.change === undefined ? {} : { modified: record.change.files }),
  records: reviewRecordsOf(record),
});
