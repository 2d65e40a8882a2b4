import { computed, signal } from '@preact/signals';
import { type BoardRow, groupNeeds, type NeedGroup } from '../line/board/board.ts';
import { currentRoute, go, toHalt, toTask } from './current-route.ts';
import { board } from './live.ts';

/** Whether there is room for a preview beside the list. */
const wide = matchMedia('(min-width: 68.75rem)');
export const hasPreview = signal(wide.matches);
wide.addEventListener('change', ({ matches }) => (hasPreview.value = matches));

/** The chosen rows as they were last seen: an answered halt leaves the board, its preview stays. */
export const chosen = signal<NeedGroup | undefined>(undefined);

export const isShown = ({ repository }: Pick<BoardRow, 'repository'>): boolean => {
  const only = currentRoute.value.asked.get('repository');
  return only === null || repository === only;
};

/** What needs you, alike halts together. */
export const needGroups = computed(() => groupNeeds((board.value?.lanes.needs_you ?? []).filter(isShown)));

export const toGroup = (row: BoardRow): NeedGroup => ({ key: row.key, rows: [row] });

/** The page of some rows; several, or one without a task, have a part of the inbox. */
export function hrefOf({ key, rows: [row, ...more] }: NeedGroup): string {
  if (more.length > 0 || row.task_id === null || row.kind === 'queued') return `/?at=${encodeURIComponent(key)}`;
  return row.kind === 'halt' ? toHalt(row.repository, row.task_id) : toTask(row.repository, row.task_id);
}

/** The need to answer after these: the one below, else the first. */
export function findNext(keys: readonly string[], from: number): NeedGroup | undefined {
  const others = needGroups.value.filter(({ rows }) => rows.every(({ key }) => !keys.includes(key)));
  return others[from] ?? others[0];
}

/** Opens rows: in the preview where there is one on this page, else on their own page. */
export function openGroup(group: NeedGroup): void {
  chosen.value = group;
  if (!hasPreview.value || currentRoute.value.kind !== '') go(hrefOf(group));
}
