import type { ChangedFile } from '../../record/change.ts';

/**
 * Reads `git diff-tree -r -z -M --raw --numstat`: raw records first, then one count per record in the same order.
 * Names come unquoted between NULs, so no file name can be mistaken for anything else.
 */
export function readDiffTree(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0');
  const raw: Omit<ChangedFile, 'added' | 'deleted'>[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', , , letter = ''] = (fields[at] ?? '').slice(1).split(' ');
    const moved = letter.startsWith('R') || letter.startsWith('C');
    const first = fields[at + 1] ?? '';
    const path = moved ? (fields[at + 2] ?? '') : first;
    raw.push({
      path,
      ...(moved ? { from: first } : {}),
      status: STATUS[letter[0] ?? ''] ?? 'modified',
      oldMode,
      newMode,
    });
    at += moved ? 3 : 2;
  }
  return raw.map((file) => {
    const [added = '-', deleted = '-', name = ''] = (fields[at] ?? '').split('\t');
    at += name === '' ? 3 : 1; // a moved file has an empty name here and both names in the next two fields
    return { ...file, added: count(added), deleted: count(deleted) };
  });
}

const STATUS: Readonly<Record<string, ChangedFile['status'] | undefined>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'moved',
  C: 'added',
  T: 'type-changed',
};

const count = (text: string): number | null => (text === '-' ? null : Number(text));
