import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { listTaskOutput } from '../line/board/call-output.ts';
import type { LiveResponse } from '../app/web/api-types.ts';
import { look } from './ask.ts';
import { outputs } from './live.ts';

/** The last line that a task's agent has written. */
export function LiveLine({ of }: { readonly of: { readonly repository: string; readonly task_id: string | null } }) {
  const line = listTaskOutput(outputs.value, of).at(-1)?.line ?? '';
  return line === '' ? null : <p class="live-line">{line}</p>;
}

/** The last lines of a task's running calls, as they are written. */
export function LiveOutput({ repository, task }: { readonly repository: string; readonly task: string }) {
  const mark = listTaskOutput(outputs.value, { repository, task_id: task })
    .map(({ call, count, line }) => `${call} ${count} ${line}`)
    .join('\n');
  const [calls, setCalls] = useState<LiveResponse['calls']>([]);
  const latest = useRef(mark);
  const isBusy = useRef(false);
  latest.current = mark;
  useEffect(() => {
    // One request at a time: a slow line gets fewer, newer answers.
    const load = async (): Promise<void> => {
      const of = latest.current;
      const path = `/api/tasks/${encodeURIComponent(repository)}/${encodeURIComponent(task)}/live`;
      const answer = await look<LiveResponse>(path).catch(() => undefined);
      if (answer !== undefined) setCalls(answer.calls);
      if (answer !== undefined && latest.current !== of) return load();
      isBusy.current = false;
    };
    if (mark === '') setCalls([]);
    else if (!isBusy.current) {
      isBusy.current = true;
      void load();
    }
  }, [mark]);
  if (mark === '' || calls.length === 0) return null;
  return (
    <section aria-labelledby="live">
      <h2 id="live">Live</h2>
      {calls.map(({ call, station, lines }) => (
        <Tail key={call} name={`${station}, call ${call}`} text={lines.join('\n')} />
      ))}
    </section>
  );
}

/** Follows the end, unless the reader has scrolled up. */
function Tail({ name, text }: { readonly name: string; readonly text: string }) {
  const shown = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = shown;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [text]);
  const scrolled = ({ currentTarget: one }: { readonly currentTarget: HTMLElement }): void => {
    isAtEnd.current = one.scrollHeight - one.scrollTop - one.clientHeight < 24;
  };
  return (
    <>
      <p class="soft small">{name}</p>
      <pre class="live-tail" ref={shown} tabIndex={0} aria-label={`output of the ${name}`} onScroll={scrolled}>
        {text}
      </pre>
    </>
  );
}
