import { isTemplateText } from './spec-paths.ts';

/** The lines outside of code: neither fenced, nor indented after an empty line. */
export function outsideCode(rows: readonly string[]): readonly string[] {
  let fence: string | undefined;
  let isIndented = false;
  return rows.filter((row, at) => {
    const marks = FENCE.exec(row)?.[1];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) === true) fence = undefined;
      return false;
    }
    fence = marks;
    const isBehindGap = at === 0 || (rows[at - 1] ?? '').trim() === '';
    isIndented = /^(?: {4}|\t)/.test(row) && (isIndented || isBehindGap);
    return marks === undefined && !isIndented;
  });
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^(\s*)([-*+]|\d+[.)])(\s+)(?:\[[ xX]?\]\s+)?(.*)$/;

/**
 * The items of the outermost list, verbatim, with their sub-items, further paragraphs, tables, quotes and code, without
 * the item's indentation. Wrapped lines of its first paragraph are joined. `isPartial`: there is text beside the list.
 */
export function wholeItemsIn(rows: readonly string[]): { readonly items: string[]; readonly isPartial: boolean } {
  const items: { readonly indent: number; readonly lines: string[]; isFirstParagraph: boolean }[] = [];
  let outermost: number | undefined;
  let isPartial = false;
  let isBehindGap = false;
  let fence: string | undefined;
  for (const row of rows) {
    const item = items.at(-1);
    const indent = row.search(/\S/);
    const [, before = '', mark = '', gap = '', text] = (fence === undefined && ITEM.exec(row)) || [];
    const isItem = text !== undefined && before.length <= (outermost ?? before.length);
    const belongs =
      item !== undefined && (fence !== undefined || indent >= item.indent || (!isBehindGap && indent !== -1));
    if (isItem) {
      outermost = before.length;
      items.push({
        indent: before.length + mark.length + Math.min(gap.length, 4),
        lines: [text],
        isFirstParagraph: true,
      });
    } else if (indent === -1) item?.lines.push('');
    else if (!belongs) isPartial = true;
    else {
      const marks = FENCE.exec(row)?.[1];
      const isBlock = text !== undefined || marks !== undefined || /^\s*[|>]/.test(row);
      if (indent === -1 || isBlock || isBehindGap) item.isFirstParagraph = false;
      if (item.isFirstParagraph) item.lines.push(`${item.lines.pop() ?? ''} ${row.trim()}`);
      else item.lines.push(row.slice(Math.min(Math.max(indent, 0), item.indent)).trimEnd());
    }
    const marks = FENCE.exec(row)?.[1];
    if (marks !== undefined) fence = fence === undefined ? marks : marks.startsWith(fence) ? undefined : fence;
    isBehindGap = indent === -1;
  }
  const texts = items.map(({ lines }) => lines.join('\n').trim()).filter((text) => !isTemplateText(text));
  return { items: texts, isPartial };
}

/** List items with their lines; a ticked box is an item like any other, a placeholder is not. */
export function readListItems(rows: readonly string[]): string[] {
  const items: string[] = [];
  let isOpen = false;
  let isCode = false;
  for (const row of rows) {
    if (/^\s*(?:`{3,}|~{3,})/.test(row)) isCode = !isCode;
    const [, text] = (!isCode && /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]?\]\s*)?(.*)$/.exec(row)) || [];
    if (text !== undefined) items.push(text.trim());
    else if (isOpen && row.trim() !== '')
      items[items.length - 1] += isCode || row.includes('```') ? `\n${row.trimEnd()}` : ` ${row.trim()}`;
    isOpen = text !== undefined || (isOpen && (isCode || row.trim() !== '' || /^\s{2,}/.test(row)));
  }
  return items.map((item) => item.trim()).filter((item) => !isTemplateText(item));
}
