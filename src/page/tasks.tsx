import { useState } from 'preact/hooks';
import { BOARD_LANE_NAMES } from '../line/board/render-board-text.ts';
import { formatCount } from '../base/format-count.ts';
import type { InsightsResponse } from '../app/web/api-types.ts';
import { BOARD_LANES, holdsEveryWord, matchesSearch, type BoardRow } from '../line/board/board.ts';
import { toTask } from './current-route.ts';
import { Icon } from './icons.tsx';
import { allRows, board, findBoardRepository } from './live.ts';
import { FirstSteps, useLooked } from './parts.tsx';
import { RowLink } from './row-link.tsx';
import { isShown, toGroup } from './selection.ts';

/** Older tasks that are listed at once, and with each further press. */
const MOST_OLDER = 50;

type OlderTask = Pick<InsightsResponse['tasks'][number], 'repository' | 'task_id' | 'title'>;

/** The tasks that the board does not list any more. */
function useOlder(listed: readonly BoardRow[]): {
  readonly older: readonly OlderTask[];
  readonly why: string | undefined;
  readonly isLoaded: boolean;
} {
  const { value, why } = useLooked<InsightsResponse>('/api/insights', listed.length);
  const known = new Set(listed.map(({ repository, task_id: id }) => `${repository} ${id ?? ''}`));
  const older = (value?.tasks ?? []).filter((one) => isShown(one) && !known.has(`${one.repository} ${one.task_id}`));
  return { older, why, isLoaded: value !== undefined };
}

const nameOf = (repository: string): string => findBoardRepository(repository)?.name ?? '';

const matchesOlder = ({ repository, task_id: id, title }: OlderTask, sought: string): boolean =>
  holdsEveryWord(`${id} ${title} ${nameOf(repository)}`, sought);

export function TasksPage() {
  const [sought, setSought] = useState('');
  const all = allRows.value.filter(isShown);
  const found = all.filter((row) => matchesSearch(row, sought));
  const { older, why, isLoaded } = useOlder(all);
  const [most, setMost] = useState(MOST_OLDER);
  const foundOlder = older.filter((one) => matchesOlder(one, sought));
  if (all.length === 0 && older.length === 0 && isLoaded)
    return (
      <div class="narrow">
        <h1>Tasks</h1>
        {board.value?.repositories.length === 0 ? (
          <FirstSteps />
        ) : (
          <p>
            Every task is listed here, from its contract to its merge, and found by a few letters. There are no tasks
            yet: <a href="/new">write the first one</a>.
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
        {found.length + foundOlder.length} of {formatCount(all.length + older.length, 'task')}
      </p>
      {why === undefined ? null : <p class="soft">Older tasks cannot be shown: {why}</p>}
      {found.length + foundOlder.length > 0 || !isLoaded ? null : (
        <p>
          No task has “{sought}” in its id, title, repository or cause.{' '}
          <button onClick={() => setSought('')}>Show all</button>
        </p>
      )}
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
        {foundOlder.length === 0 ? null : (
          <section aria-labelledby="older">
            <h2 id="older" class="lane">
              Older <span>{foundOlder.length}</span>
            </h2>
            <ul class="rows">
              {foundOlder.slice(0, most).map(({ repository, task_id: id, title }) => (
                <li key={`${repository} ${id}`} class="row">
                  <a href={toTask(repository, id)}>
                    <Icon name="ended" tone="soft" />
                    <span class="title">{title}</span>
                    <span class="phrase">
                      {nameOf(repository)} {id}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {foundOlder.length > most ? (
              <button onClick={() => setMost(most + MOST_OLDER)}>{foundOlder.length - most} more</button>
            ) : null}
          </section>
        )}
      </div>
    </div>
  );
}
