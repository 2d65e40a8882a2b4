import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DiffRow } from '../../base/read-diff.ts';
import { formatCount } from '../../base/format-count.ts';
import { formatFoundAt, type FoundAt } from '../../line/reports/task-report/list-found-in.ts';
import { formatFileChange } from '../../line/reports/task-report/format-figures.ts';
import type { SyntaxToken } from '../../source/syntax-token.ts';
import { WIDTH, findChangedWords, pairRows, type Ranges, type RowPair } from './pair-rows.ts';

export interface FileHeadFacts {
  readonly path: string;
  readonly from?: string | undefined;
  readonly change: string;
  /** Null for a binary file. */
  readonly added: number | null;
  readonly deleted: number | null;
}

export const FileHead = ({ file, found }: { readonly file: FileHeadFacts; readonly found: readonly FoundAt[] }) => (
  <>
    <code>{file.from === undefined ? file.path : `${file.from} to ${file.path}`}</code>{' '}
    <span class="soft small">{formatFileChange(file.change, file.added, file.deleted)}</span>
    {found.length === 0 ? null : <span class="bad small"> {formatCount(found.length, 'finding')}</span>}
  </>
);

/** What a page adds to a line that the change leaves: a button in its gutter, and parts below it. */
interface LineTools {
  readonly button: (line: number) => ComponentChildren;
  readonly below: (line: number) => ComponentChildren;
}

interface DiffProps {
  readonly path: string;
  readonly rows: readonly DiffRow[];
  readonly found: readonly FoundAt[];
  readonly tools?: LineTools;
  /** The tokens of lines of the old and of the new file. */
  readonly colours?: Readonly<Record<'old' | 'fresh', Readonly<Record<number, readonly SyntaxToken[]>>>> | undefined;
  readonly isSplit?: boolean;
}

/** The rows of one file, below each other or both files side by side. */
export function DiffRows(props: DiffProps) {
  const { path, rows, isSplit = false } = props;
  const [pairs, marks] = useMemo(() => {
    const paired = pairRows(rows);
    return [paired, markRows(paired)] as const;
  }, [rows]);
  const row = (one: DiffRow, key: string | number) => <Row key={key} row={one} marks={marks.get(one)} {...props} />;
  return (
    <pre class={isSplit ? 'diff split' : 'diff'} role="group" aria-label={`changes in ${path}`}>
      {isSplit ? <Sides {...props} pairs={pairs} marks={marks} /> : rows.map(row)}
    </pre>
  );
}

type Marks = ReadonlyMap<DiffRow, Ranges>;

function markRows(pairs: readonly (DiffRow | RowPair)[]): Marks {
  const marks = new Map<DiffRow, Ranges>();
  for (const pair of pairs) {
    if (!('old' in pair) || pair.old === undefined || pair.fresh === undefined) continue;
    const [old, fresh] = findChangedWords(shorten(pair.old.text), shorten(pair.fresh.text));
    marks.set(pair.old, old).set(pair.fresh, fresh);
  }
  return marks;
}

/** The old file at the left, the new one at the right; what is said of a line is below it, at the right. */
function Sides(props: DiffProps & { readonly pairs: readonly (DiffRow | RowPair)[]; readonly marks: Marks }) {
  const { pairs, marks } = props;
  let oldLine = 0;
  return (
    <>
      {pairs.map((one, key) => {
        const row = (side: string, shown: DiffRow | undefined, line?: number) =>
          shown === undefined ? (
            <span key={side} class="e" />
          ) : (
            <Row key={side} {...props} row={shown} marks={marks.get(shown)} oldLine={line} />
          );
        const [left, right] = [`${key} left`, `${key} right`];
        if ('old' in one) {
          oldLine = one.old?.line === undefined ? oldLine : one.old.line + 1;
          return [row(left, one.old), row(right, one.fresh)];
        }
        if (one.kind !== 'context') {
          oldLine = Number(/^@@ -(\d+)/.exec(one.text)?.[1] ?? oldLine);
          return row(right, one);
        }
        oldLine += 1;
        return [row(left, one, oldLine - 1), row(right, one)];
      })}
    </>
  );
}

const ROW_CLASSES: Readonly<Partial<Record<DiffRow['kind'], string>>> = {
  header: 'h',
  hunk: 'h hunk',
  note: 'h',
  added: 'a',
  removed: 'd',
};

function Row(
  props: DiffProps & {
    readonly row: DiffRow;
    readonly marks: Ranges | undefined;
    /** Its line of the old file, where it is shown as one. */
    readonly oldLine?: number | undefined;
  },
) {
  const { row, marks = [], colours, tools } = props;
  const isOld = row.kind === 'removed' || props.oldLine !== undefined;
  const line = isOld ? undefined : row.line;
  const tokens = colours?.[row.kind === 'removed' ? 'old' : 'fresh'][row.line ?? 0];
  const found = props.found.filter((one) => one.line !== undefined && one.line === line);
  return (
    <>
      <span class={ROW_CLASSES[row.kind]} data-line={props.oldLine ?? row.line}>
        {line === undefined ? null : tools?.button(line)}
        <i>{row.signs}</i>
        <Text text={shorten(row.text)} marks={marks} tokens={tokens ?? []} />
      </span>
      {found.map((one, at) => (
        <span key={at} class="f">
          {formatFoundAt(one)}
        </span>
      ))}
      {line === undefined ? null : tools?.below(line)}
    </>
  );
}

/** A text in parts: coloured by its tokens, and marked where it changed. */
function Text({
  text,
  marks,
  tokens,
}: {
  readonly text: string;
  readonly marks: Ranges;
  readonly tokens: readonly SyntaxToken[];
}) {
  const part = (start: number, end: number): ComponentChildren => colour(text, tokens, start, end);
  let at = 0;
  const parts = marks.map(([start, end]) => {
    const before = part(at, start);
    at = end;
    return [before, <mark key={start}>{part(start, end)}</mark>];
  });
  return (
    <>
      {parts}
      {part(at, text.length)}
    </>
  );
}

function colour(text: string, tokens: readonly SyntaxToken[], start: number, end: number): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = start;
  for (const [first, length, kind] of tokens) {
    const [from, to] = [Math.max(first, at), Math.min(first + length, end)];
    if (from >= to) continue;
    parts.push(text.slice(at, from), <span class={`t-${kind}`}>{text.slice(from, to)}</span>);
    at = to;
  }
  return [...parts, text.slice(at, end)];
}

/** Never between the two halves of a character. */
const shorten = (text: string): string =>
  text.length > WIDTH
    ? `${text.slice(0, WIDTH).replace(/[\ud800-\udbff]$/, '')}… (${text.length - WIDTH} more characters)`
    : text;
