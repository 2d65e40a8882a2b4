import { alternativesOf } from './message-words.ts';

export interface TodoItem {
  readonly text: string;
  readonly isTicked: boolean;
}

/**
 * The checklist of a delegation: the rows below a header such as EXPECTED OUTCOME or Acceptance criteria, up to the next
 * header; without one, every row of a list; without a list, every line. Below a header with its own text
 * (`Task: fix the login`) are details.
 */
export function checklistOf(text: string): readonly TodoItem[] {
  const rows = rowsOf(text);
  const sections = sectionsOf(rows);
  const outcomes = sections.filter(({ header }) => !/^\W*(?:\d+\W+)?(?:task|goal)/i.test(header));
  const wanted = outcomes.length > 0 ? outcomes : sections.length > 0 ? sections : [{ text: '', rows }];
  const items = wanted.flatMap(({ text: own, rows: below }) =>
    own === '' || own.endsWith(':') || itemIn(own) !== undefined ? itemsOf([own, ...below]) : itemsOf([own]),
  );
  return [...new Map(items.map((item) => [item.text, item])).values()].slice(0, MOST_ITEMS);
}

function itemsOf(rows: readonly string[]): readonly TodoItem[] {
  const listed = rows.flatMap((row) => itemIn(row) ?? []);
  return listed.length > 0
    ? listed
    : rows.flatMap((row) => (row.trim() === '' || isHeader(row) ? [] : [{ text: row.trim(), isTicked: false }]));
}

/** The part below such a header; empty where the text has none. */
export const headedPart = (text: string): string =>
  sectionsOf(rowsOf(text))
    .flatMap(({ text: own, rows }) => [own, ...rows])
    .join('\n');

const rowsOf = (text: string): readonly string[] =>
  text
    .slice(0, LONGEST_LIST)
    .split('\n')
    .map((row) => row.trimEnd());

const LONGEST_LIST = 50_000;
const MOST_ITEMS = 200;

const HEADER = new RegExp(
  `^(\\s{0,3}(?:#{1,6}\\s*)?(?:\\d+[.)]\\s*)?[*_]{0,3}(?:${alternativesOf('checklist_header').join('|')})[*_]{0,3}\\s*[:：]?[*_]{0,3})\\s*(.*)$`,
  'iu',
);

/** `2. EXPECTED OUTCOME: …` is a header, `2. Tasks of the night` is an item. */
function isHeader(row: string): boolean {
  const [, header = '', rest = ''] = HEADER.exec(row) ?? [];
  if (header === '' || (rest !== '' && !/[:：]/.test(header))) return false;
  return itemIn(row) === undefined || header === header.toUpperCase() || (rest === '' && /[:：]/.test(header));
}

/** A heading, a line in bold or capitals, a label with nothing behind it. */
const OTHER_HEADER =
  /^\s{0,3}(?:#{1,6}\s+\S|(?:\d{1,2}[.)]\s+)?(?:[A-Z][A-Z ]{3,40}:|[*_]{2}[^*_]{1,60}(?:[*_]{2}:|:[*_]{2}))|[*_]{2}[^*_]{1,60}[*_]{2}\s*$|[A-Z][A-Z ]{3,40}$)/;
const LABEL = /^(?:[*_]{2})?[\p{Lu}\p{Lo}][\p{L}'’-]{0,20}(?: [\p{L}'’-]{1,20}){0,3}[:：](.*)$/u;

interface Section {
  readonly header: string;
  readonly text: string;
  readonly rows: string[];
}

function sectionsOf(rows: readonly string[]): readonly Section[] {
  const sections: Section[] = [];
  let open: Section | undefined;
  for (const row of rows) {
    if (isHeader(row)) {
      const [, header = '', text = ''] = HEADER.exec(row) ?? [];
      open = { header, text, rows: [] };
      sections.push(open);
    } else if (open !== undefined && endsSection(row, open)) open = undefined;
    else open?.rows.push(row);
  }
  return sections;
}

/** A label directly below the header divides its section (`Backend:`), and so do those after it. */
function endsSection(row: string, { text, rows }: Section): boolean {
  if (OTHER_HEADER.test(row)) return true;
  const behind = LABEL.exec(row)?.[1];
  if (behind === undefined) return false;
  const first = rows.find((one) => one.trim() !== '');
  if (text === '' && (first === undefined || LABEL.test(first))) return false;
  return behind.trim() === '' || text !== '' || rows.some((one) => itemIn(one) !== undefined);
}

function itemIn(row: string): TodoItem | undefined {
  const [, , tick, text] = /^\s*([-*+•·]|\d{1,3}[.)])\s+(?:\[([ xX✓])\]\s+)?(\S.*)$/u.exec(row) ?? [];
  if (text === undefined) return undefined;
  return { text: text.trim(), isTicked: tick !== undefined && tick !== ' ' };
}
