import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import { checklistOfTask } from '../guards/from-record.ts';
import { reminderOf, trackTodos } from '../guards/todo-tracker.ts';
import type { MessageCheck } from './message-check.ts';
import { mayGoBack } from '../guards/unfounded.ts';

/** An answer that admits missing work is not reviewed. */
export const openTodo: MessageCheck<'open_todo', 'change'> = {
  id: 'open_todo',
  phase: 'change',
  question: 'Do the implementer’s notes say that something of the task is not done?',
  check(message, record, { settings = STANDARD_MESSAGES }) {
    if (message.kind === 'no-change' || !settings.enabled || !settings.todoTracker.enabled) return undefined;
    if (!mayGoBack(record, settings)) return undefined;
    const { admitted } = trackTodos(message.notes ?? '', checklistOfTask(record), settings.todoTracker);
    if (admitted.length === 0) return undefined;
    return `${reminderOf(admitted)}\nYour notes say that this is not done; an answer brings the whole task. What you wrote was not taken: give it again, together with the rest.`;
  },
};
