import { LINE_STATIONS, LINE_STATION_NAMES, type LineStation } from '../line/board/line-station.ts';
import type { BoardRow } from '../line/board/board.ts';
import type { TaskResponse } from '../app/web/api-types.ts';
import { millisecondsBetween } from '../line/reports/task-report/format-figures.ts';
import { allRows, now } from './live.ts';
import { hrefOf, isShown, toGroup } from './selection.ts';

/** Chips of one station; more are counted. */
const MOST_CHIPS = 2;
/** A merged task stays on the drawing for this long. */
const MERGED_MS = 24 * 3_600_000;

/** The line with the tasks on it: the stations in order, and a chip for each task, which leads to it. */
export function LineDrawing() {
  const rows = allRows.value.filter(
    (row) =>
      isShown(row) &&
      !(row.lane === 'ended' && (row.since === null || millisecondsBetween(row.since, now.value) > MERGED_MS)),
  );
  return (
    <ol class="line" aria-label="The line">
      {LINE_STATIONS.map((station) => (
        <Station key={station} station={station} rows={rows.filter((row) => row.station === station)} />
      ))}
    </ol>
  );
}

type Report = TaskResponse['report'];

/** Where one task is on the line: the stations behind it, its own, and those before it; one that did not run is skipped. */
export function TaskSteps(props: {
  readonly station: LineStation;
  readonly isWorking: boolean;
  readonly report: Report;
}) {
  const reached = LINE_STATIONS.indexOf(props.station);
  const done = listDone(props.report);
  return (
    <ol class="line steps" aria-label="Steps">
      {LINE_STATIONS.map((one, at) => {
        const isSkipped = at < reached && !done.has(one);
        return (
          <li
            key={one}
            class={`station${at > reached || isSkipped ? ' idle' : ''}${at === reached && props.isWorking ? ' works' : ''}`}
            aria-current={at === reached ? 'step' : undefined}
          >
            <span class="name">
              {LINE_STATION_NAMES[one]}
              {isSkipped ? <small> skipped</small> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The stations that have worked on a task. */
function listDone({ timeline, rounds, attempts }: Report): ReadonlySet<LineStation> {
  const worked = new Set<string>([
    ...timeline.flatMap(({ lane, kind }) => (kind === 'work' ? lane : [])),
    ...rounds.map(({ by }) => by),
  ]);
  const done: Readonly<Record<LineStation, boolean>> = {
    writing: worked.has('implementer'),
    gates: attempts.some(({ gates }) => gates.length > 0),
    review: worked.has('local-reviewer'),
    judge: worked.has('judge'),
    // Fixed rules decide without a call.
    decision:
      worked.has('floor-manager') ||
      worked.has('human') ||
      rounds.some(({ by, verdict }) => by === 'judge' && verdict !== 'PASS'),
    merged: true,
  };
  return new Set(LINE_STATIONS.filter((station) => done[station]));
}

function Station({ station, rows }: { readonly station: LineStation; readonly rows: readonly BoardRow[] }) {
  const more = rows.length - MOST_CHIPS;
  return (
    <li class={rows.length === 0 ? 'station idle' : 'station'}>
      <span class="name">
        {LINE_STATION_NAMES[station]}
        {station === 'merged' ? <span class="soft"> in 24 h</span> : null}
      </span>
      {rows.slice(0, MOST_CHIPS).map((row) => (
        <a
          key={row.key}
          class={`chip ${toTone(row)}`}
          href={hrefOf(toGroup(row))}
          title={`${row.title}: ${row.phrase}`}
          aria-label={`${row.task_id ?? ''}, ${row.title}: ${row.phrase}`}
        >
          {row.task_id}
        </a>
      ))}
      {more > 0 ? (
        <a class="soft" href="/tasks" aria-label={`${more} more at this station`}>
          +{more}
        </a>
      ) : null}
    </li>
  );
}

function toTone({ lane }: BoardRow): string {
  if (lane === 'needs_you') return 'bad';
  if (lane === 'working') return 'work';
  return lane === 'ended' ? 'good' : 'wait';
}
