import type { Row } from './data-set.ts';

/** The text of a row: written out, cut into pieces, or described. */
export function madeText(row: Row, key = 'make'): string {
  if (Array.isArray(row['parts'])) return row['parts'].join('');
  if (typeof row['text'] === 'string') return row['text'];
  const made = (row[key] ?? {}) as Readonly<Record<string, string | number | undefined>>;
  const size = Number(made['depth'] ?? made['count'] ?? made['times'] ?? 1000);
  if (made['kind'] === 'indented_maps')
    return Array.from({ length: size }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
  if (made['kind'] === 'brackets') return `${'['.repeat(size)}${']'.repeat(size)}`;
  if (made['kind'] === 'alias_bomb')
    return Array.from({ length: size }, (_, at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`).join('\n');
  if (made['kind'] === 'aliases') return `a: &a x\nb: [${Array.from({ length: size }, () => '*a').join(', ')}]`;
  if (made['kind'] === 'flat_keys') return Array.from({ length: size }, (_, at) => `k${at}: ${at}`).join('\n');
  return `${made['prefix'] ?? ''}${String(made['repeat'] ?? '').repeat(size)}${made['suffix'] ?? ''}`;
}
