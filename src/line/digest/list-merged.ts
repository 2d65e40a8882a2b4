import { toBranchName, TERMINAL } from '../../base/names.ts';
import { describeWeakening, type WeakeningReport } from '../../rules/model/weakening.ts';
import type { Moved } from '../record/journal-entry.ts';
import { listDoubtSentences } from '../words/view-task.ts';
import type { GivenUp, MergedTask } from './digest.ts';
import { toDigestLine, type RepositoryNight, type TaskStory } from './repository-night.ts';
import { listApprovals } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatCount } from '../../base/format-count.ts';
import { phraseOfHalt } from '../halts/halt-words.ts';

/** Merges and reverts in this period; each with the command that reverts it. */
export const listMerged = (night: RepositoryNight, stories: readonly TaskStory[]): readonly MergedTask[] =>
  stories.flatMap((story) => mergeOf(night, story) ?? []);

function mergeOf(
  { root, held }: RepositoryNight,
  { taskId, record, entries, news }: TaskStory,
): MergedTask | undefined {
  const { merge, undone, contract, gates, weakeningReport } = record;
  const isNews = news.some(({ entry }) => entry.kind === 'undone' || (entry.kind === 'moved' && entry.to === 'merged'));
  if (!isNews || merge === undefined || record.status !== 'merged') return undefined;
  const at = entries.findLast((entry) => entry.kind === 'moved' && entry.to === 'merged')?.at ?? record.updatedAt;
  const results = gates?.results ?? [];
  const report = record.report;
  return {
    repository: root,
    task_id: taskId,
    at,
    wanted: toDigestLine(contract.specification.requirements[0] ?? '', 160),
    target: toDigestLine(toBranchName(merge.target), 120),
    commit: merge.commit,
    added: record.change?.added ?? 0,
    deleted: record.change?.deleted ?? 0,
    held: held.get(merge.commit) ?? null,
    verdict: report?.verdict ?? null,
    judged_outside: report?.outside === true,
    gates_green: results.filter(({ outcome }) => outcome === 'green').length,
    gates: results.length,
    second_look_seconds: secondsOf(weakeningReport?.secondLook),
    decided_by: record.sided === 'PASS' ? toDigestLine(record.lastChoice?.by ?? 'a human', 60) : null,
    halts: entries.flatMap((entry) => (entry.kind === 'moved' ? (entry.facts.halt?.trip.breaker ?? []) : [])),
    approved: listApprovals(record).map(({ breaker, by }) =>
      toDigestLine(
        `accepted by ${by} ${breaker === undefined ? 'at a halt' : `although ${phraseOfHalt(breaker)}`}`,
        160,
      ),
    ),
    widened: listWidened(record),
    weakened: (weakeningReport?.weakenings ?? []).map((one) => toDigestLine(describeWeakening(one), 200)),
    not_sure: listDoubtSentences(record).map((doubt) => toDigestLine(doubt, 400)),
    undone_as: undone ?? null,
    undone_at: undone === undefined ? null : record.updatedAt,
    undo: undone === undefined && held.get(merge.commit) !== false ? `andon undo ${taskId}` : null,
  };
}

/** The grants that change what may be merged or what it may cost; further tries alone do neither. */
const listWidened = ({
  grants: { paths, usd, tokens, minutes, diffSize, shrink, waived, gates },
}: TaskRecord): readonly string[] => [
  ...new Set(paths.map((path) => `changes of ${toDigestLine(path, 120)}`)),
  ...(diffSize > 0 ? [`${formatCount(diffSize, 'more line')} changed`] : []),
  ...(shrink ? ['files that lose most of their lines'] : []),
  ...(waived.length > 0 ? [`${formatCount(waived.length, 'finding')} of rules`] : []),
  ...gates.map(({ gate }) => `gate ${toDigestLine(gate, 60)}, which is red on the base`),
  ...(usd > 0 ? [`$${usd.toFixed(2)} more`] : []),
  ...(tokens > 0 ? [formatCount(tokens, 'more token')] : []),
  ...(minutes > 0 ? [`${formatCount(Number(minutes.toFixed(1)), 'more minute')} of agents' time`] : []),
];

/** How long gates ran again; null where none did. */
const secondsOf = (look: WeakeningReport['secondLook']): number | null =>
  typeof look === 'object' && look.ms > 0 ? Math.round(look.ms / 1000) : null;

export const listGivenUp = ({ root }: RepositoryNight, stories: readonly TaskStory[]): readonly GivenUp[] =>
  stories.flatMap(({ taskId, record, news }) => {
    const last = news.findLast(({ entry }) => entry.kind === 'moved' && TERMINAL.includes(entry.to))?.entry;
    if (record.status !== 'abandoned' || last === undefined) return [];
    return [{ repository: root, task_id: taskId, at: last.at, why: toDigestLine((last as Moved).reason) }];
  });
