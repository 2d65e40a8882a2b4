import { useEffect, useRef } from 'preact/hooks';
import { BOARD_LANE_NAMES } from '../line/board/render-board-text.ts';
import { toSingleLine } from '../base/plain-text.ts';
import type { BoardLane, BoardRow, NeedGroup } from '../line/board/board.ts';
import { board } from './live.ts';
import { currentRoute } from './current-route.ts';
import { GroupPage } from './group.tsx';
import { HaltPage } from './halt.tsx';
import { LineDrawing } from './line-drawing.tsx';
import { isMorning, Morning } from './morning.tsx';
import { FirstSteps } from './parts.tsx';
import { RowLink } from './row-link.tsx';
import { chosen, hasPreview, isShown, needGroups, toGroup } from './selection.ts';
import { TaskPage } from './task.tsx';

/** More ended tasks than this are folded. */
const FEW_ENDED = 6;
const LANES = ['working', 'waiting', 'ended'] as const satisfies readonly BoardLane[];

/** Everything by who must act, a row each; beside it, where there is room, what the chosen row is about. */
export function Inbox() {
  const rowsIn = (lane: BoardLane): readonly BoardRow[] => (board.value?.lanes[lane] ?? []).filter(isShown);
  const at = currentRoute.value.asked.get('at');
  const groups: readonly NeedGroup[] = [...needGroups.value, ...LANES.flatMap(rowsIn).map(toGroup)];
  const group = groups.find(({ key, rows }) => key === at || rows.some((row) => row.key === at));
  // Answered rows leave the board, but not the page that answers them.
  const last = useRef<NeedGroup>(undefined);
  last.current = group ?? (last.current?.key === at ? last.current : undefined);
  const first = groups[0];
  useEffect(() => {
    if (chosen.value === undefined && first !== undefined) chosen.value = group ?? first;
    if (hasPreview.value && document.activeElement === document.body)
      document.querySelector<HTMLElement>('.list .row:not(.night) a')?.focus({ preventScroll: true });
  }, [first === undefined, chosen.value === undefined]);
  if (at !== null && !hasPreview.value)
    return last.current === undefined ? (
      <Gone />
    ) : (
      <div class="narrow">
        <GroupPage group={last.current} heading="h1" />
      </div>
    );
  return (
    <>
      {hasPreview.value && groups.length > 0 ? <LineDrawing /> : null}
      <div class="inbox">
        <div class="list">
          {isMorning() ? <Morning /> : null}
          <Needs groups={needGroups.value} />
          {LANES.map((lane) => (
            <Lane key={lane} lane={lane} rows={rowsIn(lane)} />
          ))}
          <Missing />
          <Repositories />
        </div>
        {hasPreview.value && chosen.value !== undefined ? <Preview group={chosen.value} /> : null}
      </div>
    </>
  );
}

const Gone = () => (
  <>
    <h1>This is settled</h1>
    <p>
      <a href="/">Back to the inbox</a>
    </p>
  </>
);

function Needs({ groups }: { readonly groups: readonly NeedGroup[] }) {
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <section aria-labelledby="needs_you">
      <h1 id="needs_you" class="lane">
        {count === 0 ? 'Nothing needs you' : `${count} need${count === 1 ? 's' : ''} you`}
      </h1>
      {count === 0 ? <AllClear /> : null}
      <ul class="rows">
        {groups.map((group) => (
          <RowLink key={group.key} group={group} select={() => (chosen.value = group)} hasSuggestion={isMorning()} />
        ))}
      </ul>
    </section>
  );
}

function AllClear() {
  const shown = board.value;
  if (shown?.repositories.length === 0) return <FirstSteps />;
  const merged = (shown?.lanes.ended ?? []).filter((row) => isShown(row) && row.kind === 'merged').length;
  const working = (shown?.lanes.working ?? []).filter(isShown).length;
  return (
    <p class="empty soft">
      {merged === 0 ? 'Nothing was merged in the last seven days.' : `${merged} merged in the last seven days.`}{' '}
      {working === 0 ? <a href="/new">Write a task</a> : `${working} in work.`}
    </p>
  );
}

function Lane({ lane, rows }: { readonly lane: BoardLane; readonly rows: readonly BoardRow[] }) {
  if (rows.length === 0) return null;
  const list = (
    <ul class="rows">
      {rows.map((row) => (
        <RowLink key={row.key} group={toGroup(row)} select={() => (chosen.value = toGroup(row))} />
      ))}
    </ul>
  );
  if (lane === 'ended' && rows.length > FEW_ENDED)
    return (
      <details>
        <summary class="lane">
          {rows.length} ended, {rows.filter(({ kind }) => kind === 'merged').length} of them merged
        </summary>
        {list}
        <p class="notes">
          <a href="/tasks">All tasks</a>
        </p>
      </details>
    );
  return (
    <section aria-labelledby={lane}>
      <h2 id={lane} class="lane">
        {BOARD_LANE_NAMES[lane]} <span>{rows.length}</span>
      </h2>
      {list}
    </section>
  );
}

function Missing() {
  const missing = board.value?.not_known ?? [];
  if (missing.length === 0) return null;
  return (
    <section aria-labelledby="not-known">
      <h2 id="not-known" class="lane">
        Missing data <span>{missing.length}</span>
      </h2>
      <ul class="notes">
        {missing.map(({ what, remedy }) => (
          <li key={what}>
            {what}
            {remedy === null ? '' : `; ${remedy}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Repositories() {
  const all = board.value?.repositories ?? [];
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="repositories">
      <h2 id="repositories" class="lane">
        Repositories <span>{all.length}</span>
      </h2>
      <ul class="notes">
        {all.map((one) => (
          <li key={one.id}>
            <a href={`/?repository=${encodeURIComponent(one.id)}`}>{one.name}</a>{' '}
            <span class={one.watched === 'watched' ? 'good' : 'wait'}>{one.watched}</span>
            {one.paused ? ', paused' : ''}
            {one.unknown === null ? '' : `: ${one.unknown}`} <span class="soft">{toSingleLine(one.root)}</span>
          </li>
        ))}
      </ul>
      {currentRoute.value.asked.get('repository') === null ? null : (
        <p class="notes">
          <a href="/">All repositories</a>
        </p>
      )}
    </section>
  );
}

function Preview({ group }: { readonly group: NeedGroup }) {
  const [row] = group.rows;
  const { repository, task_id: task, kind } = row;
  const isOne = group.rows.length === 1 && task !== null && kind !== 'queued';
  return (
    <section class="preview" aria-label="Preview" key={group.key} tabIndex={-1}>
      {!isOne ? (
        <GroupPage group={group} heading="h2" />
      ) : kind === 'halt' ? (
        <HaltPage repository={repository} task={task} heading="h2" />
      ) : (
        <TaskPage repository={repository} task={task} />
      )}
    </section>
  );
}
