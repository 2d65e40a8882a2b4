import { useState } from 'preact/hooks';
import { BOARD_LANE_NAMES } from '../line/board/text.ts';
import { BOARD_LANES } from '../line/board/board.ts';
import { matchesSearch } from '../line/board/matches-search.ts';
import { board } from './live.ts';
import { FirstSteps } from './parts.tsx';
import { RowLink } from './row-link.tsx';
import { isShown, toGroup } from './selection.ts';

export function TasksPage() {
  const [sought, setSought] = useState('');
  const all = BOARD_LANES.flatMap((lane) => board.value?.lanes[lane] ?? []).filter(isShown);
  const found = all.filter((row) => matchesSearch(row, sought));
  if (all.length === 0)
    return (
      <div class="narrow">
        <h1>Tasks</h1>
        {board.value?.repositories.length === 0 ? (
          <FirstSteps />
        ) : (
          <p>
            Every task is listed here, from its contract to its merge, and found by a few letters. There is none yet:{' '}
            <a href="/new">write the first one</a>.
          </p>
        )}
      </div>
    );
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
