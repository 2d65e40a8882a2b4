import type { TaskRecord } from '../record/task-record.ts';

/** The pin of a task's newest merge, made before the target moves: the merge itself, or the tick on top of it. */
export const mergePin = (taskId: string): string => `refs/andon/${taskId}/merged`;

/** Patterns of git's basic syntax that match the message of every merge of any task: all of them must. */
export const RECEIPT_PATTERNS: readonly string[] = ['^Andon-Task: ', '^Andon-Contract: sha256-'];

/** The same for the merges of one task. */
export const listReceiptPatterns = (taskId: string): readonly string[] => [
  `^Andon-Task: ${taskId}$`,
  '^Andon-Contract: sha256-',
];

/**
 * Whether a commit's message is the receipt of a task's merge: its last paragraph is the trailers that andon writes
 * into no other commit. The rest of a message does not count.
 */
export function isReceipt(message: string, taskId: string): boolean {
  const trailers = message.trimEnd().split('\n\n').at(-1)?.split('\n') ?? [];
  return (
    trailers.includes(`Andon-Task: ${taskId}`) && trailers.some((line) => line.startsWith('Andon-Contract: sha256-'))
  );
}

type Merge = NonNullable<TaskRecord['merge']>;

/** A task's merge state: not merged, merged, or merged and removed by a reset. */
export type MergeState =
  | { readonly is: 'open' }
  | { readonly is: 'merged'; readonly merge: Merge }
  | { readonly is: 'taken back'; readonly merge: Merge };

/** The evidence of git and journal about the merges of one task. */
interface Receipts {
  /** Merges that were built: journalled, or pinned right before the target moves. */
  readonly made: readonly Merge[];
  readonly held: ReadonlySet<string>;
  /** A merge of this task in the target, known by its trailers alone. */
  readonly found: Merge | undefined;
  /** Earlier tips of the target that it lost. */
  readonly left: ReadonlySet<string>;
  /** Reverted merges that a person knows of. */
  readonly known: readonly string[];
}

/** The conclusion. The current target decides; its former state is reported only where it contains no merge. */
export function computeMergeState({ made, held, found, left, known }: Receipts): MergeState {
  const merge = made.find(({ commit }) => held.has(commit));
  if (merge !== undefined)
    return { is: 'merged', merge: { ...merge, tip: held.has(merge.tip) ? merge.tip : merge.commit } };
  if (found !== undefined) return { is: 'merged', merge: found };
  const gone = made.find(({ commit, tip }) => !known.includes(commit) && (left.has(tip) || left.has(commit)));
  return gone === undefined ? { is: 'open' } : { is: 'taken back', merge: gone };
}
