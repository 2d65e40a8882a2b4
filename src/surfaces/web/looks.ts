import { agentStats } from '../../line/agent-stats.ts';
import { costOf } from '../../line/cost.ts';
import { explain } from '../../line/explain.ts';
import { gatherReport } from '../../line/documents/task-report/facts.ts';
import type { TaskReport } from '../../line/documents/task-report/facts.ts';
import { reportFacts } from '../../line/documents/task-report/facts-json.ts';
import { renderPage } from '../../line/documents/task-report/page.ts';
import { modelName } from '../../line/model-name.ts';
import { foldJournal } from '../../line/record.ts';
import { tell } from '../../line/story.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import { TASK_ID } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { readJournal } from '../../daemon/wiring/open-journal.ts';
import type { Journal } from '../../daemon/wiring/open-journal.ts';
import type { Place } from '../../daemon/wiring/open-place.ts';
import { keptCall, openForReading } from '../../daemon/wiring/open-reader.ts';
import { readProjectRulebook } from '../../inspection/rulebook/rulebook.ts';
import { ruleStats } from '../../inspection/rule-stats.ts';
import { readSuppressions } from '../../inspection/suppressions.ts';
import { splitPatch } from './patches.ts';
import type { CostsTold, DiffTold, FilePatch, Piece, ReportFacts, RulesTold, TaskTold } from './told.ts';

/** So many files of a change are listed, */
const MOST_FILES = 500;
/** so many characters of one file are shown, */
const MOST_OF_FILE = 250_000;
/** and so many of a prompt or an answer at a time. */
const PIECE = 100_000;

/** Everything of one task. */
export function taskTold(place: Place, id: string, taskId: string): Promise<TaskTold> {
  return withEntries(place, taskId, async (entries, journal) => {
    const report = await reportOf(place, entries, journal, undefined);
    const { record } = report;
    return {
      task_id: taskId,
      repository: id,
      root: place.facts.root,
      is_whole: report.isChainWhole,
      report: reportFacts(report) as unknown as ReportFacts,
      contract: JSON.stringify(record.document, null, 2),
      calls: entries.flatMap((entry) => {
        if (entry.kind !== 'called') return [];
        const { call, station, ok, why = null, ms, usd, tokensIn, tokensOut } = entry;
        const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
        return [{ call, station, model: modelName(entry), ok, why, ms, usd, tokens }];
      }),
      story: entries.flatMap((entry) => {
        const text = tell(entry);
        return text === undefined ? [] : [{ at: entry.at, text }];
      }),
      breakers: (explain(entries).at(-1)?.answers ?? []).map(({ breaker, question, trips }) => {
        return { id: breaker, question, answer: trips ?? 'no' };
      }),
    };
  });
}

/** The whole report as a page of its own. */
export const reportPage = (place: Place, taskId: string): Promise<string> =>
  withEntries(place, taskId, async (entries, journal) => {
    const { change } = foldJournal(entries) ?? {};
    const patch = change === undefined ? undefined : await patchOf(place, change.base, change.commit);
    return renderPage(await reportOf(place, entries, journal, patch));
  });

/** The files of what lies between two commits of a task; with `file` the text of that one. Only commits that its journal names are looked at. */
export function diffTold(
  place: Place,
  taskId: string,
  { from, to, file }: { readonly from: string; readonly to: string; readonly file: number | undefined },
): Promise<DiffTold> {
  return withEntries(place, taskId, async (entries) => {
    const known = new Set(
      entries.flatMap((entry) => {
        const change = entry.kind === 'moved' ? entry.facts.change : undefined;
        return change === undefined ? [] : [change.base, change.commit];
      }),
    );
    if (!known.has(from) || !known.has(to))
      throw new Problem('bad-argument', 'the journal of this task names no such commits', `andon show ${taskId}`);
    const patch = await patchOf(place, from, to);
    if (patch === undefined)
      throw new Problem('no-task', 'the commits are not in this repository (any more)', `andon show ${taskId}`, 1);
    const files: readonly FilePatch[] = splitPatch(patch);
    const text = file === undefined ? undefined : files[file]?.text;
    return {
      files: files.slice(0, MOST_FILES).map(({ name, added, deleted }) => ({ name, added, deleted })),
      hidden: Math.max(0, files.length - MOST_FILES),
      text: text?.slice(0, MOST_OF_FILE) ?? null,
      cut: Math.max(0, (text?.length ?? 0) - MOST_OF_FILE),
    };
  });
}

/** A piece of what was sent to an agent, or of what it answered. */
export function callTold(
  place: Place,
  taskId: string,
  { call, what, from }: { readonly call: number; readonly what: 'prompt' | 'answer'; readonly from: number },
): Piece {
  if (!Number.isInteger(call) || call < 0 || !TASK_ID.test(taskId))
    throw new Problem('bad-argument', 'a call is named by its task and its number', 'go to /');
  const text = keptCall(place, taskId, call, what);
  if (text === undefined)
    throw new Problem(
      'no-task',
      `there is no ${what} of call ${call} of ${taskId} (any more)`,
      `andon show ${taskId}`,
      1,
    );
  return { text: text.slice(from, from + PIECE), from, total: text.length };
}

/** The rules of a repository, what came of them, and its waivers. */
export async function rulesTold(place: Place, today: string): Promise<RulesTold> {
  const { root } = place.facts;
  const book = await readProjectRulebook(root);
  const stats = new Map((ruleStats(place)?.rules ?? []).map((one) => [one.rule, one]));
  const { waivers, faults } = readSuppressions(root);
  return {
    rules: book.rules.map(({ rule }) => {
      const found = stats.get(rule.id);
      return {
        id: rule.id,
        title: rule.title,
        severity: rule.severity,
        hard: rule.is_hard_constraint,
        violations: found?.violations ?? 0,
        waived: found?.waived ?? 0,
        marked_false: found?.markedFalse ?? 0,
        last: found === undefined || found.last === '' ? null : found.last,
      };
    }),
    waivers: waivers.map(({ rule, reason, owner, expires, path = null }) => {
      return { rule, reason, owner, expires, path, is_over: expires < today };
    }),
    faults: [
      ...book.faults.map(({ path, message }) => `${path}: ${message}`),
      ...faults.map(({ where, what }) => `${where}: ${what}`),
    ],
  };
}

/** What the tasks of some repositories used, and what became of the work of each agent. */
export function costsTold(places: readonly { readonly id: string; readonly state: string }[]): CostsTold {
  const all = places.flatMap(({ id, state }) => {
    const journal = readJournal({ state });
    try {
      const tasks = (journal?.taskIds() ?? []).map((taskId) => ({ taskId, entries: journal?.entries(taskId) ?? [] }));
      return [{ id, tasks }];
    } finally {
      journal?.close();
    }
  });
  const used = ({ calls, usd, tokensIn, tokensOut, minutes, unknown }: ReturnType<typeof costOf>['total']) => {
    return { calls, usd, tokens: tokensIn + tokensOut, minutes, unknown };
  };
  return {
    tasks: all.flatMap(({ id, tasks }) =>
      tasks.flatMap(({ taskId, entries }) => {
        const { total } = costOf(entries);
        const day = (entries.at(-1)?.at ?? '').slice(0, 10);
        return total.calls === 0 ? [] : [{ repository: id, task_id: taskId, day, ...used(total) }];
      }),
    ),
    agents: all.flatMap(({ id, tasks }) =>
      agentStats(tasks.map(({ entries }) => entries)).map((one) => ({
        repository: id,
        station: one.station,
        model: one.model === '' ? one.agent : one.model,
        tasks: one.tasks,
        changes: one.changes,
        gate_red: one.gateRed,
        merged: one.merged,
        findings: one.findings,
        findings_held: one.findingsHeld,
        findings_refuted: one.findingsRefuted,
        ...used(one.cost),
      })),
    ),
  };
}

async function withEntries<Value>(
  place: Place,
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

async function reportOf(
  place: Place,
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

async function patchOf(place: Place, from: string, to: string): Promise<string | undefined> {
  const repository = await openForReading(place);
  for (const commit of [from, to]) if ((await repository.resolve(commit)) === undefined) return undefined;
  return repository.patch(from, to);
}
