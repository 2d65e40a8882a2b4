import { useState } from 'preact/hooks';
import type { BoardRow } from '../line/board/board.ts';
import type { Outcome } from '../surfaces/web/told.ts';
import { ask } from './ask.ts';
import { board, readOnly } from './live.ts';
import { Came, Sure } from './parts.tsx';

/** What waits in each repository, in its order, moved by buttons or by dragging; and the switches of each line. */
export function QueuePage() {
  const told = board.value;
  if (told === undefined) return <p class="soft">One moment.</p>;
  return (
    <>
      <h1>Queue</h1>
      {told.repositories.map((one) => {
        const path = `/api/asks/${encodeURIComponent(one.id)}`;
        const rows = told.lanes.waiting.filter((row) => row.repository === one.id && row.kind === 'queued');
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

function Order({ rows, path }: { readonly rows: readonly BoardRow[]; readonly path: string }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [dragged, setDragged] = useState<string>();
  const move = async (contract: string, to: 'first' | 'last' | 'before', before?: string): Promise<void> =>
    setOutcome(await ask(path, { do: 'move', contract, to, ...(before === undefined ? {} : { before }) }));
  const mayAsk = readOnly.value === null;
  return (
    <>
      {rows.length === 0 ? <p class="soft">No contract waits.</p> : null}
      <ul class="rows">
        {rows.map((row, at) => (
          <li
            key={row.key}
            class="row waiting"
            draggable={mayAsk}
            onDragStart={() => setDragged(nameOf(row))}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== undefined && dragged !== nameOf(row) && void move(dragged, 'before', nameOf(row))}
          >
            <div class="head">
              <b>
                {row.place ?? at + 1}. {nameOf(row)}
              </b>
              <span>{row.what}</span>
            </div>
            {mayAsk ? (
              <div class="actions">
                <button
                  disabled={at === 0}
                  onClick={() => void move(nameOf(row), 'first')}
                  aria-label={`${nameOf(row)} first`}
                >
                  First
                </button>
                <button
                  disabled={at === 0}
                  onClick={() => void move(nameOf(row), 'before', nameOf(rows[at - 1] ?? row))}
                  aria-label={`${nameOf(row)} up`}
                >
                  Up
                </button>
                <button
                  disabled={at === rows.length - 1}
                  onClick={() => void move(nameOf(row), 'last')}
                  aria-label={`${nameOf(row)} last`}
                >
                  Last
                </button>
              </div>
            ) : null}
            {mayAsk ? (
              <Sure
                what="Withdraw"
                sure={`Confirm: withdraw ${nameOf(row)}`}
                act={() => ask(path, { do: 'withdraw', contract: nameOf(row) })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <Came outcome={outcome} />
    </>
  );
}
