import type { Given } from '../run-cases.ts';

/** Every field that a message of a hub may have. */
const FIELDS = new Set(
  'messages options payload poll_since question_options running state_file task_id times type'.split(' '),
);

/** Andon has no message hub that agents speak over; a row that says something else than its messages is refused. */
export function withoutHub({ input }: Given): string {
  const unknown = Object.keys(input).filter((field) => !FIELDS.has(field));
  if (unknown.length > 0) throw new Error(`no message of a hub has ${unknown.join(', ')}`);
  return 'no message hub: agents are asked station by station, a question to the human is a halt, `andon halt` stops';
}
