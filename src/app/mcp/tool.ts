import { toTerminal } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';

export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What a tool answers: a summary for people, facts for programs; an error is never a pass. */
export interface ToolAnswer {
  readonly summary: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** What a call may use while it runs. */
export interface CallTools {
  readonly signal: AbortSignal;
  /** Tells the caller of a violation at once, beside the answer. */
  readonly tell: (violation: ToldViolation) => Promise<void>;
}

/** One violation as `notifications/ops/priority` carries it. */
export interface ToldViolation {
  readonly rule_id: string;
  readonly violation: { readonly location: string; readonly message: string; readonly suggestion: string | null };
  readonly priority: string;
  readonly handler: string;
}

export const unknownTask = (): Problem =>
  new Problem(
    'no-task',
    'there is no such task',
    'andon_task without an id names all of them; contracts that have not begun are in `queue` of andon_status',
  );

/** An answer out of what went wrong; only what andon itself knows to be a mistake of the caller is repeated. */
export function answerFromError(error: unknown): ToolAnswer {
  const known = error instanceof Problem;
  const sentence = toTerminal(known ? error.message : 'the rules could not be applied');
  const why = error instanceof Error ? error.message : '';
  const remedy = toTerminal(known ? error.remedy : `andon met a fault of its own: ${why}`);
  return {
    summary: `error: ${sentence}\n${remedy}`,
    facts: { status: 'ERROR', error: sentence, remedy },
    isError: true,
  };
}
