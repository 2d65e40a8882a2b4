import { readLine } from '../../line/readers/read-line.ts';
import { readRecords } from '../../line/state/read-records.ts';
import { readNeeds } from '../../line/readers/read-needs.ts';
import { usingJournal } from '../../line/state/open-journal.ts';
import type { Journal } from '../../line/state/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { mapTexts } from '../../base/map-texts.ts';
import { formatCount } from '../../base/format-count.ts';
import { describeActivity, describeParked, describeTrouble } from '../../line/core/describe-line.ts';
import { listStory } from '../../line/core/story.ts';
import { haltReportPath } from '../../line/core/resume-command.ts';
import { viewTask } from '../../line/core/view.ts';
import { createUsageError } from '../../base/problem.ts';
import { READ_ONLY, unknownTask, type ToolAnswer, type ToolFacts } from './tool.ts';
import { TASK_ID } from '../../base/names.ts';
import { toMessageFacts, checkOneMessage } from '../checks/messages.ts';
import { SPEAKERS, type Speaker } from '../../rules/files/message-rules.ts';

/** Checks a message between agents with the guards. */
const MESSAGE_TOOL: ToolFacts = {
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

/** What can be asked about the line; nothing of it moves the line. */
export const LINE_TOOLS: readonly ToolFacts[] = [
  {
    name: 'andon_status',
    title: 'andon: status',
    description: 'What the line does now: the task on it, whether a watchdog runs, what waits.',
    inputSchema: { type: 'object', properties: {} },
    annotations: READ_ONLY,
  },
  {
    name: 'andon_task',
    title: 'andon: one task',
    description: 'One task with its findings, gates, cost and story; without an id, all tasks.',
    inputSchema: {
      type: 'object',
      properties: { task_id: { type: 'string', description: 'The id of a contract' } },
      additionalProperties: false,
    },
    annotations: READ_ONLY,
  },
  {
    name: 'andon_halt',
    title: 'andon: why the line is stopped',
    description:
      'The halts that a human must answer, each with its two paths. They are answered by `andon resume`; nothing here takes a path.',
    inputSchema: { type: 'object', properties: {} },
    annotations: READ_ONLY,
  },
  MESSAGE_TOOL,
];

/** Answers one of them; undefined for any other name. */
export async function callLineTool(
  place: Workspace,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer | undefined> {
  const ask = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
  if (ask === undefined) return undefined;
  const { summary, facts } = await usingJournal(place, (journal) => ask(place, journal, given));
  return { summary, facts: plain(facts) as Readonly<Record<string, unknown>>, isError: false };
}

type Said = Omit<ToolAnswer, 'isError'>;
const ANSWERS: Readonly<
  Record<
    string,
    (place: Workspace, journal: Journal | undefined, given: Readonly<Record<string, unknown>>) => Said | Promise<Said>
  >
> = { andon_status: status, andon_task: task, andon_halt: halt, andon_message: answerMessageTool };

async function status(place: Workspace, journal: Journal | undefined): Promise<Said> {
  const facts = await readLine(place, journal);
  const { task: active } = facts;
  const trouble = describeTrouble(facts).map(({ text }) => text.trim());
  const task =
    active === null
      ? facts.parked.length === 0
        ? 'no task is on the line'
        : 'no task runs'
      : `${active.task_id} ${active.status}: ${toTerminalLine(describeActivity(active, facts))}`;
  const parked = describeParked(facts).map(({ text }) => text.trim());
  return {
    summary: [task, ...parked, ...trouble].join('; '),
    facts: { ...facts, needs_you: readNeeds(place, journal, facts) },
  };
}

function task(_place: Workspace, journal: Journal | undefined, given: Readonly<Record<string, unknown>>): Said {
  const { task_id: id, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw createUsageError(
      `andon_task knows no argument ${toTerminalLine(unknown, 40)}`,
      'give the id of a contract as task_id, or nothing for all tasks',
    );
  const records = readRecords(journal);
  if (id === undefined) {
    const tasks = records.map((record) => ({ task_id: record.taskId, status: record.status }));
    return { summary: formatCount(tasks.length, 'task'), facts: { tasks } };
  }
  const record = records.find(({ taskId }) => taskId === id);
  if (record === undefined) throw unknownTask();
  const story = listStory(journal?.entries(record.taskId) ?? []);
  return { summary: `${record.taskId} ${record.status}`, facts: { ...viewTask(record), story } };
}

function halt(_place: Workspace, journal: Journal | undefined): Said {
  const halts = readRecords(journal)
    .filter((record) => record.halt !== undefined)
    .map((record) => {
      const { task_id, halt: standing, parked } = viewTask(record);
      return { task_id, halt: standing, report: haltReportPath(task_id, parked !== null) };
    });
  const [first] = halts;
  const lines = halts.map(
    ({ task_id, halt: one }) => `${task_id} is halted by ${one?.breaker ?? ''}: ${toTerminalLine(one?.reason ?? '')}`,
  );
  return {
    summary: lines.length === 0 ? 'no task is halted' : lines.join('; '),
    facts: { task_id: first?.task_id ?? null, halt: first?.halt ?? null, halts },
  };
}

/** Every text of it on one line and without anything that could move a cursor or hide. */
const plain = (value: unknown): unknown => mapTexts(value, (text) => toTerminalLine(text, 2000));

/** Answers it. */
async function answerMessageTool(
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
