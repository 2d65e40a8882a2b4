import { alternativesOf } from './message-words.ts';

export interface TodoItem {
  readonly text: string;
  readonly isTicked: boolean;
}

/**
 * The checklist of a delegation: the rows below a header such as EXPECTED OUTCOME or Acceptance criteria, up to the next
 * header; without one, every row of a list; without a list, every line.
 */
export function checklistOf(text: string): readonly TodoItem[] {
  const rows = rowsOf(text);
  const headed = sections(rows);
  const wanted = headed.length > 0 ? headed : rows;
  const listed = wanted.flatMap((row) => itemIn(row) ?? []);
  const items =
    listed.length > 0
      ? listed
      : wanted.flatMap((row) => (row.trim() === '' || isHeader(row) ? [] : [{ text: row.trim(), isTicked: false }]));
  return [...new Map(items.map((item) => [item.text, item])).values()].slice(0, MOST_ITEMS);
}

/** The part below such a header; empty where the text has none. */
export const headedPart = (text: string): string => sections(rowsOf(text)).join('\n');

const rowsOf = (text: string): readonly string[] =>
  text
    .slice(0, LONGEST_LIST)
    .split('\n')
    .map((row) => row.trimEnd());

const LONGEST_LIST = 50_000;
const MOST_ITEMS = 200;

const HEADER = new RegExp(
  `^\\s{0,3}(?:#{1,6}\\s*|\\d+[.)]\\s*)?[*_]{0,3}(?:${alternativesOf('checklist_header').join('|')})[*_]{0,3}\\s*[:：]?[*_]{0,3}\\s*(.*)$`,
  'iu',
);
const OTHER_HEADER =
  /^\s{0,3}(?:#{1,6}\s+\S|[*_]{2}[^*_]{1,60}[*_]{2}:?\s*$|[A-Z][A-Z ]{3,40}:\s*$|[A-Z][A-Z ]{3,40}$)/;

const isHeader = (row: string): boolean => {
  const rest = HEADER.exec(row)?.[1];
  return rest !== undefined && (rest === '' || /[:：]/.test(row.slice(0, row.length - rest.length)));
};

function sections(rows: readonly string[]): readonly string[] {
  const wanted: string[] = [];
  let isInside = false;
  for (const row of rows) {
    if (isHeader(row) && itemIn(row) === undefined) {
      isInside = true;
      const rest = HEADER.exec(row)?.[1] ?? '';
      if (rest !== '') wanted.push(rest);
    } else if (isInside && OTHER_HEADER.test(row)) isInside = false;
    else if (isInside) wanted.push(row);
  }
  return wanted;
}

function itemIn(row: string): TodoItem | undefined {
  const [, , tick, text] = /^\s*([-*+•·]|\d{1,3}[.)])\s+(?:\[([ xX✓])\]\s+)?(\S.*)$/u.exec(row) ?? [];
  if (text === undefined) return undefined;
  return { text: text.trim(), isTicked: tick !== undefined && tick !== ' ' };
}
