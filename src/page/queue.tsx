import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { withLocalTimes } from '../base/local-time.ts';
import type { BoardRepository, BoardRow } from '../line/board/board.ts';
import type { ActionOutcome } from '../app/web/api-types.ts';
import { ask } from './ask.ts';
import { toTask } from './current-route.ts';
import { LineDrawing } from './line-drawing.tsx';
import { allRows, board, now, readOnly } from './live.ts';
import { ActionResult, FirstSteps, Skeleton, Sure } from './parts.tsx';
import { hrefOf, isShown, toGroup } from './selection.ts';

/** The line, and the queue of each repository: what blocks what, sorted by keys, by buttons or by dragging. */
export function QueuePage() {
  const shown = board.value;
  if (shown === undefined) return <Skeleton />;
  const queued = shown.lanes.waiting.filter(({ kind }) => kind === 'queued');
  const queues = shown.repositories.filter(({ id }) => isShown({ repository: id }));
  return (
    <div class="queue">
      <h1>Queue</h1>
      <LineDrawing />
      {shown.repositories.length === 0 ? (
        <FirstSteps>{TEACHING}</FirstSteps>
      ) : queues.some(({ id }) => queued.some((row) => row.repository === id)) ? null : (
        TEACHING
      )}
      {queues.map((one) => (
        <Queue key={one.id} of={one} rows={queued.filter((row) => row.repository === one.id)} />
      ))}
    </div>
  );
}

const TEACHING = (
  <p>
    A task passes these stations in order. Contracts that have not begun wait here: move them with the arrows or by
    dragging, and see which task blocks them. <a href="/new">Write a task</a>
  </p>
);

function Queue({ of, rows }: { readonly of: BoardRepository; readonly rows: readonly BoardRow[] }) {
  const path = `/api/asks/${encodeURIComponent(of.id)}`;
  return (
    <section aria-label={of.name}>
      <div class="queue-head">
        <h2>
          {of.name} <span class="soft">{rows.length}</span>
        </h2>
        {of.paused ? <span class="wait">paused</span> : null}
        <PauseSwitch of={of} />
      </div>
      {rows.length === 0 ? <p class="soft">No contract waits.</p> : <Order rows={rows} path={path} />}
    </section>
  );
}

/** Pauses the line of a repository, or lets it go on. */
export const PauseSwitch = ({
  of,
  ...more
}: { readonly of: BoardRepository } & Pick<Parameters<typeof Sure>[0], 'main' | 'came'>) => (
  <Sure
    {...more}
    what={of.paused ? 'Let it go on' : 'Pause'}
    sure={of.paused ? `Confirm: ${of.name} goes on` : `Confirm: nothing further starts in ${of.name}`}
    act={() =>
      ask(
        `/api/asks/${encodeURIComponent(of.id)}`,
        of.paused ? { do: 'unpause', since: of.paused_at } : { do: 'pause' },
      )
    }
  />
);

const nameOf = ({ task_id: task, file }: BoardRow): string => task ?? file?.replace(/^.*\//, '') ?? '';

/** The destination of a contract: an end, or before another one. */
type To = { readonly to: 'first' | 'last' } | { readonly to: 'before'; readonly before: string };

/** Converts dropping on a row into a `before`: that row, or from above the one after it. */
function inPlaceOf(rows: readonly BoardRow[], from: number, at: number): To {
  const next = rows[at > from ? at + 1 : at];
  return next === undefined ? { to: 'last' } : { to: 'before', before: nameOf(next) };
}

/** Where the lines between a task and those that it blocks touch a row: above it, below it, and at it. */
function findTies(rows: readonly BoardRow[], at: number): string {
  const ties = rows.flatMap(({ blocked_by: blockers }, end) =>
    blockers.flatMap((id) => {
      const start = rows.findIndex(({ task_id: task }) => task === id);
      return start === -1 ? [] : [[Math.min(start, end), Math.max(start, end)] as const];
    }),
  );
  const isAny = (holds: (first: number, last: number) => boolean): boolean =>
    ties.some(([first, last]) => holds(first, last));
  const touched = {
    'tie-above': isAny((first, last) => first < at && at <= last),
    'tie-below': isAny((first, last) => first <= at && at < last),
    'tie-end': isAny((first, last) => first === at || last === at),
  };
  return Object.entries(touched)
    .map(([name, holds]) => (holds ? ` ${name}` : ''))
    .join('');
}

interface Move {
  readonly where: 'up' | 'down' | 'first' | 'last';
  readonly isAtEnd: boolean;
  readonly to: To;
}

const movesOf = (rows: readonly BoardRow[], at: number): readonly Move[] => [
  { where: 'up', isAtEnd: at === 0, to: inPlaceOf(rows, at, at - 1) },
  { where: 'down', isAtEnd: at === rows.length - 1, to: inPlaceOf(rows, at, at + 1) },
  { where: 'first', isAtEnd: at === 0, to: { to: 'first' } },
  { where: 'last', isAtEnd: at === rows.length - 1, to: { to: 'last' } },
];

const ARROWS: Readonly<Record<string, Move['where'] | undefined>> = { ArrowUp: 'up', ArrowDown: 'down' };

function Order({ rows, path }: { readonly rows: readonly BoardRow[]; readonly path: string }) {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  // Keys, not positions, identify held and hovered rows: the order may change.
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const pressed = useRef<string>(undefined);
  const order = rows.map(nameOf).join();
  const from = rows.findIndex(({ key }) => key === dragged);
  useLayoutEffect(() => {
    // A moved row loses the focus, which returns to the pressed button, or to the row.
    const held = document.activeElement;
    const isHeld = held !== document.body && !(held instanceof HTMLButtonElement && held.disabled);
    if (pressed.current === undefined || isHeld) return;
    const own = [
      ...document.querySelectorAll<HTMLElement>(`[data-of="${CSS.escape(pressed.current)}"] :is(button:enabled, a)`),
    ];
    (own.find((one) => one instanceof HTMLButtonElement) ?? own[0])?.focus();
  }, [order]);
  const move = async (name: string, to: To): Promise<void> => {
    pressed.current = name;
    setOutcome(await ask(path, { do: 'move', contract: name, ...to }));
  };
  const mayAsk = readOnly.value === null;
  return (
    <>
      <div class="list">
        <ul class="rows">
          {rows.map((row, at) => (
            <li
              key={row.key}
              class={`row waiting queued${findTies(rows, at)}${over === row.key && dragged !== row.key ? ' over' : ''}`}
              data-of={nameOf(row)}
              draggable={mayAsk}
              onDragStart={() => setDragged(row.key)}
              onDragEnd={() => {
                setDragged(undefined);
                setOver(undefined);
              }}
              onDragOver={(event) => {
                event.preventDefault();
                setOver(row.key);
              }}
              onDrop={() => {
                const held = rows[from];
                if (held !== undefined && from !== at) void move(nameOf(held), inPlaceOf(rows, from, at));
              }}
              onKeyDown={(event) => {
                const arrow = event.altKey && mayAsk ? ARROWS[event.key] : undefined;
                const found = movesOf(rows, at).find(({ where }) => where === arrow);
                if (found === undefined) return;
                event.preventDefault();
                if (!found.isAtEnd) void move(nameOf(row), found.to);
              }}
            >
              <a href={hrefOf(toGroup(row))} draggable={false}>
                <span class="place">
                  {row.place ?? at + 1}. {nameOf(row)}
                </span>
                <span class="title">{row.title === nameOf(row) ? '' : row.title}</span>
              </a>
              <Why row={row} />
              {mayAsk ? <RowActions rows={rows} at={at} path={path} move={move} /> : null}
            </li>
          ))}
        </ul>
      </div>
      <ActionResult outcome={outcome} />
    </>
  );
}

/** Why it has not begun; a task that blocks it is a link with its title. */
function Why({ row }: { readonly row: BoardRow }) {
  const { blocked_by: blockers, repository } = row;
  if (blockers.length === 0) return <span class="why soft">{withLocalTimes(row.phrase, new Date(now.value))}</span>;
  return (
    <span class="why">
      <span class="soft">Blocked by </span>
      {blockers.map((id) => {
        const blocker = allRows.value.find((one) => one.repository === repository && one.task_id === id);
        return (
          <a
            key={id}
            class="chip wait"
            href={blocker === undefined ? toTask(repository, id) : hrefOf(toGroup(blocker))}
            title={blocker?.phrase}
          >
            {blocker === undefined || blocker.title === id ? id : `${blocker.title} (${id})`}
          </a>
        );
      })}
    </span>
  );
}

function RowActions(props: {
  readonly rows: readonly BoardRow[];
  readonly at: number;
  readonly path: string;
  readonly move: (name: string, to: To) => Promise<void>;
}) {
  const { rows, at, path, move } = props;
  const row = rows[at] as BoardRow;
  const name = nameOf(row);
  const button = ({ where, isAtEnd, to }: Move) => (
    <button key={where} disabled={isAtEnd} onClick={() => void move(name, to)} aria-label={`${name} ${where}`}>
      {where === 'up' ? '↑' : where === 'down' ? '↓' : `Move ${where}`}
    </button>
  );
  const [up, down, ...ends] = movesOf(rows, at);
  return (
    <div class="row-actions">
      {[up, down].map((one) => (one === undefined ? null : button(one)))}
      <details class="menu">
        <summary aria-label={`More for ${name}`}>⋯</summary>
        <div>
          {ends.map(button)}
          <a class="button" href={hrefOf(toGroup(row))}>
            Read or change
          </a>
          <Sure
            what={`Withdraw ${name}`}
            sure={`Confirm: withdraw ${name}`}
            act={() => ask(path, { do: 'withdraw', contract: name })}
          />
        </div>
      </details>
    </div>
  );
}
