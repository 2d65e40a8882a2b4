import { useEffect, useMemo, useState } from 'preact/hooks';
import { readDiff, type DiffRow } from '../base/read-diff.ts';
import type { ChangeResponse, PatchResponse, RoundFacts } from '../surfaces/web/api-types.ts';
import { LoadingNotice, useLooked } from './parts.tsx';

/** The lines of a file drawn at once: unread lines must not freeze the page. */
const LINES = 1500;
/** Longer lines are cut, as in minified files. */
const WIDTH = 600;
/** The first delay of a retry with backoff. */
const [AGAIN_MS, LATEST_MS] = [500, 10_000];

interface Asked {
  readonly repository: string;
  readonly task: string;
  readonly from: string;
  readonly to: string;
  /** The findings by line. */
  readonly found: readonly FoundAt[];
}

/** A finding and its author. */
type FoundAt = RoundFacts['others'][number] & { readonly who: string };

/** The findings of reviewers and judge in one attempt. */
export const listFoundIn = (rounds: readonly RoundFacts[], attempt: number): readonly FoundAt[] =>
  rounds
    .filter((round) => round.attempt === attempt)
    .flatMap(({ by, blocking, others }) => [...blocking, ...others].map((one) => ({ ...one, who: by })));

type FileTold = Extract<ChangeResponse, { is_there: true }>['files'][number];

const pathOf = ({ repository, task, from, to }: Asked, what: 'diff' | 'patch'): string =>
  `/api/tasks/${encodeURIComponent(repository)}/${encodeURIComponent(task)}/${what}?from=${from}&to=${to}`;

/** The difference of two commits, file by file; a file is fetched when it is opened. */
export function Diff(props: Asked) {
  const [tries, setTries] = useState(0);
  const { value, why } = useLooked<ChangeResponse>(pathOf(props, 'diff'), tries);
  const isMissing = value?.is_there === false;
  useEffect(() => {
    if (!isMissing) return undefined;
    const timer = setTimeout(() => setTries(tries + 1), Math.min(LATEST_MS, AGAIN_MS * 2 ** tries));
    return () => clearTimeout(timer);
  }, [isMissing, tries]);
  if (value === undefined) return <LoadingNotice why={why} />;
  if (!value.is_there)
    return <p class="soft">Its commits are not in the repository: not yet, or not any more. It is looked for again.</p>;
  if (value.files.length === 0) return <p class="soft">No difference.</p>;
  return (
    <div>
      {value.files.map((file) => (
        <File key={file.path} {...props} file={file} isOpen={value.files.length === 1} />
      ))}
      {value.hidden === 0 ? null : (
        <p class="soft">
          {value.hidden} more files: andon show {props.task} --diff
        </p>
      )}
    </div>
  );
}

function File(props: Asked & { readonly file: FileTold; readonly isOpen: boolean }) {
  const { path, from, status, added, deleted } = props.file;
  const [isOpen, setOpen] = useState(props.isOpen);
  const found = props.found.filter(({ file }) => file === path);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{from === undefined ? path : `${from} to ${path}`}</code>{' '}
        <span class="soft small">
          {added === null || deleted === null ? 'binary' : `+${added} -${deleted}`}
          {status === 'modified' ? '' : `, ${status}`}
        </span>
        {found.length === 0 ? null : <span class="bad small"> {found.length} found here</span>}
      </summary>
      {isOpen ? <Text {...props} found={found} /> : null}
    </details>
  );
}

function Text(props: Asked & { readonly file: FileTold }) {
  const { path, from } = props.file;
  const [shown, setShown] = useState(LINES);
  const names = [path, ...(from === undefined ? [] : [from])].map((name) => `&path=${encodeURIComponent(name)}`);
  const { value, why } = useLooked<PatchResponse>(`${pathOf(props, 'patch')}${names.join('')}`);
  const rows = useMemo(() => shownRows(value?.text ?? ''), [value?.text]);
  if (value === undefined) return <LoadingNotice why={why} />;
  return (
    <>
      <pre class="diff" tabIndex={0} aria-label={`changes in ${path}`}>
        {rows.slice(0, shown).map((row, at) => (
          <Row
            key={at}
            row={row}
            found={props.found.filter(({ line }) => line !== undefined && line === newLineOf(row))}
          />
        ))}
      </pre>
      {rows.length > shown ? (
        <button onClick={() => setShown(shown + LINES)}>{rows.length - shown} more lines</button>
      ) : null}
      {value.is_cut ? <p class="soft">The rest of it is not shown here: andon show {props.task} --diff</p> : null}
    </>
  );
}

/** The hunks of a patch; its headers where it has no hunk, as for a binary file. */
function shownRows(patch: string): readonly DiffRow[] {
  const rows = readDiff(patch).flatMap((file) => file.rows);
  return rows.slice(
    Math.max(
      0,
      rows.findIndex(({ kind }) => kind === 'hunk'),
    ),
  );
}

const ROW_CLASSES: Readonly<Partial<Record<DiffRow['kind'], string>>> = { hunk: 'h', added: 'a', removed: 'd' };

const Row = ({ row, found }: { readonly row: DiffRow; readonly found: readonly FoundAt[] }) => (
  <>
    <span class={ROW_CLASSES[row.kind] ?? ''} data-line={newLineOf(row) ?? ''}>
      {shorten(row.signs + row.text)}
    </span>
    {found.map(({ who, severity, description }, at) => (
      <span key={at} class="f">
        {who}, {severity}: {description}
      </span>
    ))}
  </>
);

const newLineOf = ({ kind, line }: DiffRow): number | undefined => (kind === 'removed' ? undefined : line);

const shorten = (text: string): string =>
  text.length > WIDTH ? `${text.slice(0, WIDTH)}… (${text.length - WIDTH} more characters)` : text;
