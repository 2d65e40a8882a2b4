/**
 * Makes untrusted text safe for a terminal: printable characters, newline and tab stay; characters that move the
 * cursor, colour, hide or reorder text are shown as `\u{…}`.
 */
export function toTerminal(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * The same on one line, for names of files above all: line breaks and tabs are shown as `\\n` and `\\t`. Every refusal
 * passes through here.
 */
export const toSingleLine = (text: string): string => toTerminal(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** Safe for a terminal too, on one line and cut to `width` characters. */
export function toTerminalLine(text: string, width = 200): string {
  const line = toTerminal(text).replace(/\s+/g, ' ').trim();
  // Never between the two halves of a character.
  return line.length > width ? `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** Quotes untrusted text in Markdown: in a fence longer than any inside it, so that it holds no markup. */
export function toMarkdownBlock(text: string, language = ''): string {
  const safe = toTerminal(text);
  const longest = Math.max(2, ...(safe.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${safe.endsWith('\n') ? safe : `${safe}\n`}${fence}`;
}

/** Untrusted text inside a line of Markdown: no markup, no HTML, no line break; file names stay readable. */
export function toMarkdownLine(text: string, width = 300): string {
  return toTerminalLine(text, width)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*|]|^\[|\[(?=[^\]]*(?:\[|\][([:]|$))|\](?=[([:])|~~|_(?![A-Za-z0-9])/g, (markup) =>
      markup.replace(/./g, '\\$&'),
    )
    .replace(/^[#+=>-]/, (marker) => `\\${marker}`);
}

/** Text in an element or attribute of XML 1.0; a character that XML cannot hold is shown as U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * A value as JSON that is safe to print: control characters are escaped, and the value stays the same; `without` is a
 * key to leave out.
 */
export function toSafeJson(value: unknown, indent = 2, without?: string): string {
  const kept = (key: string, part: unknown): unknown => (key === without ? undefined : part);
  return JSON.stringify(value, without === undefined ? undefined : kept, indent).replace(UNSAFE, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** C0 and C1 controls but newline and tab, soft and zero-width characters, bidi controls, separators, tags, surrogates. */
const UNSAFE =
  // eslint-disable-next-line no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/gu;

/** CSI, OSC, the choice of a character set, and the other two-character sequences. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()*+][0-9A-Za-z]|[@-Z\\^_])/g;

/** A text without colours and other terminal sequences. */
export const stripSequences = (text: string): string => text.replace(SEQUENCE, '');
