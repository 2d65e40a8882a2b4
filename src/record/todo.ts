import { z } from 'zod';
import { closedObject } from './shape.ts';

/** One requirement or acceptance criterion, and its evidence. */
export const todoStateSchema = closedObject(() => ({
  text: z.string(),
  state: z
    .enum(['evidence', 'words', 'pending'])
    .describe('evidence: git or a gate shows it; words: the implementer says so; pending: neither.'),
}));
export type TodoState = z.infer<ReturnType<typeof todoStateSchema>>;

/** A checklist in one line: `2 of 3 items done (1 shown by git or gates, 1 only claimed by the implementer)`. */
export function formatTodos(todos: readonly TodoState[]): string {
  const of = (state: TodoState['state']): number => todos.filter((one) => one.state === state).length;
  const done = of('evidence') + of('words');
  return `${done} of ${todos.length} items done (${of('evidence')} shown by git or gates, ${of('words')} only claimed by the implementer)`;
}

export const listTodoRows = (todos: readonly TodoState[]): readonly string[] =>
  todos.map(({ text, state }) => `[${state === 'pending' ? ' ' : 'x'}] ${text}${MARKS[state]}`);

const MARKS: Readonly<Record<TodoState['state'], string>> = {
  evidence: ' (shown by git or a gate)',
  words: ' (said by the implementer)',
  pending: '',
};
