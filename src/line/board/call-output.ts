/** The last lines of a running call, safe to print. */
export interface CallOutput {
  readonly repository: string;
  readonly task_id: string;
  readonly call: number;
  readonly station: string;
  /** How many lines came before these. */
  readonly first: number;
  readonly lines: readonly string[];
}

/** The calls of one task, the one that wrote last at the end. */
export const listTaskOutput = <One extends Pick<CallOutput, 'repository' | 'task_id'>>(
  calls: readonly One[],
  { repository, task_id: task }: { readonly repository: string; readonly task_id: string | null },
): readonly One[] => calls.filter((one) => one.repository === repository && one.task_id === task);

/** The last line that a task's agents have written; undefined before the first. */
export const findLastLine = (
  calls: readonly CallOutput[],
  of: { readonly repository: string; readonly task_id: string | null },
): string | undefined =>
  listTaskOutput(calls, of)
    .at(-1)
    ?.lines.findLast((line) => line.trim() !== '');
