import { useState } from 'preact/hooks';
import { BOARD_LANE_NAMES } from '../line/board/text.ts';
import { BOARD_LANES, type BoardRow } from '../line/board/board.ts';
import { board } from './live.ts';
import { RowLink } from './row-link.tsx';
import { isShown, toGroup } from './selection.ts';

export function TasksPage() {
  const [sought, setSought] = useState('');
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const all = BOARD_LANES.flatMap((lane) => board.value?.lanes[lane] ?? []).filter(isShown);
  const found = all.filter((row) => words.every((word) => textOf(row).includes(word)));
  return (
    <div class="narrow">
      <h1>Tasks</h1>
      <label class="hidden" for="search">
        Look for a task
      </label>
      <input
        id="search"
        type="search"
        placeholder="Id, title, repository or cause"
        value={sought}
        autocomplete="off"
        onInput={(event) => setSought(event.currentTarget.value)}
      />
      <p class="soft" role="status">
        {found.length} of {all.length} tasks. Older ones: <code>andon list</code>
      </p>
      <div class="list">
        {BOARD_LANES.map((lane) => {
          const rows = found.filter((row) => row.lane === lane);
          return rows.length === 0 ? null : (
            <section key={lane} aria-labelledby={lane}>
              <h2 id={lane} class="lane">
                {BOARD_LANE_NAMES[lane]} <span>{rows.length}</span>
              </h2>
              <ul class="rows">
                {rows.map((row) => (
                  <RowLink key={row.key} group={toGroup(row)} />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </div>
  );
}

const textOf = ({ task_id: id, title, wanted, name, phrase, file, halt }: BoardRow): string =>
  [id, title, wanted, name, phrase, file, halt?.breaker].join(' ').toLowerCase();
