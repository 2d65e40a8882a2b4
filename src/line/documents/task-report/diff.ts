import { pathInPatch } from '../../../base/git-name.ts';

/** A line of a diff: added, deleted, hunk head, about the file, or unchanged. */
export interface DiffLine {
  readonly kind: 'a' | 'd' | 'h' | 'm' | 'c';
  readonly text: string;
}

/** One file of a patch; figures count the lines that are shown. */
export interface DiffFile {
  readonly name: string;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly deleted: number;
}

/** Longer lines are cut: nobody reads them, and a minified file is one. */
const LINE_WIDTH = 600;

/** Splits a patch into its files, up to `limit` lines in all; the rest is only counted. */
export function diffFiles(
  patch: string,
  limit: number,
): { readonly files: readonly DiffFile[]; readonly hidden: number } {
  const all = patch.replace(/\n$/, '').split('\n');
  const files: { name: string; lines: DiffLine[] }[] = [];
  let inHunk = false;
  for (const text of all.slice(0, limit)) {
    if (text.startsWith('diff --git ')) {
      files.push({ name: nameIn(text), lines: [] });
      inHunk = false;
    }
    if (text.startsWith('@@')) inHunk = true;
    const file = files.at(-1) ?? { name: '', lines: [] };
    if (files.length === 0) files.push(file);
    const path = !inHunk && /^(?:---|\+\+\+) /.test(text) ? pathInPatch(text) : '/dev/null';
    if (path !== '/dev/null') file.name = path;
    file.lines.push({ kind: kindOf(text, inHunk), text: cut(text) });
  }
  const counted = files.map((file) => ({ ...file, added: tally(file.lines, 'a'), deleted: tally(file.lines, 'd') }));
  return { files: counted, hidden: Math.max(0, all.length - limit) };
}

/** The new path of a file without text; names in which a space makes the head ambiguous are shown as git writes the head. */
const nameIn = (head: string): string => / b\/(\S+)$/.exec(head)?.[1] ?? head.slice('diff --git '.length);

function kindOf(text: string, inHunk: boolean): DiffLine['kind'] {
  if (!inHunk) return 'm';
  if (text.startsWith('@@')) return 'h';
  return text.startsWith('+') ? 'a' : text.startsWith('-') ? 'd' : 'c';
}

const cut = (text: string): string =>
  text.length > LINE_WIDTH ? `${text.slice(0, LINE_WIDTH)}… (${text.length - LINE_WIDTH} more characters)` : text;

const tally = (lines: readonly DiffLine[], kind: DiffLine['kind']): number =>
  lines.filter((line) => line.kind === kind).length;
