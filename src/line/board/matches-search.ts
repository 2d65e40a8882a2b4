import type { BoardRow } from './board.ts';

/** Whether a row holds every word that is looked for: in its id, title, repository, cause or file. */
export function matchesSearch(row: BoardRow, sought: string): boolean {
  const { task_id: id, title, wanted, name, phrase, file, halt } = row;
  return holdsEveryWord([id, title, wanted, name, phrase, file, halt?.breaker].join(' '), sought);
}

/** Whether a text holds every word that is looked for, in any case and order. */
export function holdsEveryWord(searched: string, sought: string): boolean {
  const text = searched.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
