import { formatCount } from '../../base/format-count.ts';
import { abandon, findExcessRefusal, sideOfChange, type Breaker } from './breaker.ts';
import { LEAST_LINES_TO_KEEP_HALF } from '../core/grants.ts';
import type { Change } from '../record/change.ts';
import type { Path } from '../record/trip.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../project/contract/task-contract-defaults.ts';

/** A change may not delete more, or be larger, than the contract allows. All figures come from git. */
export const destructiveAction: Breaker = {
  question:
    'Does the change delete more than `max_delete_ratio` of the project, delete a file it may not, or exceed `max_diff_size` or `max_files`?',
  check(record) {
    const { change } = record;
    const again = findExcessRefusal(record);
    if (again?.wants === 'forbidden deletion' || again?.wants === 'shortened file') {
      const { does, limit, paths } = REFUSED[again.wants];
      return {
        reason: `${record.refusedAnswers} answers were refused; the last ${does}, which the contract does not allow`,
        sides: [
          { who: 'andon, about the last answer', says: again.why },
          { who: 'contract', says: limit },
        ],
        paths: paths(record),
      };
    }
    if (change === undefined || record.grants.approved.some(({ tree }) => tree === change.tree)) return undefined;
    const reasons = listExcesses(record, change);
    if (reasons.length === 0) return undefined;
    const reason = reasons.join('. Also, ');
    return {
      reason,
      sides: [sideOfChange(change), { who: 'contract', says: allowedBy(record) }],
      paths: [
        {
          title: 'Accept this change and go on',
          does: 'andon accepts this change over the limits. Gates, review and judge still decide on it. A different change of this task over the limits halts again.',
          effect: { to: 'pending_implementer', approveTree: change.tree, onlyGates: true },
        },
        {
          title: 'Discard this attempt and try again',
          does: 'The implementer starts again from the target branch and knows the limits. The attempt stays in git.',
          effect: {
            to: 'pending_implementer',
            fresh: true,
            say: `The last attempt was discarded: ${reason}. Make a change that stays within these limits.`,
          },
        },
      ],
    };
  },
};

interface RefusedAnswer {
  /** What the last answer does. */
  readonly does: string;
  readonly limit: string;
  readonly paths: (record: TaskRecord) => readonly [Path, Path];
}

/** Halts after refused answers: no change exists, so there is no tree to approve. */
const REFUSED: Readonly<Record<'forbidden deletion' | 'shortened file', RefusedAnswer>> = {
  'forbidden deletion': {
    does: 'deletes a file',
    limit: 'No file may be deleted (allow_deletes: false).',
    paths: (record) => [
      {
        title: 'Try again without deletions',
        does: 'The implementer gets one more try and reads that the contract allows no deletions. If the file must go, drop the contract again with allow_deletes: true.',
        effect: {
          to: 'pending_implementer',
          stallTries: 1,
          say: 'The contract allows no deletions: leave every file where it is, and meet the requirements without.',
        },
      },
      abandon(record),
    ],
  },
  'shortened file': {
    does: 'cuts more than half of a file',
    limit: `No answer may leave out more than half of a file of ${LEAST_LINES_TO_KEEP_HALF} lines or more (allow_shrink: false).`,
    paths: () => [
      {
        title: 'Let files lose most of their lines',
        does: 'The implementer tries again, as if the contract had allow_shrink. Its limits on deleted lines still hold.',
        effect: {
          to: 'pending_implementer',
          stallTries: 1,
          shrink: true,
          say: 'A file may lose most of its lines now, if the task needs it.',
        },
      },
      {
        title: 'Try again with files kept whole',
        does: 'The implementer gets one more try and reads this limit.',
        effect: {
          to: 'pending_implementer',
          stallTries: 1,
          say: `No file of ${LEAST_LINES_TO_KEEP_HALF} lines or more may lose more than half of them: give each file whole, with everything that stays, or change it by search and replace.`,
        },
      },
    ],
  },
};

function allowedBy({ contract: { constraints }, grants }: TaskRecord): string {
  const { maxDeleteRatio, maxDiffSize, maxFiles = DEFAULT_CONTRACT_LIMITS.maxFiles, allowDeletes } = constraints;
  return [
    `Files may lose at most ${(100 * maxDeleteRatio).toFixed(1)} % of the project's lines (deleted minus added).`,
    `At most ${formatCount(maxDiffSize + grants.diffSize, 'line')} may be added or deleted in total, in at most ${formatCount(maxFiles, 'file')}.`,
    allowDeletes ? 'Within these limits whole files may be deleted.' : 'No whole file may be deleted.',
  ].join(' ');
}

/** The most bytes that count as one line: an image or packed file has few lines and many bytes. */
const BYTES_OF_A_LINE = 1000;

/** Each limit that a change exceeds, with the figures. */
function listExcesses({ contract: { constraints }, grants }: TaskRecord, change: Change): readonly string[] {
  const { lost, projectLines, files, added, deleted, bytes = 0 } = change;
  const { maxDeleteRatio, maxFiles = DEFAULT_CONTRACT_LIMITS.maxFiles, allowDeletes } = constraints;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const gone = allowDeletes ? [] : files.filter(({ status }) => status === 'deleted').map(({ path }) => path);
  const limit = constraints.maxDiffSize + grants.diffSize;
  const most = limit * BYTES_OF_A_LINE;
  const excesses: readonly (readonly [isExceeded: boolean, why: string])[] = [
    [
      projectLines !== null && lost > maxDeleteRatio * projectLines,
      `files shrink by ${lost} of ${projectLines} lines in the project (${percent(lost / Math.max(1, projectLines ?? 0))}); the limit is ${percent(maxDeleteRatio)} (max_delete_ratio)`,
    ],
    [gone.length > 0, `whole files are deleted, which the contract does not allow (allow_deletes): ${gone.join(', ')}`],
    [added + deleted > limit, `${added + deleted} lines are added or deleted; the limit is ${limit} (max_diff_size)`],
    [
      bytes > most,
      `${bytes} bytes are added; the limit is ${most} (max_diff_size: ${limit} lines of ${BYTES_OF_A_LINE} bytes)`,
    ],
    [files.length > maxFiles, `${files.length} files are changed; the limit is ${maxFiles} (max_files)`],
  ];
  return excesses.flatMap(([isExceeded, why]) => (isExceeded ? [why] : []));
}
