import type { LineRecord } from '../../record/line-record.ts';
import { passedIn } from './passed-in.ts';
import type { MessageContext } from './chain.ts';
import type { ReviewRecords } from './review-records.ts';
import type { DoneFacts } from './todo-tracker.ts';

/**
 * What andon itself knows of a task's change: its gates with what they printed, what git counts, its commits, the files
 * that reviewers are shown, and how many lines the cited ones have, where the caller looked. A gate that a human let be
 * compared test by test says nothing about an approval: that it is not green is allowed.
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
      .map(({ name, run, outcome, output, passed }) => ({
        command: name === run ? run : `${name} (${run})`,
        isGreen: outcome === 'green',
        output,
        ...countOf(passed ?? passedIn(output)),
      })),
    ...(change === undefined ? {} : { diff: { files, added: change.added, deleted: change.deleted } }),
    ...(lines === undefined ? {} : { lines }),
    commits: [...made, base, ...(merge === undefined ? [] : [merge.commit, merge.tip])],
    read: files,
  };
}

const countOf = (passed: number | undefined): { readonly passed?: number } => (passed === undefined ? {} : { passed });

type OfRecord = Pick<LineRecord, 'gates' | 'change' | 'base' | 'rejected' | 'merge'>;

/** What of a task's checklist is shown by git and by gates. */
export const doneFactsOf = ({ gates, change }: Pick<LineRecord, 'gates' | 'change'>): DoneFacts => ({
  changed: change?.files.map(({ path }) => path) ?? [],
  runs: (gates?.results ?? []).map(({ run, outcome }) => ({ command: run, isGreen: outcome === 'green' })),
});

/** What a task is to bring, as a checklist: its requirements and what it is accepted by. */
export function checklistOfTask({ contract }: Pick<LineRecord, 'contract'>): string {
  const { requirements, acceptanceCriteria } = contract.specification;
  return [...requirements, ...acceptanceCriteria].map((item) => `- ${item.replace(/\s+/g, ' ')}`).join('\n');
}

/** A task as the context of a message about it. */
export const contextOf = (
  record: LineRecord,
  lines?: ReviewRecords['lines'],
): Omit<MessageContext, 'isDelegation'> => ({
  expectedOutcome: checklistOfTask(record),
  expectedFiles: [...record.contract.constraints.allowedPaths, ...record.grants.paths],
  ...(record.change === undefined ? {} : { modified: record.change.files }),
  records: reviewRecordsOf(record, lines),
  done: doneFactsOf(record),
});
