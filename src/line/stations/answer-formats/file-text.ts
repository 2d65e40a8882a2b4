import { diffArrays } from 'diff';

/** Lines without `\n`; a Windows end is a trailing `\r`. `isClosed`: the last line has its newline. */
export interface FileText {
  readonly lines: readonly string[];
  readonly isWindows: boolean;
  readonly isMixed: boolean;
  readonly hasMark: boolean;
  readonly isClosed: boolean;
}

export const NEW_TEXT: FileText = {
  lines: [],
  isWindows: false,
  isMixed: false,
  hasMark: false,
  isClosed: true,
};

export function decodeText(bytes: Uint8Array): FileText | undefined {
  const text = decoded(bytes);
  if (text === undefined || text.includes('\0')) return undefined;
  const hasMark = text.startsWith('\uFEFF');
  const lines = text.slice(hasMark ? 1 : 0).split('\n');
  const windows = lines.slice(0, -1).filter((line) => line.endsWith('\r')).length;
  const isWindows = windows * 2 > lines.length - 1;
  const isMixed = windows > 0 && windows < lines.length - 1;
  const last = lines.pop() ?? '';
  const isClosed = last === '';
  if (!isClosed) lines.push(isWindows ? `${last}\r` : last);
  return { lines, isWindows, isMixed, hasMark, isClosed };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A model's lines (or whole text, without an old part) in the style of the file. */
export function splitAnswerLines(
  content: string,
  { lines: all, isWindows, isMixed }: FileText,
  replaced: readonly string[] = all,
): readonly string[] {
  const lines = content
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (isMixed) return keepLineEnds(lines, replaced, isWindows);
  return isWindows ? lines.map((line) => `${line}\r`) : lines;
}

export function encodeLines(lines: readonly string[], old: FileText): Uint8Array {
  const { isWindows, isMixed, hasMark, isClosed } = old;
  const text = isClosed ? lines.map((line) => `${line}\n`).join('') : lines.join('\n');
  // A file without a final line end keeps none on its new last line.
  const mayEnd = isWindows || (isMixed && lines.at(-1) !== old.lines.at(-1));
  const body = !isClosed && mayEnd && text.endsWith('\r') ? text.slice(0, -1) : text;
  return new TextEncoder().encode(hasMark ? `\uFEFF${body}` : body);
}

export const isSameText = (lines: readonly string[], old: readonly string[]): boolean =>
  lines.length === old.length &&
  lines.every((line, at) => stripCarriageReturn(line) === stripCarriageReturn(old[at] ?? ''));

/** More differences than this are no edit of the old lines. */
const MOST_DIFFERENCES = 4000;

export const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * Restores line ends in a file that mixes `\n` and `\r\n`: unchanged lines keep their own, new ones take the majority.
 * Lines are without `\n`; a Windows end is a trailing `\r`.
 */
function keepLineEnds(fresh: readonly string[], old: readonly string[], isWindows: boolean): readonly string[] {
  let at = 0;
  return differences(old.map(stripCarriageReturn), fresh).flatMap(({ value, added, removed }) => {
    if (added) return isWindows ? value.map((line) => `${line}\r`) : value;
    const from = at;
    at += value.length;
    return removed ? [] : old.slice(from, at);
  });
}

interface Difference {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

/** Equal lines at both ends match; the middle uses the least difference. */
function differences(old: readonly string[], fresh: readonly string[]): readonly Difference[] {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const [gone, come] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  const between: readonly Difference[] = diffArrays(gone, come, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: gone, added: false, removed: true },
    { value: come, added: true, removed: false },
  ];
  const same = (value: readonly string[]): Difference => ({ value, added: false, removed: false });
  return [same(old.slice(0, head)), ...between, same(old.slice(old.length - tail))];
}
