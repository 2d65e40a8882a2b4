import type { BoardRow, NeedGroup } from '../line/board/board.ts';
import { toSentence } from '../base/to-sentence.ts';
import { describeRow, estimateEnd } from '../line/board/describe-row.ts';
import { withLocalTimes } from '../base/local-time.ts';
import { Icon, type IconName } from './icons.tsx';
import { board, now } from './live.ts';
import { LiveLine } from './live-output.tsx';
import { ShortAge } from './parts.tsx';
import { chosen, hasPreview, hrefOf } from './selection.ts';

/** When this browser last left the board; later ends are new. */
const LEFT = 'andon-left';
const leftAt = localStorage.getItem(LEFT) ?? '';
addEventListener('pagehide', () => localStorage.setItem(LEFT, new Date().toISOString()));

const ICONS: Readonly<Record<BoardRow['kind'], readonly [IconName, string]>> = {
  halt: ['halt', 'bad'],
  decision: ['decision', 'wait'],
  refused: ['fault', 'wait'],
  stopped: ['fault', 'bad'],
  unwatched: ['fault', 'bad'],
  unwell: ['fault', 'bad'],
  overdue: ['waiting', 'bad'],
  working: ['working', 'work'],
  waits: ['waiting', 'wait'],
  queued: ['waiting', 'soft'],
  merged: ['merged', 'good'],
  undone: ['ended', 'soft'],
  abandoned: ['ended', 'soft'],
};

/** One row, or several of one cause: an icon, a title, a phrase, an age; the whole of it is the link. */
export function RowLink({
  group,
  select,
  hasSuggestion = false,
}: {
  readonly group: NeedGroup;
  readonly select?: () => void;
  /** Shows the suggested answer of a halt too. */
  readonly hasSuggestion?: boolean;
}) {
  const { rows } = group;
  const [row] = rows;
  const [icon, tone] = ICONS[row.kind];
  const isChosen = hasPreview.value && select !== undefined && chosen.value?.key === group.key;
  const { lane, since } = row;
  const suggested = hasSuggestion ? row.paths[(row.halt?.suggestion?.path ?? 0) - 1]?.title : undefined;
  const isNew = lane === 'ended' && since !== null && leftAt !== '' && since > leftAt;
  return (
    <li class={`row ${lane}`} data-key={group.key}>
      <a
        href={hrefOf(group)}
        aria-current={isChosen ? 'true' : undefined}
        onFocus={select}
        onClick={(event) => {
          if (select === undefined || !hasPreview.value || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          select();
        }}
      >
        <Icon name={icon} tone={tone} />
        <span class="title">
          {rows.length > 1 ? `${rows.length} tasks: ${row.halt?.phrase ?? row.phrase}` : row.title}
        </span>
        {isNew ? <span class="chip good">new</span> : null}
        {since === null ? null : <ShortAge at={since} />}
        <span class={`phrase ${row.unknown === null ? '' : 'bad'}`}>
          <span class="origin">{originOf(group)}</span>
          {phraseOf(group)}
        </span>
        {suggested === undefined ? null : <span class="phrase">Suggested: {suggested}</span>}
        {lane === 'working' ? <LiveLine of={row} /> : null}
      </a>
    </li>
  );
}

function phraseOf({ rows }: NeedGroup): string {
  const [row] = rows;
  const words = (text: string): string => withLocalTimes(text, new Date(now.value));
  if (row.unknown !== null) return words(`Unknown since ${row.as_of}: ${row.unknown}`);
  if (rows.length > 1) return toSentence(words(row.why));
  if (row.work !== null)
    return [
      row.phrase,
      row.work.model,
      ...(row.work.usually_ms === null ? [] : [estimateEnd(row.work, now.value)]),
    ].join(' · ');
  return words(describeRow(row));
}

/** The repository where there are several, and the task; nothing for tasks of one cause in the only repository. */
function originOf({ rows }: NeedGroup): string {
  const [row] = rows;
  const several = (board.value?.repositories.length ?? 0) > 1;
  const id = rows.length > 1 ? '' : (row.task_id ?? '');
  const parts = [...(several || row.task_id === null ? [row.name] : []), ...(id === '' ? [] : [id])];
  return parts.length === 0 ? '' : `${parts.join(' ')} · `;
}
