import { trackTodos } from '../../../src/rules/guards/todo-tracker.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { onlyKnown, settingsOf } from './messages-of-rows.ts';

const KNOWN = ['enabled', 'expected_outcome', 'reminder_on_incomplete', 'response'];

/** What a response leaves of a checklist. */
export const todoTracker: Runner = ({ input }): Facts => {
  onlyKnown(input, KNOWN);
  const { response, expected_outcome: outcome, enabled, reminder_on_incomplete } = input;
  if (typeof response !== 'string') throw new Error('response must be a text');
  const { todo_tracker: settings } = settingsOf('todo_tracker', { enabled, reminder_on_incomplete });
  const { complete, pending, markers, reminder } = trackTodos(
    response,
    typeof outcome === 'string' ? outcome : undefined,
    settings,
  );
  return { complete, pending, markers, reminder };
};
