import { getKnownUse } from '../record/get-budget.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { toSentence } from '../../base/to-sentence.ts';
import { listBudgetUse } from '../digest/list-spending.ts';
import type { Need } from '../digest/digest.ts';
import { listNeeds } from '../digest/list-needs.ts';
import { toDigestLine, type TaskStory } from '../digest/repository-night.ts';
import { listGivenUp, listMerged } from '../digest/list-merged.ts';
import { describeNotBegun, listOngoing, listQueued } from '../digest/list-waits.ts';
import { getContractTitle } from '../words/commit-messages.ts';
import { formatModelName } from '../core/cost.ts';
import { isAtWork } from '../words/view-activity.ts';
import { summarizeHalt, type HaltSummary } from '../halts/halt-summary.ts';
import type { Activity, LineFacts, QueueView } from '../words/line-facts.ts';
import { GO_ON } from '../words/list-obstacles.ts';
import type { BoardLane, BoardRow, RepositorySnapshot, Usual, Work } from './board.ts';
import { findLineStation } from './line-station.ts';
import { STATION_WORDS } from './describe-row.ts';

/** A median of fewer calls is meaningless. */
const LEAST_CALLS = 3;

/** Every row of one repository, unordered. */
export function boardRows(looked: RepositorySnapshot, stories: readonly TaskStory[], now: string): readonly BoardRow[] {
  const { night, history } = looked;
  const { line } = night;
  const records = new Map(stories.map(({ taskId, record }) => [taskId, record]));
  const recordOf: FindRecord = (taskId) => records.get(taskId ?? '');
  const row = (own: OwnFacts): BoardRow => toRow(looked, recordOf(own.task_id), own);
  return [
    ...listNeeds(night, stories, now).map((need) => row(describeNeedRow(need, recordOf(need.task_id)))),
    ...listOngoing(line, stories, now).map(({ record, activity }) =>
      row(
        line !== undefined && isAtWork(activity) ? workingRow(record, activity, history) : waitingRow(record, activity),
      ),
    ),
    ...(line === undefined ? [] : listQueued(line).map((one) => row(queuedRow(one, line, recordOf)))),
    ...listMerged(night, stories).map(({ task_id: id, at, target, commit, undone_as: undone, undo, held }) =>
      row({
        kind: undone === null ? 'merged' : 'undone',
        task_id: id,
        phrase: describeEnd(recordOf(id), undone === null ? `Merged into ${target}` : 'Merged, and undone'),
        why: `as ${commit.slice(0, 12)}${held === false ? `; ${target} does not hold it any more` : ''}`,
        since: at,
        ways: undo === null ? [] : [{ title: 'Undo', does: 'Takes it out again.', command: undo }],
      }),
    ),
    ...listGivenUp(night, stories).map(({ task_id: id, at, why }) =>
      row({
        kind: 'abandoned',
        task_id: id,
        phrase: describeEnd(recordOf(id), 'Given up'),
        why,
        since: at,
        ways: [{ title: 'Again', does: 'Drops its contract again.', command: `andon resume ${id} --again` }],
      }),
    ),
  ];
}

type FindRecord = (taskId: string | null) => TaskRecord | undefined;

type OwnFacts = Pick<BoardRow, 'kind' | 'task_id' | 'phrase'> & Partial<BoardRow>;

const LANES: Readonly<Partial<Record<BoardRow['kind'], BoardLane>>> = {
  working: 'working',
  waits: 'waiting',
  queued: 'waiting',
  merged: 'ended',
  undone: 'ended',
  abandoned: 'ended',
};

function toRow(
  { id, night, at, unknown }: RepositorySnapshot,
  record: TaskRecord | undefined,
  own: OwnFacts,
): BoardRow {
  const { kind, task_id: task, halt_id: halt, file } = own;
  return {
    key: [id, kind, task ?? '', halt ?? file ?? own.title ?? ''].join(' '),
    lane: LANES[kind] ?? 'needs_you',
    repository: id,
    name: toDigestLine(night.name, 80),
    root: night.root,
    wanted: record === undefined ? null : toDigestLine(record.contract.specification.requirements[0] ?? '', 160),
    title:
      record === undefined
        ? (task ?? file?.replace(/^.*\//, '') ?? own.phrase)
        : toDigestLine(getContractTitle(record.contract), 160),
    why: '',
    since: null,
    as_of: at,
    unknown: unknown === undefined ? null : toTerminalLine(unknown),
    halt_id: null,
    halt: null,
    ways: [],
    paths: [],
    work: null,
    attempt: record?.attempt ?? null,
    budget: record === undefined ? [] : listBudgetUse(record),
    cost_usd: record === undefined ? null : getKnownUse(record).usd,
    file: null,
    place: null,
    blocked_by: [],
    held_by: null,
    station: record === undefined || kind === 'undone' ? null : findLineStation(record, kind === 'working'),
    ...own,
  };
}

function describeNeedRow(need: Need, record: TaskRecord | undefined): OwnFacts {
  const { kind, task_id, why, since, halt_id, ways } = need;
  const commands = ways.map(({ command }) => command);
  const heldBy = commands.includes(GO_ON.stop) ? 'stop' : commands.includes(GO_ON.pause) ? 'pause' : null;
  const own = { kind, task_id, why, since, halt_id, ways, held_by: heldBy } as const;
  if (halt_id === null || record?.halt === undefined) return { ...own, ...describeNeed(need) };
  const { paths, ...halt } = onOneLine(summarizeHalt(record, record.halt));
  return { ...own, phrase: halt.phrase, halt, paths };
}

function describeNeed({ kind, what, why, task_id: task }: Need): Pick<BoardRow, 'phrase'> & Partial<BoardRow> {
  if (task !== null) return { phrase: toSentence(what) };
  if (kind === 'decision') return { title: 'Proposed tasks', phrase: toSentence(why.replace(/[:;].*$/s, '')) };
  if (kind !== 'refused') return { title: toSentence(what), phrase: toSentence(why) };
  const file = what.replace(/ is refused$/, '');
  return {
    file,
    title: `Contract ${file.replace(/^.*\//, '')}`,
    phrase: `Refused: ${why.replace(/, the first at .*$/s, '')}`,
  };
}

const onOneLine = (summary: HaltSummary): HaltSummary => ({
  ...summary,
  question: toDigestLine(summary.question, 300),
  suggestion: summary.suggestion && { ...summary.suggestion, why: toDigestLine(summary.suggestion.why) },
  cause: summary.cause === null ? null : toDigestLine(summary.cause, 400),
  paths: summary.paths.map((path) => ({
    ...path,
    title: toDigestLine(path.title),
    does: toDigestLine(path.does, 600),
  })),
});

function workingRow(record: TaskRecord, { phrase, why, since }: Activity, history: readonly Usual[]): OwnFacts {
  const { taskId, openCall, statusReason } = record;
  return {
    kind: 'working',
    task_id: taskId,
    phrase: openCall === undefined ? toSentence(phrase) : STATION_WORDS[openCall.station],
    why: toSentence(toDigestLine(openCall === undefined ? why : statusReason)),
    since,
    work: workOf(record, history),
  };
}

function waitingRow({ taskId }: TaskRecord, { is, phrase, why, since, command }: Activity): OwnFacts {
  const does = is === 'outside' ? 'It judges the change.' : 'It is tried at once.';
  const ways = command === null ? [] : [{ title: 'Now', does, command }];
  const [first, more] = [phrase, why].map((text) => toSentence(toDigestLine(text, 400)));
  return { kind: 'waits', task_id: taskId, phrase: first ?? '', why: more ?? '', since, ways };
}

function queuedRow(one: QueueView, line: LineFacts, recordOf: FindRecord): OwnFacts {
  const isBlocked = one.waits_for === 'another task' || one.waits_for === 'a parked task';
  return {
    kind: 'queued',
    task_id: one.task_id,
    ...(one.title === undefined ? {} : { title: toDigestLine(one.title, 160) }),
    phrase: toSentence(toDigestLine(describeQueued(one, line, recordOf))),
    file: toDigestLine(one.file, 160),
    place: line.queue.indexOf(one) + 1,
    blocked_by: isBlocked ? [...new Set(one.tasks)] : [],
  };
}

/** The most blockers that a row names, and the longest title of one. */
const [MOST_BLOCKERS, LONGEST_TITLE] = [3, 60];

/** Why a contract has not begun; tasks that it waits for are named with their titles. */
function describeQueued(one: QueueView, line: LineFacts, recordOf: FindRecord): string {
  const { waits_for: what, tasks, not_before: time, why } = one;
  const general = describeNotBegun(line, one);
  if (general !== why) return general;
  if (what === 'a time') return `starts at ${time ?? 'its time'}`;
  if (what !== 'another task' && what !== 'a parked task') return why;
  const nameBlocker = (id: string): string => {
    const record = recordOf(id);
    const title =
      record === undefined
        ? line.queue.find(({ task_id: other }) => other === id)?.title
        : getContractTitle(record.contract);
    return title === undefined ? id : `${id} (${toDigestLine(title, LONGEST_TITLE)})`;
  };
  return `blocked by ${[...new Set(tasks)].slice(0, MOST_BLOCKERS).map(nameBlocker).join(', ')}`;
}

function workOf({ openCall }: TaskRecord, history: readonly Usual[]): Work | null {
  if (openCall === undefined) return null;
  const took = history
    .filter(({ station, model }) => station === openCall.station && model === openCall.model)
    .map(({ ms }) => ms)
    .toSorted((one, two) => one - two);
  return {
    station: openCall.station,
    model: toDigestLine(formatModelName(openCall), 80),
    since: openCall.at,
    usually_ms: took.length < LEAST_CALLS ? null : (took[Math.floor(took.length / 2)] ?? null),
  };
}

/** A finished task: where it went, and its size. */
function describeEnd(record: TaskRecord | undefined, what: string): string {
  const { change, attempt } = record ?? {};
  const parts = [
    what,
    ...(change === undefined ? [] : [`+${change.added} −${change.deleted}`]),
    ...(attempt === undefined || attempt < 2 ? [] : [`attempt ${attempt}`]),
  ];
  return parts.join(' · ');
}
