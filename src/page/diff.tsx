import { useEffect, useMemo, useState, useRef } from 'preact/hooks';
import { formatCount } from '../base/format-count.ts';
import type { DiffRow } from '../base/read-diff.ts';
import type { ChangeResponse, ColoursResponse, PatchResponse } from '../app/web/api-types.ts';
import type { FoundAt } from '../line/reports/task-report/list-found-in.ts';
import { DiffRows, FileHead } from '../app/views/diff-rows.tsx';
import { LineButton, LineComments, LineKeys } from './comment.tsx';
import { LoadingNotice, useLooked } from './parts.tsx';
import { signal } from '@preact/signals';
import { lookForAnswer } from './ask.ts';
import { getErrorMessage } from '../base/get-error-message.ts';

/** The lines of a file drawn at once: unread lines must not freeze the page. */
const LINES = 1500;
/** Of a change of few files, those are open that show so many lines together, and the first. */
const OPEN_FILES = 5;
/** The first delay of a retry with backoff. */
const [AGAIN_MS, LATEST_MS] = [500, 10_000];
/** Two files fit beside each other from this width on. */
const WIDE_PX = 820;

interface Asked {
  readonly repository: string;
  readonly task: string;
  readonly from: string;
  readonly to: string;
  /** The findings by line. */
  readonly found: readonly FoundAt[];
}

type ChangeFiles = Extract<ChangeResponse, { is_there: true }>;

interface FileProps extends Asked {
  readonly file: ChangeFiles['files'][number];
  readonly isSplit: boolean;
}

const pathOf = ({ repository, task }: Asked): string =>
  `/api/tasks/${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;

/** The difference of two commits, file by file; a file is fetched when it is opened. */
export function Diff(props: Asked) {
  const [tries, setTries] = useState(0);
  const { value, why } = useLooked<ChangeResponse>(`${pathOf(props)}/diff?from=${props.from}&to=${props.to}`, tries);
  const isMissing = value?.is_there === false;
  useEffect(() => {
    if (!isMissing) return undefined;
    const timer = setTimeout(() => setTries(tries + 1), Math.min(LATEST_MS, AGAIN_MS * 2 ** tries));
    return () => clearTimeout(timer);
  }, [isMissing, tries]);
  if (value === undefined) return <LoadingNotice why={why} />;
  if (!value.is_there)
    return <p class="soft">Its commits are not in the repository: not yet, or not any more. It is looked for again.</p>;
  return value.files.length === 0 ? <p class="soft">No difference.</p> : <Files {...props} change={value} />;
}

const nameOf = ({ repository, task, from, to, file }: Omit<FileProps, 'isSplit'>): string =>
  `${repository}/${task} ${from} ${to} ${file.path}`;

function Files(props: Asked & { readonly change: ChangeFiles }) {
  const { files, hidden } = props.change;
  const [box, setBox] = useState<HTMLElement | null>(null);
  const isWide = useIsWide(box);
  const sum = (key: 'added' | 'deleted', some = files): number => some.reduce((all, file) => all + (file[key] ?? 0), 0);
  const isSmall = (some: ChangeFiles['files']): boolean => sum('added', some) + sum('deleted', some) <= LINES;
  const viewed = files.filter((file) => isViewed(nameOf({ ...props, file }))).length;
  return (
    <div ref={setBox}>
      <p class="actions">
        <span class="soft">
          {formatCount(files.length + hidden, 'file')}, +{sum('added')} −{sum('deleted')}
          {viewed === 0 ? '' : ` · ${viewed} viewed`}
        </span>
        {isWide ? (
          <button aria-pressed={isSideBySide.value} onClick={toggleLayout}>
            Side by side
          </button>
        ) : null}
        <button aria-pressed={ignoresSpaces.value} onClick={() => (ignoresSpaces.value = !ignoresSpaces.value)}>
          Ignore spaces
        </button>
      </p>
      {files.map((file, at) => (
        <File
          key={file.path}
          {...props}
          file={file}
          isOpen={files.length <= OPEN_FILES && (at === 0 || isSmall(files.slice(0, at + 1)))}
          isSplit={isWide && isSideBySide.value}
        />
      ))}
      {hidden === 0 ? null : (
        <p class="soft">
          {hidden} more files: andon show {props.task} --diff
        </p>
      )}
    </div>
  );
}

function useIsWide(box: HTMLElement | null): boolean {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    if (box === null) return undefined;
    const observer = new ResizeObserver(() => setWide(box.clientWidth >= WIDE_PX));
    observer.observe(box);
    return () => observer.disconnect();
  }, [box]);
  return isWide;
}

function File(props: FileProps & { readonly isOpen: boolean }) {
  const { file } = props;
  const name = nameOf(props);
  const [isOpen, setOpen] = useState(props.isOpen && !isViewed(name));
  const found = props.found.filter((one) => one.file === file.path);
  const view = (isMarked: boolean): void => {
    markViewed(name, isMarked);
    setOpen(!isMarked);
  };
  return (
    <section class="file">
      <header>
        <button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span>
            <FileHead file={{ ...file, change: file.status }} found={found} />
          </span>
        </button>
        <label>
          <input
            type="checkbox"
            checked={isViewed(name)}
            aria-label={`Viewed ${file.path}`}
            onChange={(event) => view(event.currentTarget.checked)}
          />{' '}
          Viewed
        </label>
      </header>
      {!isOpen ? null : file.added === null && isImage(file.path) ? (
        <Images
          api={pathOf(props)}
          before={file.status === 'added' ? undefined : { at: props.from, path: file.from ?? file.path }}
          after={file.status === 'deleted' ? undefined : { at: props.to, path: file.path }}
        />
      ) : (
        <Text {...props} found={found} />
      )}
    </section>
  );
}

function Text(props: FileProps) {
  const { path, from } = props.file;
  const names = [path, ...(from === undefined ? [] : [from])].map((name) => `&path=${encodeURIComponent(name)}`);
  const spaces = ignoresSpaces.value ? '&spaces=ignored' : '';
  const query = `?from=${props.from}&to=${props.to}${spaces}${names.join('')}`;
  const { value, why } = useLooked<PatchResponse>(`${pathOf(props)}/patch${query}`);
  if (value === undefined) return <LoadingNotice why={why} />;
  if (value.rows.length === 0) return <p class="soft">Only spaces differ.</p>;
  return (
    <>
      <Rows {...props} rows={value.rows} query={query} />
      {value.is_cut ? <p class="soft">The rest of it is not shown here: andon show {props.task} --diff</p> : null}
    </>
  );
}

/** Rows are shown as soon as they are there; their colours come later, or never. */
function Rows(props: FileProps & { readonly rows: readonly DiffRow[]; readonly query: string }) {
  const { file, rows, found, isSplit, query } = props;
  const [shown, setShown] = useState(LINES);
  const { value: colours } = useLooked<ColoursResponse>(`${pathOf(props)}/colours${query}`);
  const some = useMemo(() => rows.slice(0, shown), [rows, shown]);
  const { path } = file;
  return (
    <>
      <LineKeys>
        <DiffRows
          {...{ path, found, colours, isSplit }}
          rows={some}
          tools={{
            button: (line) => <LineButton file={path} line={line} />,
            below: (line) => <LineComments file={path} line={line} />,
          }}
        />
      </LineKeys>
      {rows.length > shown ? (
        <button onClick={() => setShown(shown + LINES)}>{rows.length - shown} more lines</button>
      ) : null}
    </>
  );
}

const [LAYOUT, VIEWED] = ['andon-diff-layout', 'andon-viewed'];

/** The newest files that this browser remembers as viewed. */
const MOST_VIEWED = 1000;

/** How this browser shows changes; the layout is remembered. */
const isSideBySide = signal(localStorage.getItem(LAYOUT) !== 'unified');
export const ignoresSpaces = signal(false);

function toggleLayout(): void {
  isSideBySide.value = !isSideBySide.value;
  localStorage.setItem(LAYOUT, isSideBySide.value ? 'side by side' : 'unified');
}

const viewed = signal<ReadonlySet<string>>(new Set(readViewed()));

function readViewed(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(VIEWED) ?? '[]') as readonly string[];
  } catch {
    return [];
  }
}

/** Whether a person has viewed a file of a change, which its name identifies with both commits. */
const isViewed = (name: string): boolean => viewed.value.has(name);

function markViewed(name: string, isMarked: boolean): void {
  const others = [...viewed.value].filter((one) => one !== name);
  viewed.value = new Set(isMarked ? [...others.slice(1 - MOST_VIEWED), name] : others);
  localStorage.setItem(VIEWED, JSON.stringify([...viewed.value]));
}

/** A canvas is not made larger. */
const MOST_PX = 1600;

/** The kinds of images that the board shows. */
const isImage = (path: string): boolean => /\.(?:png|jpe?g|gif|webp)$/i.test(path);

/** An image before and after a change. */
export function Images(props: {
  /** The address of the task. */
  readonly api: string;
  readonly before: ImageFile | undefined;
  readonly after: ImageFile | undefined;
}) {
  const { api, before, after } = props;
  return (
    <div class="images">
      {before === undefined ? null : <Picture name="Before" api={api} {...before} />}
      {after === undefined ? null : <Picture name="After" api={api} {...after} />}
    </div>
  );
}

interface ImageFile {
  /** The commit. */
  readonly at: string;
  readonly path: string;
}

/** Draws an image. A canvas takes pixels only: whatever else the file holds is never part of the page. */
function Picture(props: ImageFile & { readonly name: string; readonly api: string }) {
  const { name, api, at, path } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [said, setSaid] = useState('');
  const address = `${api}/image?at=${at}&path=${encodeURIComponent(path)}`;
  useEffect(() => {
    let isWanted = true;
    draw(address, () => (isWanted ? canvas.current : null)).then(
      (size) => isWanted && setSaid(size),
      (error: unknown) => isWanted && setSaid(getErrorMessage(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [address]);
  return (
    <figure>
      <canvas ref={canvas} width={0} height={0} role="img" aria-label={`${path} ${name.toLowerCase()}`} />
      <figcaption class="soft small">
        {name}
        {said === '' ? '' : `: ${said}`}
      </figcaption>
    </figure>
  );
}

/** Its size, in words. */
async function draw(address: string, find: () => HTMLCanvasElement | null): Promise<string> {
  const image = await createImageBitmap(await (await lookForAnswer(address)).blob());
  const { width, height } = image;
  const scale = Math.min(1, MOST_PX / Math.max(width, height));
  const canvas = find();
  if (canvas !== null) {
    [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  image.close();
  return `${width} × ${height}`;
}
