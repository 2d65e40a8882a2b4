import type { ComponentChildren } from 'preact';
import type { DiffRow } from '../base/read-diff.ts';
import type { FoundAt } from '../line/documents/task-report/list-found-in.ts';

/** Longer lines are cut, as in minified files. */
const WIDTH = 600;

export interface FileHeadFacts {
  readonly path: string;
  readonly from?: string | undefined;
  readonly change: string;
  /** Null for a binary file. */
  readonly added: number | null;
  readonly deleted: number | null;
}

export const FileHead = ({ file, found }: { readonly file: FileHeadFacts; readonly found: readonly FoundAt[] }) => (
  <summary>
    <code>{file.from === undefined ? file.path : `${file.from} to ${file.path}`}</code>{' '}
    <span class="soft small">
      {file.added === null || file.deleted === null ? 'binary' : `+${file.added} −${file.deleted}`}
      {file.change === 'modified' ? '' : `, ${file.change}`}
    </span>
    {found.length === 0 ? null : (
      <span class="bad small"> {found.length === 1 ? '1 finding' : `${found.length} findings`}</span>
    )}
  </summary>
);

/** What a page adds to a line that the change leaves: a button in its gutter, and parts below it. */
interface LineTools {
  readonly button: (line: number) => ComponentChildren;
  readonly below: (line: number) => ComponentChildren;
}

export function DiffRows(props: {
  readonly path: string;
  readonly rows: readonly DiffRow[];
  readonly found: readonly FoundAt[];
  readonly tools?: LineTools;
}) {
  const pairs = pairRows(props.rows);
  return (
    <pre class="diff" tabIndex={0} aria-label={`changes in ${props.path}`}>
      {props.rows.map((row, at) => (
        <Row
          key={at}
          row={row}
          pair={pairs.get(row)}
          tools={props.tools}
          found={props.found.filter(({ line }) => line !== undefined && line === newLineOf(row))}
        />
      ))}
    </pre>
  );
}

/** The hunks of a file; its headers where it has no hunk, as for a binary file. */
export const listShownRows = (rows: readonly DiffRow[]): readonly DiffRow[] =>
  rows.slice(
    Math.max(
      0,
      rows.findIndex(({ kind }) => kind === 'hunk'),
    ),
  );

const ROW_CLASSES: Readonly<Partial<Record<DiffRow['kind'], string>>> = {
  header: 'h',
  hunk: 'h',
  added: 'a',
  removed: 'd',
};

const Row = (props: {
  readonly row: DiffRow;
  readonly pair: DiffRow | undefined;
  readonly found: readonly FoundAt[];
  readonly tools: LineTools | undefined;
}) => {
  const line = newLineOf(props.row);
  return (
    <>
      <span class={ROW_CLASSES[props.row.kind]} data-line={line}>
        {line === undefined ? null : props.tools?.button(line)}
        {props.row.signs}
        <Text text={props.row.text} pair={props.pair?.text} />
      </span>
      {props.found.map(({ who, severity, description, fix }, at) => (
        <span key={at} class="f">
          {who}, {severity}: {description}
          {fix === undefined ? '' : ` (fix: ${fix})`}
        </span>
      ))}
      {line === undefined ? null : props.tools?.below(line)}
    </>
  );
};

const newLineOf = ({ kind, line }: DiffRow): number | undefined => (kind === 'removed' ? undefined : line);

/** A row; the words between what it has in common with its other version are marked. */
function Text({ text, pair }: { readonly text: string; readonly pair: string | undefined }) {
  const shown = shorten(text);
  if (pair === undefined) return <>{shown}</>;
  const [start, middle, end] = splitChanged(shown, shorten(pair));
  return start.trim() === '' && end.trim() === '' ? (
    <>{shown}</>
  ) : (
    <>
      {start}
      {middle === '' ? null : <mark>{middle}</mark>}
      {end}
    </>
  );
}

/** Splits a text into what it begins with like the other, what differs, and what it ends with like the other: by words. */
function splitChanged(text: string, other: string): readonly [start: string, middle: string, end: string] {
  const [own, others] = [listWords(text), listWords(other)];
  const most = Math.min(own.length, others.length);
  let start = 0;
  while (start < most && own[start] === others[start]) start += 1;
  let end = 0;
  while (end < most - start && own.at(-1 - end) === others.at(-1 - end)) end += 1;
  const until = own.length - end;
  return [own.slice(0, start).join(''), own.slice(start, until).join(''), own.slice(until).join('')];
}

const listWords = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

/** Pairs removed rows with the added rows in their place, where they are equally many. */
function pairRows(rows: readonly DiffRow[]): ReadonlyMap<DiffRow, DiffRow> {
  const pairs = new Map<DiffRow, DiffRow>();
  let at = 0;
  const take = (kind: DiffRow['kind']): readonly DiffRow[] => {
    const start = at;
    while (rows[at]?.kind === kind) at += 1;
    return rows.slice(start, at);
  };
  while (at < rows.length) {
    const [removed, added] = [take('removed'), take('added')];
    if (removed.length + added.length === 0) at += 1;
    if (removed.length !== added.length) continue;
    for (const [index, old] of removed.entries()) {
      const fresh = added[index];
      if (fresh !== undefined) pairs.set(old, fresh).set(fresh, old);
    }
  }
  return pairs;
}

/** Never between the two halves of a character. */
const shorten = (text: string): string =>
  text.length > WIDTH
    ? `${text.slice(0, WIDTH).replace(/[\ud800-\udbff]$/, '')}… (${text.length - WIDTH} more characters)`
    : text;
