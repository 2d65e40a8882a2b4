import {
  readDecisionTask,
  type DecisionFile,
  type WrittenAnswer,
  type WrittenDecision,
} from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { HUMAN, type Status } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { checkHumanDecision } from '../core/decide-on-change.ts';
import { awaitsDecision, getReportNonce } from '../core/find-outside-wait.ts';
import { haltReportPath } from '../halts/resume-command.ts';

/** What a `DECISION.json` means: an answer to a halt, a decision on the report that waits, or nothing so far. */
export type DecisionMeaning =
  | { readonly is: 'answer'; readonly answer: WrittenAnswer }
  | { readonly is: 'decision'; readonly decision: WrittenDecision }
  | { readonly is: 'later' };

/** The tasks that a file may be about. */
export interface DecisionTasks {
  /** The parked task in whose folder it is; undefined in `_handoff/` itself. */
  readonly owner?: string | undefined;
  /** The task on the line, for a file in `_handoff/` itself. */
  readonly active: TaskRecord | undefined;
  readonly records: readonly TaskRecord[];
  /** The status of a task that is not among them; undefined where the journal does not know it. */
  readonly statusOf: (taskId: string) => Status | undefined;
}

/** What a file means for these tasks, or why it counts for nothing. */
export function interpretDecision(file: DecisionFile, tasks: DecisionTasks): Outcome<DecisionMeaning, string> {
  const { owner, records } = tasks;
  const record = records.find(({ taskId }) => taskId === readDecisionTask(file));
  if (record === undefined && owner !== undefined)
    return failure(`it is about ${toTerminalLine(readDecisionTask(file), 80)}, in the folder of ${owner}`);
  if (record === undefined) return interpretForeign(file, tasks);
  if (file.about === 'report') return interpretOnReport(file.decision, record);
  return record.halt === undefined
    ? failure(explainLateDecision(record, file.answer.halt))
    : success({ is: 'answer', answer: file.answer });
}

function interpretOnReport(decision: WrittenDecision, record: TaskRecord): Outcome<DecisionMeaning, string> {
  const isManaged = record.contract.roles.floorManager === HUMAN;
  const nonce = getReportNonce(record);
  // One on this very report counts again once the task goes on.
  if (record.halt !== undefined && !(isManaged && nonce !== undefined && decision.nonce === nonce))
    return failure(
      `it decides on a report (\`decision\`), but the task is halted: answer with \`halt\` and \`path\`, as ${haltReportPath(record.taskId, record.parked !== undefined)} shows`,
    );
  if (!isManaged) return failure(BUILT_IN);
  if (!awaitsDecision(record)) return success({ is: 'later' });
  const checked = checkHumanDecision(decision, record);
  return typeof checked === 'string' ? failure(checked) : success({ is: 'decision', decision });
}

/** About a task that is not on the line. Without an active task, a decision on a report may be for a task to come. */
function interpretForeign(file: DecisionFile, { active, statusOf }: DecisionTasks): Outcome<DecisionMeaning, string> {
  const id = readDecisionTask(file);
  const named = toTerminalLine(id, 80);
  const status = statusOf(id);
  if (status !== undefined) return failure(`it is about ${named}, which is ${status}`);
  if (active !== undefined) return failure(`no task ${named} is on the line; ${active.taskId} is`);
  return file.about === 'halt' ? failure('no task is on the line') : success({ is: 'later' });
}

const BUILT_IN =
  'the built-in policy decides on reports (`"floor_manager": "human"` in the roles of the contract leaves it to you)';

const explainLateDecision = ({ taskId, lastChoice }: TaskRecord, halt: string): string =>
  lastChoice?.halt === halt
    ? `halt ${halt} was answered already, with ${nameAnswer(lastChoice)} by ${lastChoice.by}`
    : `${taskId} is not halted`;

export const nameAnswer = ({ path }: { readonly path?: 1 | 2 | undefined }): string =>
  path === undefined ? 'comments' : `path ${path}`;
