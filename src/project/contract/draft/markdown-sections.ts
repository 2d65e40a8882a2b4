/** A line of a Markdown text; `isCode`: it is inside a fence, or opens or closes one. */
export interface SpecRow {
  readonly text: string;
  readonly isCode: boolean;
}

/** A heading with its lines; level 0 is the text before the first one. */
export interface SpecSection {
  readonly level: number;
  readonly heading: string;
  readonly rows: readonly SpecRow[];
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^(\s*)([-*+]|\d+[.)])(\s+)(?:\[[ xX]?\]\s+)?(.*)$/;

/** The sections of a Markdown text in order, without comments. */
export function sectionsOf(body: string): readonly SpecSection[] {
  const sections: { level: number; heading: string; rows: SpecRow[] }[] = [{ level: 0, heading: '', rows: [] }];
  let fence: string | undefined;
  for (const text of body.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split('\n')) {
    const marks = FENCE.exec(text)?.[1];
    const isCode = fence !== undefined || marks !== undefined;
    if (fence === undefined) fence = marks;
    else if (marks?.startsWith(fence) === true) fence = undefined;
    const [, signs, heading = ''] = (!isCode && HEADING.exec(text)) || [];
    if (signs === undefined) sections.at(-1)?.rows.push({ text, isCode });
    else sections.push({ level: signs.length, heading, rows: [] });
  }
  return sections;
}

/**
 * The items of the outermost list, verbatim, with sub-items, paragraphs, tables, quotes and code, without the item's
 * indentation. Wrapped lines of its first paragraph are joined. `isPartial`: there is text beside the list.
 */
export function readListItems(rows: readonly SpecRow[]): {
  readonly items: readonly string[];
  readonly isPartial: boolean;
} {
  const items: { readonly indent: number; readonly lines: string[]; isFirstParagraph: boolean }[] = [];
  let outermost: number | undefined;
  let isPartial = false;
  let isAfterGap = false;
  for (const { text: row, isCode } of rows) {
    const item = items.at(-1);
    const indent = row.search(/\S/);
    const [, before = '', mark = '', gap = '', text] = (!isCode && ITEM.exec(row)) || [];
    if (text !== undefined && before.length <= (outermost ?? before.length)) {
      outermost = before.length;
      const start = before.length + mark.length + Math.min(gap.length, 4);
      items.push({ indent: start, lines: [text], isFirstParagraph: true });
    } else if (indent === -1) item?.lines.push('');
    else if (item === undefined || !(isCode || indent >= item.indent || !isAfterGap)) isPartial = true;
    else {
      if (text !== undefined || isCode || isAfterGap || /^\s*[|>]/.test(row)) item.isFirstParagraph = false;
      if (item.isFirstParagraph) item.lines.push(`${item.lines.pop() ?? ''} ${row.trim()}`);
      else item.lines.push(row.slice(Math.min(indent, item.indent)).trimEnd());
    }
    isAfterGap = indent === -1;
  }
  const texts = items.map(({ lines }) => lines.join('\n').trim()).filter((text) => !isTemplateText(text));
  return { items: texts, isPartial };
}

/** The placeholders of an untouched template, and usual words for "nothing". */
export const isTemplateText = (text: string): boolean =>
  text === '' || /^(?:\[[^\]`]*\]|<[^>]*>|\.{3}|…|none|n\/a|todo|tbd|-)\.?$/i.test(text);

/** A heading without bold marks; `__init__.py` and globs such as `src/**` are kept. */
export const stripBold = (text: string): string =>
  text
    .replace(/(^|[\s(])\*\*(?=[^\s*/])([^*]+)\*\*(?=$|[\s).,:;!?])/g, '$1$2')
    .replace(/^__([^_].*[^_])__$/, '$1')
    .trim();
