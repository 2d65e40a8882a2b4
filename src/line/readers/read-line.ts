import { toTerminalLine } from '../../base/plain-text.ts';
import { committedSettings } from '../services/configuration-in-use.ts';
import { readDecision, readDecisionTask } from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HANDOFF, type Status } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import { formatStartDelay } from '../../agents/budget/ceilings.ts';
import { computeNextTry } from '../core/compute-next-try.ts';
import type { LineFacts } from '../words/line-facts.ts';
import { viewTask } from '../words/view-task.ts';
import { viewActivity } from '../words/view-activity.ts';
import type { Services } from '../services/services.ts';
import type { Journal } from '../journal/journal.ts';
import { findActiveTask, getTaskStatus, listParkedTasks, openTasks } from '../journal/active-task.ts';
import { findFormerRepository, findLostEntries, findUnknownLock } from '../upkeep/lost-journal.ts';
import type { DecisionTasks } from '../halt-answers/interpret-decision.ts';
import { NO_JOURNAL, usingJournal } from '../journal/open-journal.ts';
import { readCurrentNight } from '../night/read-current-night.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { getStatesHome } from '../calls/open-ledger.ts';
import { askHolderOf, openHolder, openForReading } from '../../project/workspace/open-reader.ts';
import { describeHolderHost } from '../../project/locks/holder.ts';
import type { Settings } from '../../project/config/read-settings.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readReds } from '../upkeep/doctor-reds.ts';
import { explainStandstill } from './standstill.ts';

/** What the journal has lost. A loss is looked for again on the disk, since a running andon may have passed a copy of it. */
async function readLost(
  place: Workspace,
  journal: Journal | undefined,
  handoff: Services['handoff'],
  repository: Services['repository'],
): Promise<string | undefined> {
  const lost = await findLostEntries(handoff, journal, repository);
  return lost === undefined ? undefined : usingJournal(place, (now) => findLostEntries(handoff, now, repository));
}

/** Why each `DECISION.json` that is there has no effect now; null without any, and where a watchdog can take them. */
async function describeDecisions(
  handoff: Services['handoff'],
  journal: Journal,
  active: TaskRecord | undefined,
  isWatched: boolean,
): Promise<string | null> {
  const statusOf = (taskId: string): Status | undefined => getTaskStatus(journal, taskId);
  const tasks = { active, records: openTasks({ journal }), statusOf };
  const said = [await describeDecisionFile(handoff, FILES.decision, tasks, isWatched)];
  const parked = tasks.records.filter((record) => record.parked !== undefined);
  // A watchdog notes at the task itself why a file in its folder is refused.
  if (parked.length > 0 && !isWatched) {
    const { pathOfParked } = await import('../documents/parked-papers.ts');
    for (const record of parked) {
      const own = { owner: record.taskId, active: undefined, records: [record], statusOf };
      said.push(await describeDecisionFile(handoff, pathOfParked(record.taskId, FILES.decision), own, isWatched));
    }
  }
  return said.filter((one) => one !== null).join('. ') || null;
}

/** The same of one file, which may be about these tasks. */
async function describeDecisionFile(
  handoff: Services['handoff'],
  name: string,
  tasks: DecisionTasks,
  isWatched: boolean,
): Promise<string | null> {
  const shown = `${HANDOFF}/${name}`;
  const read = handoff.read(name);
  if (!read.ok) return `${shown} does not count: it ${read.why}`;
  if (read.value === undefined) return null;
  const file = readDecision(read.value);
  if (!file.ok) return `${shown} does not count: ${file.why.why}`;
  const task = readDecisionTask(file.value);
  if (!tasks.records.some(({ taskId }) => taskId === task)) {
    const where = name === FILES.decision ? 'on the line' : 'in this folder';
    return `${shown} has no effect now: no task ${toTerminalLine(task, 80)} is ${where}; correct its \`task_id\`, or remove the file`;
  }
  const { interpretDecision } = await import('../halt-answers/interpret-decision.ts');
  const meaning = interpretDecision(file.value, tasks);
  if (!meaning.ok) return `${shown} does not count: ${meaning.why}`;
  return isWatched ? null : `${shown} is there; andon watch reads it`;
}

/** Reads the line of a repository, with or without a running daemon. */
export async function readLine(place: Workspace, journal: Journal | undefined): Promise<LineFacts> {
  const { inboxRoot } = place;
  const holder = openHolder(place);
  const state = holder === undefined ? undefined : await askHolderOf(place);
  const known = { journal: journal ?? NO_JOURNAL };
  const active = findActiveTask(known);
  const repository = await openForReading(place);
  const handoff = createHandoff(inboxRoot);
  // Each asks git, so they are asked at the same time.
  const [settings, former, lost] = await Promise.all([
    committedSettings(place, repository),
    active === undefined ? undefined : findFormerRepository(repository, active),
    readLost(place, journal, handoff, repository),
  ]);
  const hasEdits = journal !== undefined && active?.halt !== undefined;
  const now = new Date().toISOString();
  const still = await explainStandstill(inboxRoot, {
    active,
    ...known,
    now,
    onOverlap: settings.onOverlap,
  });
  // A watchdog with another state folder has another ledger.
  const stopBefore = holder?.isReachable === true ? holder.stopBefore : undefined;
  const night = readCurrentNight(getStatesHome(place), [place.state], place.settings, now, { stopBefore });
  const parked = listParkedTasks(known);
  const hold = still.blocked === null ? explainClosed(night, active) : undefined;
  const line: Omit<LineFacts, 'activity'> = {
    watchdog:
      holder === undefined
        ? null
        : {
            pid: holder.pid,
            doing: holder.doing,
            waits: state?.waits ?? null,
            ...(state?.isSilent === true ? { silent: true } : {}),
            ...(holder.isReachable ? {} : { elsewhere: `pid ${holder.pid} ${describeHolderHost(holder)}`.trim() }),
          },
    task: active === undefined ? null : viewTask(active),
    parked: await parkedNow(parked, handoff, journal),
    next_try: nextTryOf(active, settings),
    judge_is_outside: settings.judgeIsOutside,
    ...still,
    decision: await describeDecisions(handoff, known.journal, active, holder !== undefined),
    night: night.facts,
    ...hold,
    edited: hasEdits ? await editsOf(active, handoff, journal) : null,
    former_repository: former ?? null,
    barred: handoff.barred() ?? null,
    journal_lost: lost ?? findUnknownLock(handoff, journal) ?? null,
    unwell: readReds(place),
  };
  return { ...line, activity: active === undefined ? null : viewActivity(active, line) };
}

/** What of hours, ceilings and a stopped night holds the line. */
function explainClosed(
  { stopped, closed }: ReturnType<typeof readCurrentNight>,
  active: TaskRecord | undefined,
): Pick<LineFacts, 'blocked' | 'closed'> | undefined {
  if (stopped !== undefined) return { blocked: stopped.reason, closed: { until: null, stopped_night: true } };
  // A task on the line says so itself: it waits, and goes on by itself.
  if (closed === undefined || active !== undefined) return undefined;
  return { blocked: formatStartDelay(closed), closed: { until: closed.until } };
}

/** The edited paper of a halt; the module is loaded only for a halt, to start faster. */
async function editsOf(
  active: TaskRecord,
  handoff: Services['handoff'],
  journal: Journal,
): Promise<LineFacts['edited']> {
  const { describeEdited } = await import('../documents/own-papers.ts');
  return describeEdited({ handoff, journal, digest: sha256 }, active) ?? null;
}

async function parkedNow(
  parked: readonly TaskRecord[],
  handoff: Services['handoff'],
  journal: Journal | undefined,
): Promise<LineFacts['parked']> {
  if (parked.length === 0 || journal === undefined) return [];
  const { parkedHandoff } = await import('../documents/parked-papers.ts');
  const views = parked.map(async (record) => ({
    task: viewTask(record),
    papers: `${HANDOFF}/${FILES.tasks}/${record.taskId}`,
    waits_for: record.halt === undefined ? ('the line' as const) : ('your answer' as const),
    edited: record.halt === undefined ? null : await editsOf(record, parkedHandoff(handoff, record.taskId), journal),
  }));
  return Promise.all(views);
}

function nextTryOf(active: TaskRecord | undefined, settings: Pick<Settings, 'hold'>): string | null {
  const next = active?.hold === undefined ? undefined : computeNextTry(active.hold, settings.hold);
  return next !== undefined && 'at' in next ? next.at : null;
}
