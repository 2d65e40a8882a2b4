import type { Journal } from '../../wiring/open-journal.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { TASK_ID } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError } from '../../base/problem.ts';
import { toMessageFacts } from '../../inspection/message-facts.ts';
import { SPEAKERS, type Speaker } from '../../inspection/message-rules.ts';
import { checkOneMessage } from '../../inspection/messages.ts';
import { READ_ONLY, type ToolAnswer, type ToolFacts } from './tool.ts';

/** Checks a message between agents with the guards. */
export const MESSAGE_TOOL: ToolFacts = {
  name: 'andon_message',
  title: 'andon: one message between agents',
  description:
    'Checks whether a message between agents may pass: praise, approvals without evidence, unexpected files, open checklist items; with the feedback if it may not.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The message' },
      from: { type: 'string', enum: [...SPEAKERS], description: 'Who said it; default: implementer' },
      to: { type: 'string', enum: [...SPEAKERS], description: 'The recipient; default: floor_manager' },
      task: { type: 'string', description: 'The id of a contract, or the delegation in words' },
      changed: { type: 'string', description: 'What git printed of the files that were changed' },
      refused: { type: 'integer', minimum: 0, maximum: 99, description: 'So often it went back already; default: 0' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  annotations: READ_ONLY,
};

/** Answers it. */
export async function answerMessageTool(
  place: Workspace,
  journal: Journal | undefined,
  given: Readonly<Record<string, unknown>>,
): Promise<Omit<ToolAnswer, 'isError'>> {
  const { text, from, to, task, changed, refused = 0, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(`andon_message knows no argument ${toTerminalLine(unknown, 40)}`);
  if (typeof text !== 'string') throw wrong('text must be a text');
  if (typeof refused !== 'number' || !Number.isInteger(refused) || refused < 0 || refused > 99)
    throw wrong('refused must be a number from 0 to 99');
  const named = optional('task', task);
  const checked = await checkOneMessage(place, journal, {
    text,
    from: speaker('from', from, 'implementer'),
    to: speaker('to', to, 'floor_manager'),
    task: named === undefined ? undefined : TASK_ID.test(named) ? { id: named } : { words: named },
    changed: optional('changed', changed),
    refused,
  });
  const { feedback, exit } = checked;
  const goesOn = exit === 0 ? 'goes on' : 'goes on as NEEDS_REVIEW';
  return { summary: feedback === undefined ? goesOn : `goes back: ${feedback}`, facts: toMessageFacts(checked) };
}

function optional(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(`${name} must be a text`);
}

function speaker(name: string, value: unknown, usual: Speaker): Speaker {
  const known = SPEAKERS.find((one) => one === (value ?? usual));
  if (known !== undefined) return known;
  throw wrong(`${name} must be one of ${SPEAKERS.join(', ')}`);
}

const wrong = (what: string) => createUsageError(what, 'andon_message takes text, from, to, task, changed and refused');
