import { useEffect, useMemo, useState } from 'preact/hooks';
import { readDiff } from '../base/read-diff.ts';
import type { ChangeResponse, PatchResponse } from '../surfaces/web/api-types.ts';
import type { FoundAt } from '../line/documents/task-report/list-found-in.ts';
import { DiffRows, FileHead, listShownRows } from '../views/diff-rows.tsx';
import { LineButton, LineComments } from './comment.tsx';
import { LoadingNotice, useLooked } from './parts.tsx';

/** The lines of a file drawn at once: unread lines must not freeze the page. */
const LINES = 1500;
/** The files of a small change are open. */
const OPEN_FILES = 5;
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
        <File key={file.path} {...props} file={file} isOpen={value.files.length <= OPEN_FILES} />
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
  const { path, status } = props.file;
  const [isOpen, setOpen] = useState(props.isOpen);
  const found = props.found.filter(({ file }) => file === path);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <FileHead file={{ ...props.file, change: status }} found={found} />
      {isOpen ? <Text {...props} found={found} /> : null}
    </details>
  );
}

function Text(props: Asked & { readonly file: FileTold }) {
  const { path, from } = props.file;
  const [shown, setShown] = useState(LINES);
  const names = [path, ...(from === undefined ? [] : [from])].map((name) => `&path=${encodeURIComponent(name)}`);
  const { value, why } = useLooked<PatchResponse>(`${pathOf(props, 'patch')}${names.join('')}`);
  const rows = useMemo(() => listShownRows(readDiff(value?.text ?? '').flatMap((file) => file.rows)), [value?.text]);
  if (value === undefined) return <LoadingNotice why={why} />;
  return (
    <>
      <DiffRows
        path={path}
        rows={rows.slice(0, shown)}
        found={props.found}
        tools={{
          button: (line) => <LineButton file={path} line={line} />,
          below: (line) => <LineComments file={path} line={line} />,
        }}
      />
      {rows.length > shown ? (
        <button onClick={() => setShown(shown + LINES)}>{rows.length - shown} more lines</button>
      ) : null}
      {value.is_cut ? <p class="soft">The rest of it is not shown here: andon show {props.task} --diff</p> : null}
    </>
  );
}
