import { abandon, findExcessRefusal, type Breaker } from './breaker.ts';
import type { Path } from '../../record/trip.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../contract/task-contract-defaults.ts';

/** A change may not delete more, or be larger, than the contract allows. All figures come from git. */
export const destructiveAction: Breaker<'destructive_action'> = {
  id: 'destructive_action',
  reach: 'task',
  question:
    'Does the change delete more than `max_delete_ratio` of the project, delete a file it may not, or exceed `max_diff_size` or `max_files`?',
  check(record) {
    const { change } = record;
    const again = findExcessRefusal(record);
    if (again?.wants === 'forbidden deletion')
      return {
        breaker: 'destructive_action',
        reason: `${record.refusedAnswers} answers were refused; the last deletes a file without allow_deletes`,
        sides: [
          { who: 'implementer, refused answer', says: again.why },
          { who: 'contract', says: 'allow_deletes: false' },
        ],
      };
    if (change === undefined || record.grants.approvedTrees.includes(change.tree)) return undefined;
    const reasons = [
      tooManyLinesLost(record),
      forbiddenDeletes(record),
      tooLarge(record),
      tooHeavy(record),
      tooMany(record),
    ].filter((reason) => reason !== undefined);
    if (reasons.length === 0) return undefined;
    return {
      breaker: 'destructive_action',
      reason: reasons.join('. Also, '),
      sides: [
        { who: 'implementer', says: change.notes === '' ? 'The change speaks for itself (no notes).' : change.notes },
        { who: 'contract', says: allowedBy(record) },
      ],
    };
  },
  paths(trip, record) {
    if (findExcessRefusal(record)?.wants === 'forbidden deletion') return AFTER_REFUSALS;
    const tree = record.change?.tree ?? '';
    return [
      {
        title: 'Approve exactly this tree and go on',
        does: `This change (tree ${tree.slice(0, 12)}) may exceed the limits; gates, review and judge still decide. Another change that exceeds them halts again.`,
        effect: { to: 'pending_implementer', approveTree: tree, onlyGates: true },
      },
      {
        title: 'Throw the attempt away and retry',
        does: 'The implementer starts again from the target branch and is told the limits. The attempt stays in git.',
        effect: {
          to: 'pending_implementer',
          fresh: true,
          say: `The last attempt was thrown away: ${trip.reason}. Make a change that stays within these limits.`,
        },
      },
    ];
  },
};

/** The change does not exist, so there is no tree to approve. */
const AFTER_REFUSALS: readonly [Path, Path] = [
  {
    title: 'Try again without deleting',
    does: 'The implementer gets one more try, told that the contract allows no deletions. Where the file is to go, drop the contract again with allow_deletes: true.',
    effect: {
      to: 'pending_implementer',
      stallTries: 1,
      say: 'The contract allows no deletions: leave every file where it is, and meet the requirements without.',
    },
  },
  abandon(),
];

function allowedBy({ contract: { constraints }, grants }: LineRecord): string {
  const { maxDeleteRatio, maxDiffSize, maxFiles = DEFAULT_CONTRACT_LIMITS.maxFiles, allowDeletes } = constraints;
  const share = `${(100 * maxDeleteRatio).toFixed(1)} % of the project's lines may be deleted`;
  const size = `${maxDiffSize + grants.diffSize} lines and ${maxFiles} files may change`;
  return `${share}; ${size}; ${allowDeletes ? 'whole files' : 'no whole file'} may be deleted`;
}

function tooManyLinesLost({ change, contract }: LineRecord): string | undefined {
  if (change === undefined || change.lost === 0 || change.projectLines === null) return undefined;
  const limit = contract.constraints.maxDeleteRatio;
  if (change.lost <= limit * change.projectLines) return undefined;
  const share = ((100 * change.lost) / Math.max(1, change.projectLines)).toFixed(1);
  return `${change.lost} of ${change.projectLines} lines are deleted (${share} %); the limit is ${(100 * limit).toFixed(1)} %`;
}

function forbiddenDeletes({ change, contract }: LineRecord): string | undefined {
  if (change === undefined || contract.constraints.allowDeletes) return undefined;
  const deleted = change.files.filter((file) => file.status === 'deleted').map((file) => file.path);
  return deleted.length === 0 ? undefined : `files are deleted without allow_deletes: ${deleted.join(', ')}`;
}

function tooLarge({ change, contract, grants }: LineRecord): string | undefined {
  if (change === undefined) return undefined;
  const limit = contract.constraints.maxDiffSize + grants.diffSize;
  const size = change.added + change.deleted;
  return size > limit ? `the diff has ${size} added and deleted lines; max_diff_size is ${limit}` : undefined;
}

/** The most bytes that count as one line: an image or packed file has few lines and many bytes. */
const BYTES_OF_A_LINE = 1000;

function tooHeavy({ change, contract, grants }: LineRecord): string | undefined {
  if (change?.bytes === undefined) return undefined;
  const limit = contract.constraints.maxDiffSize + grants.diffSize;
  const most = limit * BYTES_OF_A_LINE;
  return change.bytes > most
    ? `the diff adds ${change.bytes} bytes; max_diff_size ${limit} allows ${most} (${BYTES_OF_A_LINE} a line)`
    : undefined;
}

function tooMany({ change, contract }: LineRecord): string | undefined {
  if (change === undefined) return undefined;
  const limit = contract.constraints.maxFiles ?? DEFAULT_CONTRACT_LIMITS.maxFiles;
  return change.files.length > limit
    ? `the diff changes ${change.files.length} files; max_files is ${limit}`
    : undefined;
}
