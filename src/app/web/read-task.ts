import { readTaskReport } from '../../line/readers/read-task-report.ts';
import { foldJournal } from '../../line/core/fold-journal.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';
import type { JournalEntry } from '../../line/record/journal-entry.ts';
import type { TextPiece } from '../../project/folders/text-piece.ts';
import { TASK_ID } from '../../base/names.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { usingJournal } from '../../line/journal/open-journal.ts';
import type { Journal } from '../../line/journal/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openKept } from '../../project/workspace/open-reader.ts';
import { decideOnReport } from '../../line/halt-answers/decide-on-report.ts';
import { awaitsDecision, getReportNonce } from '../../line/core/find-outside-wait.ts';
import type { WrittenDecision } from '../../line/record/decision-file.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import { formatFindingNumber } from '../../line/record/review.ts';
import type { ActionOutcome, TaskResponse } from './api-types.ts';

/** Shown bytes of a prompt or an answer at a time. */
const PIECE = 100_000;

export const readTask = (place: Workspace, id: string, taskId: string): Promise<TaskResponse> =>
  withEntries(place, taskId, async (entries, journal) => {
    const record = recordIn(entries);
    const { details } = await readTaskReport(place, journal, record, { patch: false });
    return { ...details, task_id: taskId, repository: id, root: place.facts.root, decision: toDecision(record) };
  });

/** What a person who is the floor manager decides on. */
function toDecision(record: TaskRecord): TaskResponse['decision'] {
  const report = record.report;
  if (report === undefined || !awaitsDecision(record)) return null;
  const { verdict, summary, blocking, fixes } = report;
  const findings = blocking.map((finding, at) => `${formatFindingNumber(at)}: ${formatFinding(finding)}`);
  return { nonce: getReportNonce(record) ?? '', verdict, summary, findings, fixes };
}

/** Takes a person's decision on the report that they have seen. */
export const postDecision = (place: Workspace, taskId: string, decision: WrittenDecision): Promise<ActionOutcome> =>
  withEntries(place, taskId, (entries, journal) => {
    decideOnReport(place, journal, recordIn(entries), decision);
    return Promise.resolve({ ok: true, said: `Decided: ${decision.decision}.` });
  });

function recordIn(entries: readonly JournalEntry[]): TaskRecord {
  const record = foldJournal(entries);
  if (record === undefined) throw new Problem('no-task', 'this task was never admitted', 'andon list', 1);
  return record;
}

export function readCallText(
  place: Workspace,
  taskId: string,
  { call, what, from }: { readonly call: number; readonly what: 'prompt' | 'answer'; readonly from: number },
): TextPiece {
  if (!Number.isInteger(call) || call < 0 || !TASK_ID.test(taskId))
    throw createUsageError('a call is named by its task and its number', 'go to /');
  const piece = openKept(place).pieceOfCall(taskId, call, what, { from, most: PIECE });
  if (piece !== undefined) return piece;
  throw new Problem(
    'no-task',
    `there is no ${what} of call ${call} of ${taskId} (any more)`,
    `andon show ${taskId}`,
    1,
  );
}

const ALL_TASKS = 'andon list names all tasks; contracts that have not begun are in andon queue';

/** Reads the journal of one task. */
export const withEntries = <Value>(
  place: Workspace,
  taskId: string,
  work: (entries: readonly JournalEntry[], journal: Journal) => Promise<Value>,
): Promise<Value> =>
  usingJournal(place, (journal) => {
    const entries = journal?.entries(taskId) ?? [];
    if (journal === undefined || entries.length === 0)
      throw new Problem('no-task', `there is no task ${taskId} in this repository`, ALL_TASKS, 1);
    return work(entries, journal);
  });
