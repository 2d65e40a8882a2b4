/** Lines without `\n`; one that ends with `\r` had a Windows line end. `closed`: the last line has its newline. */
export interface FileText {
  readonly lines: readonly string[];
  readonly isWindows: boolean;
  readonly hasMark: boolean;
  readonly isClosed: boolean;
}

/** A file that is not there yet. */
export const NEW_TEXT: FileText = { lines: [], isWindows: false, hasMark: false, isClosed: true };

/** The text of a file; undefined if it is binary. */
export function textOf(bytes: Uint8Array): FileText | undefined {
  const text = decoded(bytes);
  if (text === undefined || text.includes('\0')) return undefined;
  const hasMark = text.startsWith('\uFEFF');
  const lines = text.slice(hasMark ? 1 : 0).split('\n');
  const windows = lines.slice(0, -1).filter((line) => line.endsWith('\r')).length;
  const isWindows = windows * 2 > lines.length - 1;
  const last = lines.pop() ?? '';
  const isClosed = last === '';
  if (!isClosed) lines.push(isWindows ? `${last}\r` : last);
  return { lines, isWindows, hasMark, isClosed };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What a model wrote, as lines in the style of the file. */
export function linesOf(content: string, { isWindows }: FileText): readonly string[] {
  const lines = content
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines.at(-1) === '') lines.pop();
  return isWindows ? lines.map((line) => `${line}\r`) : lines;
}

/** The bytes of a file's lines in its own style. */
export function bytesOf(lines: readonly string[], { isWindows, hasMark, isClosed }: FileText): Uint8Array {
  const text = isClosed ? lines.map((line) => `${line}\n`).join('') : lines.join('\n');
  const body = !isClosed && isWindows && text.endsWith('\r') ? text.slice(0, -1) : text;
  return new TextEncoder().encode(hasMark ? `\uFEFF${body}` : body);
}

/** A line without its Windows end. */
export const plain = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Whether two files say the same, whatever their line ends. */
export const isSame = (lines: readonly string[], old: readonly string[]): boolean =>
  lines.length === old.length && lines.every((line, at) => plain(line) === plain(old[at] ?? ''));
