import type { LineRecord } from '../../record/line-record.ts';
import { readTestResults } from '../../test-results/read-test-results.ts';
import type { MessageContext } from './chain.ts';
import type { ReviewRecords } from './hold-against.ts';

/**
 * The records of a task's change: gates with their output, the diff, commits, files shown to reviewers, and line counts
 * where the caller looked them up. A gate with consent is left out: it may be red.
 */
export function reviewRecordsOf(
  { gates, change, base, rejected, merge }: OfRecord,
  lines?: ReviewRecords['lines'],
): ReviewRecords {
  const files = change?.files.map(({ path }) => path) ?? [];
  const made = [change, ...rejected].flatMap((one) => (one === undefined ? [] : [one.commit, one.tree]));
  return {
    runs: (gates?.results ?? [])
      .filter(({ consent }) => consent === undefined)
      .map(({ name, run, outcome, output, passed = passedIn(output) }) => ({
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

/** The passed tests of an output; undefined where it holds no machine-readable results, or was cut. */
const passedIn = (output: string): number | undefined =>
  output.includes('…') ? undefined : readTestResults(output)?.passed;

type OfRecord = Pick<LineRecord, 'gates' | 'change' | 'base' | 'rejected' | 'merge'>;

/** The requirements and acceptance criteria of a task as a checklist. */
export function checklistOfTask({ contract }: Pick<LineRecord, 'contract'>): string {
  const { requirements, acceptanceCriteria } = contract.specification;
  return [...requirements, ...acceptanceCriteria].map((item) => `- ${item.replace(/\s+/g, ' ')}`).join('\n');
}

/** A task as the context of a message about it. */
export const readTaskContext = (
  record: LineRecord,
  lines?: ReviewRecords['lines'],
): Omit<MessageContext, 'isDelegation'> => ({
  expectedOutcome: checklistOfTask(record),
  expectedFiles: [...record.contract.constraints.allowedPaths, ...record.grants.paths],
  ...(record.change === undefined ? {} : { modified: record.change.files }),
  records: reviewRecordsOf(record, lines),
});
