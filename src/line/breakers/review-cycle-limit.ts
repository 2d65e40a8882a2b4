import { abandon, describeKept, type Breaker } from './breaker.ts';
import { formatCount } from '../../base/format-count.ts';
import { nameRedGates } from '../record/change.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Path } from '../record/trip.ts';

export const reviewCycleLimit: Breaker = {
  question: 'Did the change go back more often than `max_review_cycles`?',
  check(record) {
    const limit = record.contract.limits.maxReviewCycles + record.grants.reviewCycles;
    if (record.lastFacts.feedback === undefined || record.reviewCycles <= limit) return undefined;
    const ended = (record.lastFacts.rulings ?? [])
      .flatMap(({ found }) => found)
      .find(({ does, penalty }) => does === 'quick_fix' && penalty === 'MAX');
    const rejections = record.rejected
      .slice(-3)
      .map((old) => ({ who: `${old.by} on attempt ${old.attempt}`, says: old.why }));
    return {
      reason: `${formatCount(record.reviewCycles, 'review cycle')}${ended === undefined ? `, more than the ${limit} allowed` : ''}${nameLastRed(record)}${ended === undefined ? '' : `; ${ended.rule} leaves no further one (iteration_penalty: MAX)`}`,
      sides: rejections,
      paths: listPaths(record),
    };
  },
};

const TWO_MORE: Path = {
  title: 'Allow two more rounds',
  does: 'The implementer gets two more rounds with the open findings.',
  effect: { to: 'pending_implementer', reviewCycles: 2 },
};

function listPaths(record: TaskRecord): readonly [Path, Path] {
  const tree = record.change?.tree;
  if (tree === undefined || record.report?.tree !== tree)
    return [
      TWO_MORE,
      abandon(record, `No change of this round was judged, so none could be merged. ${describeKept(record)}`),
    ];
  return [
    {
      title: 'Merge the last judged change',
      does: "The judge's findings are kept as notes.",
      effect: { to: 'review_complete', verdict: 'PASS', approveTree: tree },
    },
    TWO_MORE,
  ];
}

/** The red gates that sent the change back the last time, with their failed tests. */
function nameLastRed({ contract, lastFacts }: TaskRecord): string {
  const red = (lastFacts.gates?.results ?? []).filter(({ blocks }) => blocks);
  return red.length === 0 ? '' : `; red: ${nameRedGates(red, contract.holdout.gates)}`;
}
