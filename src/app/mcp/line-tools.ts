import { z } from 'zod';
import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import { readLine } from '../../line/readers/read-line.ts';
import { readRecord, readRecords } from '../../line/journal/read-records.ts';
import { readNeeds } from '../../line/readers/read-needs.ts';
import { NO_JOURNAL, usingJournal } from '../../line/journal/open-journal.ts';
import { openTasks } from '../../line/journal/active-task.ts';
import type { Journal } from '../../line/journal/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { mapTexts } from '../../base/map-texts.ts';
import { formatCount } from '../../base/format-count.ts';
import { describeParked, describeTrouble } from '../../line/words/describe-line.ts';
import { describeActivity } from '../../line/words/view-activity.ts';
import { listStory } from '../../line/words/list-story.ts';
import { haltReportPath } from '../../line/halts/resume-command.ts';
import { viewTask } from '../../line/words/view-task.ts';
import { createUsageError } from '../../base/problem.ts';
import { READ_ONLY, unknownTask, type ToolAnswer, type ToolFacts } from './tool.ts';
import { TASK_ID } from '../../base/names.ts';
import { toMessageFacts, checkOneMessage } from '../checks/check-one-message.ts';
import { SPEAKERS } from '../../rules/model/rule-words.ts';

const TASK = z.strictObject({
  task_id: z.string('there is no such task').optional().describe('The id of a contract'),
});

const NOTHING = z.strictObject({});

const speaker = (name: string) => z.enum(SPEAKERS, `${name} must be one of ${SPEAKERS.join(', ')}`).optional();
const words = (name: string) => z.string(`${name} must be a text`);
const REFUSED = 'refused must be a number from 0 to 99';
const MESSAGE = z.strictObject({
  text: words('text')
    .refine((text) => text.trim() !== '', 'text is empty; nothing was checked')
    .describe('The message'),
  from: speaker('from').describe('Who said it; default: implementer'),
  to: speaker('to').describe('The recipient; default: floor_manager'),
  task: words('task').optional().describe('The id of a contract, or the delegation in words'),
  changed: words('changed').optional().describe('What git printed of the files that were changed'),
  refused: z
    .int(REFUSED)
    .min(0, REFUSED)
    .max(99, REFUSED)
    .optional()
    .describe('So often it went back already; default: 0'),
});

/** What can be asked about the line; nothing of it moves the line. */
export const LINE_TOOLS: readonly ToolFacts[] = [
  {
    name: 'andon_status',
    title: 'andon: status',
    description: 'What the line does now: the task on it, whether a watchdog runs, what waits.',
    inputSchema: { ...jsonSchemaForModel(NOTHING), type: 'object' },
    annotations: READ_ONLY,
  },
  {
    name: 'andon_task',
    title: 'andon: one task',
    description: 'One task with its findings, gates, cost and story; without an id, all tasks.',
    inputSchema: { ...jsonSchemaForModel(TASK), type: 'object' },
    annotations: READ_ONLY,
  },
  {
    name: 'andon_halt',
    title: 'andon: why the line is stopped',
    description:
      'The halts that a human must answer, each with its two paths. They are answered by `andon resume`; nothing here takes a path.',
    inputSchema: { ...jsonSchemaForModel(NOTHING), type: 'object' },
    annotations: READ_ONLY,
  },
  {
    name: 'andon_message',
    title: 'andon: one message between agents',
    description:
      'Checks whether a message between agents may pass: praise, approvals without evidence, unexpected files, open checklist items; with the feedback if it may not.',
    inputSchema: { ...jsonSchemaForModel(MESSAGE), type: 'object' },
    annotations: READ_ONLY,
  },
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

async function status(place: Workspace, journal: Journal | undefined, given: object): Promise<Said> {
  readArguments(NOTHING, given, 'andon_status', 'give it no argument');
  const facts = await readLine(place, journal);
  const { task: active, activity } = facts;
  const trouble = describeTrouble(facts).map(({ text }) => text.trim());
  const task =
    active === null || activity === null
      ? facts.parked.length === 0
        ? 'no task is on the line'
        : 'no task runs'
      : `${active.task_id} ${active.status}: ${toTerminalLine(describeActivity(activity))}`;
  const parked = describeParked(facts).map(({ text }) => text.trim());
  return {
    summary: [task, ...parked, ...trouble].join('; '),
    facts: { ...facts, needs_you: readNeeds(place, journal, facts) },
  };
}

function task(_place: Workspace, journal: Journal | undefined, given: Readonly<Record<string, unknown>>): Said {
  const remedy = 'give the id of a contract as task_id, or nothing for all tasks';
  const { task_id: id } = readArguments(TASK, given, 'andon_task', remedy);
  if (id === undefined) {
    const tasks = readRecords(journal).map((record) => ({ task_id: record.taskId, status: record.status }));
    return { summary: formatCount(tasks.length, 'task'), facts: { tasks } };
  }
  const record = readRecord(journal, id);
  if (record === undefined) throw unknownTask();
  const story = listStory(journal?.entries(record.taskId) ?? []);
  return { summary: `${record.taskId} ${record.status}`, facts: { ...viewTask(record), story } };
}

function halt(_place: Workspace, journal: Journal | undefined, given: object): Said {
  readArguments(NOTHING, given, 'andon_halt', 'give it no argument');
  const halts = openTasks({ journal: journal ?? NO_JOURNAL })
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

async function answerMessageTool(
  place: Workspace,
  journal: Journal | undefined,
  given: Readonly<Record<string, unknown>>,
): Promise<Said> {
  const remedy = 'andon_message takes text, from, to, task, changed and refused';
  const message = readArguments(MESSAGE, given, 'andon_message', remedy);
  const { text, from = 'implementer', to = 'floor_manager', task: named, changed, refused = 0 } = message;
  const checked = await checkOneMessage(place, journal, {
    text,
    from,
    to,
    changed,
    refused,
    task: named === undefined ? undefined : TASK_ID.test(named) ? { id: named } : { words: named },
  });
  const { feedback, exit } = checked;
  const goesOn = exit === 0 ? 'goes on' : 'goes on as NEEDS_REVIEW';
  return { summary: feedback === undefined ? goesOn : `goes back: ${feedback}`, facts: toMessageFacts(checked) };
}

function readArguments<Value>(schema: z.ZodType<Value>, given: unknown, tool: string, remedy: string): Value {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [unknown] = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const fault = unknown === undefined ? issues[0]?.message : `${tool} knows no argument ${toTerminalLine(unknown, 40)}`;
  throw createUsageError(fault ?? '', remedy);
}
