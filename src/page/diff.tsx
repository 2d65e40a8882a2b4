import { useState } from 'preact/hooks';
import type { DiffTold } from '../surfaces/web/told.ts';
import { Waits, useLooked } from './parts.tsx';

/** So many lines of a file are drawn at once: what nobody reads freezes nobody. */
const LINES = 1500;
/** A line that is longer is cut: a minified file is one. */
const WIDTH = 600;

interface Asked {
  readonly repository: string;
  readonly task: string;
  readonly from: string;
  readonly to: string;
}

const pathOf = ({ repository, task, from, to }: Asked): string =>
  `/api/tasks/${encodeURIComponent(repository)}/${encodeURIComponent(task)}/diff?from=${from}&to=${to}`;

/** What lies between two commits, file by file; a file is looked up when it is opened. */
export function Diff(props: Asked) {
  const { value, why } = useLooked<DiffTold>(pathOf(props));
  if (value === undefined) return <Waits why={why} />;
  if (value.files.length === 0) return <p class="soft">No difference.</p>;
  return (
    <div>
      {value.files.map(({ name, added, deleted }, at) => (
        <File
          key={name}
          {...props}
          at={at}
          name={name}
          size={`+${added} -${deleted}`}
          isOpen={value.files.length === 1}
        />
      ))}
      {value.hidden === 0 ? null : (
        <p class="soft">
          {value.hidden} more files: andon diff {props.task}
        </p>
      )}
    </div>
  );
}

function File(
  props: Asked & { readonly at: number; readonly name: string; readonly size: string; readonly isOpen: boolean },
) {
  const [isOpen, setOpen] = useState(props.isOpen);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{props.name}</code> <span class="soft small">{props.size}</span>
      </summary>
      {isOpen ? <Text {...props} /> : null}
    </details>
  );
}

function Text(props: Asked & { readonly at: number; readonly name: string }) {
  const [shown, setShown] = useState(LINES);
  const { value, why } = useLooked<DiffTold>(`${pathOf(props)}&file=${props.at}`);
  if (value === undefined || value.text === null) return <Waits why={why} />;
  const lines = value.text.replace(/\n$/, '').split('\n');
  const first = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('@@')),
  );
  return (
    <>
      <pre class="diff" tabIndex={0} aria-label={`changes in ${props.name}`}>
        {lines.slice(first, first + shown).map((line, at) => (
          <span key={at} class={KINDS[line[0] ?? ''] ?? ''}>
            {line.length > WIDTH ? `${line.slice(0, WIDTH)}… (${line.length - WIDTH} more characters)` : line}
          </span>
        ))}
      </pre>
      {lines.length - first > shown ? (
        <button onClick={() => setShown(shown + LINES)}>{lines.length - first - shown} more lines</button>
      ) : null}
      {value.cut === 0 ? null : (
        <p class="soft">
          {value.cut} more characters: andon diff {props.task}
        </p>
      )}
    </>
  );
}

const KINDS: Readonly<Record<string, string>> = { '+': 'a', '-': 'd', '@': 'h' };
