import { keepLineEnds, stripCarriageReturn } from './line-ends.ts';

/** Lines without `\n`; a Windows end is a trailing `\r`. `closed`: the last line has its newline. */
export interface FileText {
  readonly lines: readonly string[];
  /** Most lines have a Windows end. */
  readonly isWindows: boolean;
  /** Some lines have a Windows end, others do not. */
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

/** Undefined if the file is binary. */
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

/** The bytes of lines in the file's own style. */
export function encodeLines(lines: readonly string[], old: FileText): Uint8Array {
  const { isWindows, isMixed, hasMark, isClosed } = old;
  const text = isClosed ? lines.map((line) => `${line}\n`).join('') : lines.join('\n');
  // A file without a final line end keeps none on its new last line.
  const mayEnd = isWindows || (isMixed && lines.at(-1) !== old.lines.at(-1));
  const body = !isClosed && mayEnd && text.endsWith('\r') ? text.slice(0, -1) : text;
  return new TextEncoder().encode(hasMark ? `\uFEFF${body}` : body);
}

/** Whether two files are equal apart from line ends. */
export const isSameText = (lines: readonly string[], old: readonly string[]): boolean =>
  lines.length === old.length &&
  lines.every((line, at) => stripCarriageReturn(line) === stripCarriageReturn(old[at] ?? ''));
