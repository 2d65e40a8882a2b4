import type { LineRecord } from '../../record/line-record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { toSentence } from '../../base/to-sentence.ts';
import { listTaskCeilings } from '../digest/spent.ts';
import type { Need, WaitingItem } from '../digest/digest.ts';
import { listNeeds } from '../digest/needs.ts';
import { toDigestLine, type TaskStory } from '../digest/repository-night.ts';
import { listGivenUp, listMerged } from '../digest/results.ts';
import { listOngoing, type OngoingItem } from '../digest/waits.ts';
import { getContractTitle } from '../commit-messages.ts';
import { formatModelName } from '../cost.ts';
import { summarizeHalt, type HaltSummary } from '../halt-summary.ts';
import type { BoardRow, BoardLane, RowKind, Work } from './board.ts';
import type { RepositorySnapshot, Usual } from './repository-snapshot.ts';
import { describeEnd, describeNeed, describeQueuedRow, describeRowWait, describeWork } from './row-words.ts';

/** A median of fewer calls is meaningless. */
const LEAST_CALLS = 3;

/** Every row of one repository, unordered. */
export function boardRows(looked: RepositorySnapshot, stories: readonly TaskStory[], now: string): readonly BoardRow[] {
  const { night } = looked;
  const recordOf = (taskId: string | null): LineRecord | undefined =>
    stories.find((story) => story.taskId === taskId)?.record;
  const row = (lane: BoardLane, kind: RowKind, taskId: string | null, more: Partial<BoardRow>): BoardRow =>
    aRow(looked, recordOf(taskId), { lane, kind, task_id: taskId, ...more });
  return [
    ...listNeeds(night, stories, now).map((need) =>
      row('needs_you', need.kind, need.task_id, ofNeed(need, recordOf(need.task_id))),
    ),
    ...listOngoing(night, stories, now).map((one) => ofGoing(one, looked, recordOf(one.wait.task_id), row)),
    ...listMerged(night, stories).map(({ task_id: id, at, target, commit, undone_as: undone, undo, held }) =>
      row('ended', undone === null ? 'merged' : 'undone', id, {
        what: undone === null ? `merged into ${target}` : `merged into ${target}, and undone`,
        phrase: describeEnd(recordOf(id), undone === null ? `merged into ${target}` : 'merged, and undone'),
        why: `as ${commit.slice(0, 12)}${held === false ? `; ${target} does not hold it any more` : ''}`,
        since: at,
        ways: undo === null ? [] : [{ title: 'Undo', does: 'Takes it out again.', command: undo }],
      }),
    ),
    ...listGivenUp(night, stories).map(({ task_id: id, at, why }) =>
      row('ended', 'abandoned', id, {
        what: 'given up',
        phrase: describeEnd(recordOf(id), 'given up'),
        why,
        since: at,
        ways:
          id === null
            ? []
            : [{ title: 'Again', does: 'Drops its contract again.', command: `andon resume ${id} --again` }],
      }),
    ),
  ];
}

function ofNeed(need: Need & { readonly file?: string }, record: LineRecord | undefined): Partial<BoardRow> {
  const { what, why, since, halt_id: haltId, ways, file } = need;
  const common = { what, why, since, halt_id: haltId, ways, file: file ?? null };
  if (haltId === null || record?.halt === undefined) return { ...common, ...describeNeed(need) };
  const { paths, ...halt } = onOneLine(summarizeHalt(record, record.halt));
  return { ...common, phrase: halt.phrase, halt, paths };
}

/** A summary of a halt, its external texts each on one line and without secrets. */
function onOneLine(summary: HaltSummary): HaltSummary {
  const { suggestion } = summary;
  return {
    ...summary,
    question: toDigestLine(summary.question, 300),
    suggestion: suggestion && { ...suggestion, why: toDigestLine(suggestion.why) },
    cause: summary.cause === null ? null : toDigestLine(summary.cause, 400),
    paths: summary.paths.map((path) => ({
      ...path,
      title: toDigestLine(path.title),
      does: toDigestLine(path.does, 600),
    })),
  };
}

function ofGoing(
  { isWorking, wait }: OngoingItem,
  { night, history }: RepositorySnapshot,
  record: LineRecord | undefined,
  row: (lane: BoardLane, kind: RowKind, taskId: string | null, more: Partial<BoardRow>) => BoardRow,
): BoardRow {
  const { task_id: taskId, since, file, command } = wait;
  const ways = command === null ? [] : [{ title: 'Now', does: 'It is tried at once.', command }];
  if (isWorking && record !== undefined)
    return row('working', 'working', taskId, {
      what: record.openCall === undefined ? `at ${record.status}` : `the ${record.openCall.station} works`,
      phrase: describeWork(record),
      why: toDigestLine(record.statusReason),
      since,
      work: workOf(record, history),
    });
  if (record === undefined) return queued(wait, night.line, row);
  return row('waiting', 'waits', taskId, {
    what: `waits for ${wait.for}`,
    phrase: describeRowWait(wait),
    since,
    file,
    ways,
  });
}

function queued(
  wait: WaitingItem,
  line: RepositorySnapshot['night']['line'],
  row: (lane: BoardLane, kind: RowKind, taskId: string | null, more: Partial<BoardRow>) => BoardRow,
): BoardRow {
  const queue = line?.queue ?? [];
  const at = queue.findIndex(({ file }) => toDigestLine(file, 160) === wait.file);
  const own = queue[at];
  const taskId = own?.task_id ?? null;
  return row('waiting', 'queued', taskId, {
    ...(own?.title === undefined ? {} : { title: toDigestLine(own.title, 160) }),
    what: `waits for ${wait.for}`,
    phrase: describeQueuedRow(wait, own, line),
    since: null,
    file: wait.file,
    place: at === -1 ? null : at + 1,
  });
}

function workOf({ openCall }: LineRecord, history: readonly Usual[]): Work | null {
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

function aRow(
  { id, night, at, unknown }: RepositorySnapshot,
  record: LineRecord | undefined,
  own: Pick<BoardRow, 'lane' | 'kind' | 'task_id'> & Partial<BoardRow>,
): BoardRow {
  return {
    key: [id, own.kind, own.task_id ?? '', own.halt_id ?? own.file ?? own.what ?? ''].join(' '),
    repository: id,
    name: toDigestLine(night.name, 80),
    root: night.root,
    wanted: record === undefined ? null : toDigestLine(record.contract.specification.requirements[0] ?? '', 160),
    title: titleOf(record, own),
    what: '',
    phrase: '',
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
    ceilings: record === undefined ? [] : listTaskCeilings(record),
    file: null,
    place: null,
    ...own,
  };
}

function titleOf(record: LineRecord | undefined, { task_id: id, file, what }: Partial<BoardRow>): string {
  if (record !== undefined) return toDigestLine(getContractTitle(record.contract), 160);
  return id ?? file?.replace(/^.*\//, '') ?? toSentence(what ?? '');
}
