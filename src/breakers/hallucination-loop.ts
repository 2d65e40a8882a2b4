import { abandon } from './breaker.ts';
import type { Breaker } from './breaker.ts';
import type { Change } from '../formats/change.ts';
import type { LineRecord, Rejected } from '../formats/line-record.ts';

/** "Nearly all": the share of added lines that two changes must have in common to count as the same work. */
const NEARLY_ALL = 0.9;
/** A change of fewer telling lines than this is compared by its files only: two small fixes are easily alike. */
const FEW_LINES = 5;

/** Code that was already turned down has come back: the implementer goes in circles. */
export const hallucinationLoop: Breaker = {
  id: 'hallucination_loop',
  question: 'Is the new change one that was already rejected, as a tree, in other spacing, or nearly line by line?',
  check(record) {
    const { change } = record;
    if (change === undefined || record.grants.approvedTrees.includes(change.tree)) return undefined;
    const older = record.rejected.filter(({ attempt }) => attempt < change.attempt);
    for (const before of older.toReversed()) {
      const how = likeness(change, before, older.at(-1));
      if (how === undefined) continue;
      return {
        breaker: 'hallucination_loop',
        reason: `attempt ${change.attempt} ${how} attempt ${before.attempt}, which was rejected`,
        sides: [
          { who: 'implementer', says: change.notes },
          { who: before.by, says: before.why },
        ],
      };
    }
    return undefined;
  },
  paths(_trip, record) {
    return [
      {
        title: 'Start afresh',
        does: 'The implementer starts from the target branch again and is told which way was already rejected.',
        effect: {
          to: 'pending_implementer',
          fresh: true,
          say: `You repeated a change that was already rejected${whys(record)}. Solve the task in another way.`,
        },
      },
      abandon(),
    ];
  },
};

/** How a change is like a rejected one; undefined when it is not. `last` is the attempt that it was meant to improve. */
function likeness(change: Change, before: Rejected, last: Rejected | undefined): string | undefined {
  if (before.tree === change.tree) return 'is the same tree as';
  if (change.print === undefined || before.print === undefined) return undefined; // journals of an older version
  // Against the last attempt alone, other spacing may be just the fix that was asked for.
  if (before !== last && sameFiles(change.print.files, before.print.files))
    return 'is, but for spacing and quotes, the same as';
  const [now, then] = [new Set(change.print.lines), new Set(before.print.lines)];
  if (Math.min(now.size, then.size) < FEW_LINES) return undefined;
  const common = [...now].filter((line) => then.has(line)).length;
  if (common < NEARLY_ALL * Math.max(now.size, then.size)) return undefined;
  // An ordinary refinement repeats most of the attempt it improves; going back means losing what came in between.
  const improved = (last?.print?.lines ?? []).filter((line) => !then.has(line));
  const kept = improved.filter((line) => now.has(line)).length;
  return improved.length > 0 && kept <= (1 - NEARLY_ALL) * improved.length
    ? `goes back to ${Math.floor((100 * common) / Math.max(now.size, then.size))} % of the lines of`
    : undefined;
}

function sameFiles(now: Readonly<Record<string, string>>, then: Readonly<Record<string, string>>): boolean {
  const paths = Object.keys(now);
  return (
    paths.length > 0 && paths.length === Object.keys(then).length && paths.every((path) => now[path] === then[path])
  );
}

const whys = ({ rejected }: LineRecord): string => {
  const why = rejected.at(-1)?.why.split('\n')[0] ?? '';
  return why === '' ? '' : ` (${why})`;
};
