import { explain } from '../../line/explain.ts';
import { gatherReport, type TaskReport } from '../../line/documents/task-report/facts.ts';
import { reportFacts } from '../../line/documents/task-report/facts-json.ts';
import { renderReportPage } from '../../line/documents/task-report/page.ts';
import { timeline } from '../../line/documents/task-report/timeline.ts';
import { formatModelName } from '../../line/cost.ts';
import { foldJournal } from '../../line/record.ts';
import { formatEntry } from '../../line/story.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import type { Repository } from '../../ports/repository.ts';
import type { TextPiece } from '../../ports/work-folders.ts';
import { TASK_ID } from '../../base/names.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { readJournal, type Journal } from '../../wiring/open-journal.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { openKept, openForReading } from '../../wiring/open-reader.ts';
import type { CallResponse, ChangeResponse, PatchResponse, TaskResponse } from './api-types.ts';

/** Maximum listed files of a change, */
const MOST_FILES = 500;
/** shown bytes of one file's patch, */
const MOST_OF_FILE = 256_000;
/** and shown bytes of a prompt or an answer at a time. */
const PIECE = 100_000;

/** Everything of one task. */
export function readTask(place: Workspace, id: string, taskId: string): Promise<TaskResponse> {
  return withEntries(place, taskId, async (entries, journal) => {
    const report = await reportOf(place, entries, journal, undefined);
    return {
      task_id: taskId,
      repository: id,
      root: place.facts.root,
      report: reportFacts(report),
      picture: timeline(report),
      contract: JSON.stringify(report.record.document, null, 2),
      calls: entries.flatMap(callIn),
      story: entries.flatMap((entry) => {
        const text = formatEntry(entry);
        return text === undefined ? [] : [{ at: entry.at, text }];
      }),
      breakers: (explain(entries).at(-1)?.answers ?? []).map(({ breaker, question, trips }) => {
        return { id: breaker, question, answer: trips ?? 'no' };
      }),
    };
  });
}

function callIn(entry: JournalEntry): readonly CallResponse[] {
  if (entry.kind !== 'called') return [];
  const { call, station, ok, why = null, ms, usd, tokensIn, tokensOut } = entry;
  const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
  return [{ call, station, model: formatModelName(entry), ok, why, ms, usd, tokens }];
}

/** The whole report as a page of its own, with a way back to the page of the task. */
export const reportPage = (place: Workspace, taskId: string, back: string): Promise<string> =>
  withEntries(place, taskId, async (entries, journal) => {
    const { change } = foldJournal(entries) ?? {};
    const repository = await openForReading(place);
    const isThere = change !== undefined && (await holds(repository, [change.base, change.commit]));
    const patch = isThere ? await repository.patch(change.base, change.commit) : undefined;
    return renderReportPage(await reportOf(place, entries, journal, patch), back);
  });

/** Two commits of a task. */
export interface CommitPair {
  readonly from: string;
  readonly to: string;
}

/** The files that differ between two commits of a task, counted by git. */
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

/** A piece of what was sent to an agent, or of what it answered. */
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
  work: (repository: Repository | undefined) => Promise<Value>,
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

async function holds(repository: Repository, commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) if ((await repository.resolve(commit)) === undefined) return false;
  return true;
}

async function reportOf(
  place: Workspace,
  entries: readonly JournalEntry[],
  journal: Journal,
  patch: string | undefined,
): Promise<TaskReport> {
  const record = foldJournal(entries);
  if (record === undefined) throw new Problem('no-task', 'this task was never admitted', 'andon list', 1);
  const refs = await (await openForReading(place)).refsUnder(`refs/andon/${record.taskId}/`);
  return gatherReport(record, entries, {
    now: new Date().toISOString(),
    patch,
    refs: new Map(refs.filter(({ ref }) => /\/\d+(?:\.\d+)?$/.test(ref)).map(({ ref, commit }) => [commit, ref])),
    isChainWhole: journal.verify() === undefined,
  });
}
