import { basename } from 'node:path';
import { type StepTimes } from '../core/past-calls.ts';
import { estimateStepMinutes } from '../core/step-minutes.ts';
import { getBudget } from '../record/get-budget.ts';
import { openRecord } from '../core/fold-journal.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { explainNotNow } from '../../agents/budget/night-facts.ts';
import { planNight, type NightRequest, type NightPlan, type PlannedTask } from '../../agents/budget/night-plan.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { readCurrentNight } from '../night/read-current-night.ts';
import { NO_JOURNAL, readJournal } from '../journal/open-journal.ts';
import { getStatesHome } from '../calls/open-ledger.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readPastTimes } from '../night/past-tasks.ts';
import { findActiveTask, openTasks } from '../journal/active-task.ts';
import { explainStandstill } from './standstill.ts';

/** Plans the tasks of these repositories, their order and their upper bounds; changes nothing. */
export async function planNightRun(places: readonly Workspace[], request: NightRequest): Promise<NightPlan> {
  const [first] = places;
  const limits =
    first === undefined
      ? null
      : readCurrentNight(
          getStatesHome(first),
          places.map(({ state }) => state),
          first.settings,
          request.from,
        ).facts;
  const plans = await Promise.all(places.map((place) => planRepository(place, request)));
  return planNight(
    plans.flatMap(({ tasks }) => tasks),
    request,
    limits,
    plans.flatMap(({ proposals }) => proposals),
  );
}

async function planRepository(
  place: Workspace,
  { from, until }: Pick<NightRequest, 'from' | 'until'>,
): Promise<Pick<NightPlan, 'tasks' | 'proposals'>> {
  const journal = readJournal(place);
  try {
    const known = { journal: journal ?? NO_JOURNAL };
    const active = findActiveTask(known);
    const still = await explainStandstill(place.inboxRoot, {
      active,
      ...known,
      now: from,
      onOverlap: place.settings.onOverlap,
    });
    const why = still.blocked ?? explainHalt(active);
    const blocked = why === undefined ? null : `${basename(place.facts.root)}: ${why}`;
    const times = readPastTimes(journal);
    const tasks = [
      ...openTasks(known).map((record) =>
        planned(place, record, { from, until, blocked, times }, record.halt === undefined ? 'under way' : 'halted'),
      ),
      ...still.queue.map(({ file, task_id, waits_for, why }): PlannedTask => {
        const task = contractIn(place, file);
        const state = waits_for === 'a correction' || task === undefined ? 'refused' : 'waits';
        if (task === undefined) return { ...NOTHING_KNOWN, repository: place.facts.root, task_id, file, state, why };
        return { ...planned(place, task, { from, until, blocked, times }, state), file, why };
      }),
    ];
    const { proposal, proposal_approved: isApproved = false, proposal_blocked: isBlocked = false } = still;
    const begins = isApproved && !isBlocked && blocked === null;
    return {
      tasks,
      proposals: proposal === null ? [] : [{ repository: place.facts.root, why: proposal, begins }],
    };
  } finally {
    journal?.close();
  }
}

const explainHalt = (active: TaskRecord | undefined): string | undefined =>
  active?.halt && `${active.taskId} is halted, and everything behind it waits for your answer`;

const NOTHING_KNOWN = {
  usd: null,
  tokens: null,
  minutes: null,
  step_minutes: null,
  begins_by: null,
  hours: null,
  blocked: null,
} as const;

function planned(
  place: Workspace,
  record: TaskRecord,
  {
    from,
    until,
    blocked,
    times,
  }: Pick<NightRequest, 'from' | 'until'> & { readonly blocked: string | null; readonly times: StepTimes },
  state: PlannedTask['state'],
): PlannedTask {
  const { usd, tokens, minutes } = getBudget(record);
  const { spent } = record;
  const left = (budget: number | undefined, used: number): number | null =>
    budget === undefined ? null : Math.max(0, Math.round((budget - used) * 1e6) / 1e6);
  const step = state === 'halted' ? undefined : estimateStepMinutes(record, place.settings, times);
  const wait =
    step === undefined ? undefined : explainNotNow({ hours: place.settings.hours, night: undefined }, from, step);
  return {
    repository: place.facts.root,
    task_id: record.taskId,
    file: null,
    state,
    why: null,
    usd: left(usd, spent.usd),
    tokens: left(tokens, spent.tokens),
    minutes: left(minutes, spent.minutes),
    step_minutes: step ?? null,
    begins_by: step === undefined ? null : new Date(Date.parse(until) - step * 60_000).toISOString(),
    hours: wait === undefined ? null : { reason: wait.reason, until: wait.until },
    blocked,
  };
}

/** The first record of a waiting contract; undefined where it is invalid. */
function contractIn({ inboxRoot }: Workspace, file: string): TaskRecord | undefined {
  const read = createHandoff(inboxRoot).read(file.slice(file.indexOf('/') + 1));
  const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
  if (parsed?.ok !== true) return undefined;
  const { contract, document } = parsed.value;
  const at = new Date(0).toISOString();
  const entry = { kind: 'admitted', at, contract, document, digest: '', target: '', base: '', notices: [] } as const;
  return openRecord({ ...entry, notices: [] }, undefined);
}
