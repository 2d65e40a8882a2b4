/** Where the newest merge of a task is pinned, made before the target is moved: the merge itself, or the tick on top of it. */
export const mergePin = (taskId: string): string => `refs/andon/${taskId}/merged`;

/** What the message of every merge of a task matches, line by line, as git's basic patterns: all of them. */
export const receiptPatterns = (taskId: string): readonly string[] => [
  `^Andon-Task: ${taskId}$`,
  '^Andon-Contract: sha256-',
];

/** Whether a commit's message is the receipt of a task's merge: the trailers that andon writes into no other commit. */
export function isReceipt(message: string, taskId: string): boolean {
  const trailers = message.trimEnd().split('\n\n').at(-1)?.split('\n') ?? [];
  return (
    message.startsWith(`Merge task/${taskId}`) &&
    trailers.includes(`Andon-Task: ${taskId}`) &&
    trailers.some((line) => line.startsWith('Andon-Contract: sha256-'))
  );
}
