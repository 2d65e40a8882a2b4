import { readTaskReport } from '../../daemon/readers/read-task-report.ts';
import { foldJournal } from '../../line/record.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import type { Services } from '../../wiring/services.ts';
import type { TextPiece } from '../../ports/text-piece.ts';
import { TASK_ID } from '../../base/names.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { pageStyle } from '../../wiring/own-files.ts';
import { readJournal, type Journal } from '../../wiring/open-journal.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { openKept, openForReading } from '../../wiring/open-reader.ts';
import type { ChangeResponse, PatchResponse, TaskResponse } from './api-types.ts';
import { loadReportPage } from '../../wiring/load-pages.ts';

/** Maximum listed files of a change, */
const MOST_FILES = 500;
/** shown bytes of one file's patch, */
const MOST_OF_FILE = 256_000;
/** and shown bytes of a prompt or an answer at a time. */
const PIECE = 100_000;

export const readTask = (place: Workspace, id: string, taskId: string): Promise<TaskResponse> =>
  withEntries(place, taskId, async (entries, journal) => {
    const { details } = await readTaskReport(place, journal, recordIn(entries), { patch: false });
    return { ...details, task_id: taskId, repository: id, root: place.facts.root };
  });

export const reportPage = (place: Workspace, taskId: string): Promise<string> =>
  withEntries(place, taskId, async (entries, journal) => {
    const { details, patch } = await readTaskReport(place, journal, recordIn(entries), { patch: true });
    const { renderReportPage } = await loadReportPage();
    return renderReportPage(details, patch, pageStyle(import.meta.url));
  });

function recordIn(entries: readonly JournalEntry[]): LineRecord {
  const record = foldJournal(entries);
  if (record === undefined) throw new Problem('no-task', 'this task was never admitted', 'andon list', 1);
  return record;
}

export interface CommitPair {
  readonly from: string;
  readonly to: string;
}

export const readChange = (place: Workspace, taskId: string, between: CommitPair): Promise<ChangeResponse> =>
  withCommits(place, taskId, between, async (repository) => {
    if (repository === undefined) return { is_there: false };
    const files = await repository.diff(between.from, between.to);
    return { is_there: true, files: files.slice(0, MOST_FILES), hidden: Math.max(0, files.length - MOST_FILES) };
  });

/** The diff between two commits of a task for some paths: of one file, before and after. */
export const readPatchBetween = (
  place: Workspace,
  taskId: string,
  { paths, ...between }: CommitPair & { readonly paths: readonly string[] },
): Promise<PatchResponse> =>
  withCommits(place, taskId, between, async (repository) => {
    if (paths.some((path) => path.includes('\0'))) throw createUsageError('no path holds a NUL', 'go to /');
    if (repository === undefined || paths.length === 0)
      throw new Problem('no-task', 'there is no such file in this repository (any more)', `andon show ${taskId}`, 1);
    const { text, isCut } = await repository.patchOf(between.from, between.to, paths, MOST_OF_FILE);
    return { text, is_cut: isCut };
  });

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

async function withEntries<Value>(
  place: Workspace,
  taskId: string,
  work: (entries: readonly JournalEntry[], journal: Journal) => Promise<Value>,
): Promise<Value> {
  const journal = readJournal(place);
  try {
    const entries = journal?.entries(taskId) ?? [];
    if (journal === undefined || entries.length === 0)
      throw new Problem('no-task', `there is no task ${taskId} in this repository`, 'andon list', 1);
    return await work(entries, journal);
  } finally {
    journal?.close();
  }
}

/** Opens the repository, or undefined without these commits; only commits that the task's journal names are allowed. */
const withCommits = <Value>(
  place: Workspace,
  taskId: string,
  { from, to }: CommitPair,
  work: (repository: Services['repository'] | undefined) => Promise<Value>,
): Promise<Value> =>
  withEntries(place, taskId, async (entries) => {
    const known = new Set(
      entries.flatMap((entry) => {
        const change = entry.kind === 'moved' ? entry.facts.change : undefined;
        return change === undefined ? [] : [change.base, change.commit];
      }),
    );
    if (!known.has(from) || !known.has(to))
      throw createUsageError('the journal of this task names no such commits', `andon show ${taskId}`);
    const repository = await openForReading(place);
    return work((await holds(repository, [from, to])) ? repository : undefined);
  });

async function holds(repository: Services['repository'], commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) if ((await repository.resolve(commit)) === undefined) return false;
  return true;
}
