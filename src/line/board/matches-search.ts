import type { BoardRow } from './board.ts';

/** Whether a row holds every word that is looked for: in its id, title, repository, cause or file. */
export function matchesSearch(row: BoardRow, sought: string): boolean {
  const { task_id: id, title, wanted, name, phrase, file, halt } = row;
  const text = [id, title, wanted, name, phrase, file, halt?.breaker].join(' ').toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
