import truncated from 'fast-string-truncated-width';

/** Cuts a text to this many columns, counting wide characters as two; `…` marks the cut. */
export function fitToWidth(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const { index, ellipsed } = truncated(text, { limit: Math.max(1, width), ellipsis: '…', ellipsisWidth: 1 });
  if (!ellipsed) return text;
  let end = index;
  while (end > 0 && measureWidth(text.slice(0, end)) >= width) end -= 1; // the package counts one short after a symbol
  return `${text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The width of a text in columns. */
export const measureWidth = (text: string): number => truncated(text).width;

/** Wraps a text at this many columns, between words; a wider word is broken. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measureWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The parts of a word that fit, never cut between surrogates. */
function pieces(word: string, width: number): readonly string[] {
  const found: string[] = [];
  let rest = word;
  while (measureWidth(rest) > width) {
    let part = truncated(rest, { limit: width, ellipsis: '' }).index;
    while (measureWidth(rest.slice(0, part)) > width) part -= 1; // the last one may be wide
    const first = String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
    if (/[\uD800-\uDBFF]/.test(rest.charAt(part - 1))) part -= 1;
    const at = Math.max(part, first);
    found.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...found, rest];
}
