import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { withLocalTimes } from '../base/local-time.ts';
import type { BoardRow } from '../line/board/board.ts';
import type { ActionOutcome } from '../surfaces/web/api-types.ts';
import { ask } from './ask.ts';
import { board, now, readOnly } from './live.ts';
import { ActionResult, Skeleton, Sure } from './parts.tsx';

/** The queue of each repository, sorted by buttons or by dragging; and the switches of each line. */
export function QueuePage() {
  const shown = board.value;
  if (shown === undefined) return <Skeleton />;
  return (
    <>
      <h1>Queue</h1>
      {shown.repositories.map((one) => {
        const path = `/api/asks/${encodeURIComponent(one.id)}`;
        const rows = shown.lanes.waiting.filter((row) => row.repository === one.id && row.kind === 'queued');
        return (
          <section key={one.id} aria-label={one.name}>
            <h2>
              {one.name} ({rows.length})
            </h2>
            <Order rows={rows} path={path} />
            <Sure
              what={one.paused ? 'Let it go on' : 'Pause'}
              sure={one.paused ? `Confirm: ${one.name} goes on` : `Confirm: nothing further starts in ${one.name}`}
              act={() => ask(path, { do: one.paused ? 'unpause' : 'pause' })}
            />
          </section>
        );
      })}
    </>
  );
}

const nameOf = ({ task_id: task, file }: BoardRow): string => task ?? file?.replace(/^.*\//, '') ?? '';

/** The destination of a contract: an end, or before another one. */
type To = { readonly to: 'first' | 'last' } | { readonly to: 'before'; readonly before: string };

/** Converts dropping on a row into a `before`: that row, or from above the one after it. */
function inPlaceOf(rows: readonly BoardRow[], from: number, at: number): To {
  const next = rows[at > from ? at + 1 : at];
  return next === undefined ? { to: 'last' } : { to: 'before', before: nameOf(next) };
}

const ways = (rows: readonly BoardRow[], at: number): readonly (readonly [string, boolean, To])[] => [
  ['up', at === 0, inPlaceOf(rows, at, at - 1)],
  ['down', at === rows.length - 1, inPlaceOf(rows, at, at + 1)],
  ['first', at === 0, { to: 'first' }],
  ['last', at === rows.length - 1, { to: 'last' }],
];

function Order({ rows, path }: { readonly rows: readonly BoardRow[]; readonly path: string }) {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  // Keys, not positions, identify held and hovered rows: the order may change.
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const pressed = useRef<string>(undefined);
  const order = rows.map(nameOf).join();
  const from = rows.findIndex(({ key }) => key === dragged);
  useLayoutEffect(() => {
    // A moved row loses the focus, which returns to the pressed button.
    const held = document.activeElement;
    const isHeld = held !== document.body && !(held instanceof HTMLButtonElement && held.disabled);
    if (pressed.current === undefined || isHeld) return;
    const own = [...document.querySelectorAll<HTMLButtonElement>(`[data-of="${CSS.escape(pressed.current)}"] button`)];
    own.find(({ disabled }) => !disabled)?.focus();
  }, [order]);
  const move = async (name: string, to: To): Promise<void> => {
    pressed.current = name;
    setOutcome(await ask(path, { do: 'move', contract: name, ...to }));
  };
  const mayAsk = readOnly.value === null;
  return (
    <>
      {rows.length === 0 ? <p class="soft">No contract waits.</p> : null}
      <ul class="rows">
        {rows.map((row, at) => (
          <li
            key={row.key}
            class={`row waiting${over === row.key && dragged !== row.key ? ' over' : ''}`}
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
          >
            <div class="head">
              <b>
                {row.place ?? at + 1}. {nameOf(row)}
              </b>
              <span>{row.title === nameOf(row) ? '' : row.title}</span>
              <span class="soft">{withLocalTimes(row.phrase, new Date(now.value))}</span>
            </div>
            {mayAsk ? (
              <div class="actions">
                {ways(rows, at).map(([where, isEnd, to]) => (
                  <button
                    key={where}
                    disabled={isEnd}
                    onClick={() => void move(nameOf(row), to)}
                    aria-label={`${nameOf(row)} ${where}`}
                  >
                    {where}
                  </button>
                ))}
              </div>
            ) : null}
            {mayAsk ? (
              <Sure
                what={`Withdraw ${nameOf(row)}`}
                sure={`Confirm: withdraw ${nameOf(row)}`}
                act={() => ask(path, { do: 'withdraw', contract: nameOf(row) })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <ActionResult outcome={outcome} />
    </>
  );
}
