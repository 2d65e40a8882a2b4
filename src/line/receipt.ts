import type { LineRecord } from '../record/line-record.ts';

/** Where the newest merge of a task is pinned, made before the target is moved: the merge itself, or the tick on top of it. */
export const mergePin = (taskId: string): string => `refs/andon/${taskId}/merged`;

/** What the message of every merge of a task matches, line by line, as git's basic patterns: all of them. */
export const receiptPatterns = (taskId: string): readonly string[] => [
  `^Andon-Task: ${taskId}$`,
  '^Andon-Contract: sha256-',
];

/**
 * Whether a commit's message is the receipt of a task's merge: its last paragraph is the trailers that andon writes into
 * no other commit. Nothing else in a message counts, whatever it looks like.
 */
export function isReceipt(message: string, taskId: string): boolean {
  const trailers = message.trimEnd().split('\n\n').at(-1)?.split('\n') ?? [];
  return (
    trailers.includes(`Andon-Task: ${taskId}`) && trailers.some((line) => line.startsWith('Andon-Contract: sha256-'))
  );
}

type Merge = NonNullable<LineRecord['merge']>;

/** How a task stands with its target: not merged, merged, or merged once and taken out again by somebody's reset. */
export type Standing =
  | { readonly is: 'open' }
  | { readonly is: 'merged'; readonly merge: Merge }
  | { readonly is: 'taken back'; readonly merge: Merge };

/** What git and journal say about the merges of one task. */
interface Receipts {
  /** Merges that were built: noted by the journal, or pinned right before the target was to be moved. */
  readonly made: readonly Merge[];
  /** Commits that the target holds, of those above. */
  readonly held: ReadonlySet<string>;
  /** A merge of this task that the target holds, known by its trailers alone. */
  readonly found: Merge | undefined;
  /** Where the target once stood and was moved away from. */
  readonly left: ReadonlySet<string>;
  /** Merges that were taken back, of which a human knows. */
  readonly known: readonly string[];
}

/** What the receipts come to. What the target holds decides; what it once held is told only where it holds none. */
export function standingOf({ made, held, found, left, known }: Receipts): Standing {
  const merge = made.find(({ commit }) => held.has(commit));
  if (merge !== undefined)
    return { is: 'merged', merge: { ...merge, tip: held.has(merge.tip) ? merge.tip : merge.commit } };
  if (found !== undefined) return { is: 'merged', merge: found };
  const gone = made.find(({ commit, tip }) => !known.includes(commit) && (left.has(tip) || left.has(commit)));
  return gone === undefined ? { is: 'open' } : { is: 'taken back', merge: gone };
}
