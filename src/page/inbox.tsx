import { BOARD_LANE_NAMES } from '../line/board/text.ts';
import { BOARD_LANES, type BoardRow, type BoardLane } from '../line/board/board.ts';
import { formatBoardCeiling, estimateEnd } from '../line/board/words.ts';
import { board, now } from './live.ts';
import { LiveLine } from './live-output.tsx';
import { Age, CommandHint } from './parts.tsx';
import { currentRoute, toHalt, toTask } from './current-route.ts';

/** Everything by who must act: the inbox first. */
export function Inbox() {
  const told = board.value;
  if (told === undefined) return <p class="soft">One moment.</p>;
  const only = currentRoute.value.asked.get('repository');
  const rowsIn = (lane: BoardLane): readonly BoardRow[] =>
    told.lanes[lane].filter((row) => only === null || row.repository === only);
  return (
    <>
      <h1>
        {rowsIn('needs_you').length === 0
          ? 'Nothing needs you'
          : `${rowsIn('needs_you').length} need${rowsIn('needs_you').length === 1 ? 's' : ''} you`}
      </h1>
      <div class="lanes">
        {BOARD_LANES.map((lane) => (
          <section key={lane} class={lane === 'needs_you' ? 'first' : 'side'} aria-labelledby={lane}>
            <h2 id={lane}>
              {BOARD_LANE_NAMES[lane]} ({rowsIn(lane).length})
            </h2>
            {rowsIn(lane).length === 0 ? <p class="soft">Nothing.</p> : null}
            <ul class="rows">
              {rowsIn(lane).map((row) => (
                <Row key={row.key} row={row} several={told.repositories.length > 1} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {told.not_known.length === 0 ? null : (
        <section aria-labelledby="not-known">
          <h2 id="not-known">Missing data ({told.not_known.length})</h2>
          <ul>
            {told.not_known.map(({ what, remedy }) => (
              <li key={what}>
                {what}
                {remedy === null ? '' : `; ${remedy}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="repositories">
        <h2 id="repositories">Repositories ({told.repositories.length})</h2>
        <ul>
          {told.repositories.map((one) => (
            <li key={one.id}>
              <a href={`/?repository=${encodeURIComponent(one.id)}`}>{one.name}</a>{' '}
              <span class={one.watched === 'watched' ? 'good' : 'wait'}>{one.watched}</span>
              {one.paused ? ', paused' : ''}
              {one.unknown === null ? '' : `: ${one.unknown}`} <span class="soft small">{one.root}</span>
            </li>
          ))}
        </ul>
        {only === null ? null : (
          <p>
            <a href="/">All repositories</a>
          </p>
        )}
      </section>
    </>
  );
}

/** When this browser last left the board; later ends are new. */
const LEFT = 'andon-left';
const leftAt = localStorage.getItem(LEFT) ?? '';
addEventListener('pagehide', () => localStorage.setItem(LEFT, new Date().toISOString()));

function Row({ row, several }: { readonly row: BoardRow; readonly several: boolean }) {
  const { lane, task_id: task, since } = row;
  return (
    <li class={`row ${lane}`} data-key={row.key}>
      <div class="head">
        {several ? <span class="soft">{row.name}</span> : null}
        <b>
          {task !== null && row.kind !== 'queued' ? (
            <a href={toTask(row.repository, task)}>{task}</a>
          ) : (
            (task ?? row.file ?? row.name)
          )}
        </b>
        <span>{row.what}</span>
        {lane === 'ended' && since !== null && leftAt !== '' && since > leftAt ? (
          <span class="chip good">new</span>
        ) : null}
        {since === null ? null : <Age at={since} ago={lane === 'ended'} />}
      </div>
      {row.unknown === null ? null : (
        <p class="bad">
          Unknown for <Age at={row.as_of} />: {row.unknown}
        </p>
      )}
      {row.why === '' ? null : <p class="soft small">{row.why}</p>}
      {row.wanted === null || row.wanted === '' ? null : <p class="small">{row.wanted}</p>}
      {row.work === null ? null : (
        <p class="small">
          {row.work.station}, {row.work.model}: {estimateEnd(row.work, now.value)}
        </p>
      )}
      {lane === 'working' ? <LiveLine of={row} /> : null}
      {lane === 'ended'
        ? null
        : row.ceilings.map((one) => (
            <p key={one.of} class="small">
              <progress max={one.ceiling} value={one.used ?? one.at_least} aria-label={`${one.of} used`} />{' '}
              {formatBoardCeiling(one)}
            </p>
          ))}
      {row.kind === 'halt' && task !== null ? (
        <div class="actions">
          <a class="button main" href={toHalt(row.repository, task)}>
            Answer
          </a>
        </div>
      ) : lane === 'needs_you' ? (
        row.ways.map(({ title, command }) => <CommandHint key={command} title={title} text={command} />)
      ) : null}
    </li>
  );
}
