import { branchName, TERMINAL } from '../../base/names.ts';
import { describeTampering } from '../../record/gate-tampering.ts';
import type { Moved } from '../../record/journal-entry.ts';
import { judgeReport } from '../../record/reviews.ts';
import type { GivenUp, Merged } from './digest.ts';
import { said } from './night.ts';
import type { Night, Story } from './night.ts';

/** Merges and reverts in this period; each with the command that reverts it. */
export const mergedIn = (night: Night, stories: readonly Story[]): readonly Merged[] =>
  stories.flatMap((story) => mergeOf(night, story) ?? []);

function mergeOf({ root, held }: Night, { taskId, record, entries, news }: Story): Merged | undefined {
  const { merge, undone, contract, gates, bending } = record;
  const isNews = news.some(({ entry }) => entry.kind === 'undone' || (entry.kind === 'moved' && entry.to === 'merged'));
  if (!isNews || merge === undefined || record.status !== 'merged') return undefined;
  const at = entries.findLast((entry) => entry.kind === 'moved' && entry.to === 'merged')?.at ?? record.updatedAt;
  const results = gates?.results ?? [];
  const report = judgeReport(record);
  return {
    repository: root,
    task_id: taskId,
    at,
    wanted: said(contract.specification.requirements[0] ?? '', 160),
    target: said(branchName(merge.target), 120),
    commit: merge.commit,
    held: held.get(merge.commit) ?? null,
    verdict: report?.verdict ?? null,
    judged_outside: report?.outside === true,
    gates_green: results.filter(({ outcome }) => outcome === 'green').length,
    gates: results.length,
    second_look_seconds: typeof bending?.secondLook === 'object' ? Math.round(bending.secondLook.ms / 1000) : null,
    decided_by: record.sided === 'PASS' ? said(record.lastChoice?.by ?? 'a human', 60) : null,
    weakened: (bending?.bends ?? []).map((bend) => said(describeTampering(bend), 200)),
    undone_as: undone ?? null,
    undo: undone === undefined ? `andon undo ${taskId}` : null,
  };
}

export const givenUpIn = ({ root }: Night, stories: readonly Story[]): readonly GivenUp[] =>
  stories.flatMap(({ taskId, record, news }) => {
    const last = news.findLast(({ entry }) => entry.kind === 'moved' && TERMINAL.includes(entry.to))?.entry;
    if (record.status !== 'abandoned' || last === undefined) return [];
    return [{ repository: root, task_id: taskId, at: last.at, why: said((last as Moved).reason) }];
  });
