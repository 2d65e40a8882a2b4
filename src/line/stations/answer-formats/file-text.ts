import { keepLineEnds, plain } from './line-ends.ts';

/** Lines without `\n`; one that ends with `\r` had a Windows line end. `closed`: the last line has its newline. */
export interface FileText {
  readonly lines: readonly string[];
  /** Most lines have a Windows end. */
  readonly isWindows: boolean;
  /** Some lines have a Windows end, and others have not. */
  readonly isMixed: boolean;
  readonly hasMark: boolean;
  readonly isClosed: boolean;
}

/** A file that is not there yet. */
export const NEW_TEXT: FileText = {
  lines: [],
  isWindows: false,
  isMixed: false,
  hasMark: false,
  isClosed: true,
};

/** The text of a file; undefined if it is binary. */
export function textOf(bytes: Uint8Array): FileText | undefined {
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

/** What a model wrote in the place of some lines of a file (all of them, where none are named), in the style of the file. */
export function linesOf(
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

/** The bytes of a file's lines in its own style. */
export function bytesOf(lines: readonly string[], old: FileText): Uint8Array {
  const { isWindows, isMixed, hasMark, isClosed } = old;
  const text = isClosed ? lines.map((line) => `${line}\n`).join('') : lines.join('\n');
  // A file that does not end with a line end has none to be taken from the line that is now its last.
  const mayEnd = isWindows || (isMixed && lines.at(-1) !== old.lines.at(-1));
  const body = !isClosed && mayEnd && text.endsWith('\r') ? text.slice(0, -1) : text;
  return new TextEncoder().encode(hasMark ? `\uFEFF${body}` : body);
}

/** Whether two files say the same, whatever their line ends. */
export const isSame = (lines: readonly string[], old: readonly string[]): boolean =>
  lines.length === old.length && lines.every((line, at) => plain(line) === plain(old[at] ?? ''));
