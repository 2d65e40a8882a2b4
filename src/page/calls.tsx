import { useState } from 'preact/hooks';
import { formatNumber } from '../line/reports/task-report/words.ts';
import type { Piece } from '../app/web/api-types.ts';
import { CallCells, type CallFacts } from '../app/views/calls.tsx';
import { LoadingNotice, useLooked } from './parts.tsx';

interface Wanted {
  readonly own: string;
  readonly call: number;
  readonly what: 'prompt' | 'answer';
}

/** A call that opens in place: its prompt and its answer. */
export function CallRow({ own, call }: { readonly own: string; readonly call: CallFacts }) {
  const [what, setWhat] = useState<Wanted['what']>();
  return (
    <>
      <tr>
        <CallCells call={call} />
        <td class="k">
          {(['prompt', 'answer'] as const).map((one) => (
            <button
              key={one}
              class="inline"
              aria-expanded={what === one}
              onClick={() => setWhat(what === one ? undefined : one)}
            >
              {one} <span class="hidden">of call {call.call}</span>
            </button>
          ))}
        </td>
      </tr>
      {what === undefined ? null : (
        <tr>
          <td colSpan={8}>
            <Pieces key={what} own={own} call={call.call} what={what} />
          </td>
        </tr>
      )}
    </>
  );
}

function Pieces({ own, call, what }: Wanted) {
  const [begins, setBegins] = useState<readonly number[]>([0]);
  const { value, why } = useLooked<Piece>(`/api/tasks/${own}/calls/${call}/${what}?from=${begins.at(-1) ?? 0}`);
  if (value === undefined) return <LoadingNotice why={why} />;
  const { text, from, to, total } = value;
  return (
    <>
      <pre tabIndex={0} aria-label={`${what} of call ${call}`}>
        {text}
      </pre>
      {from === 0 && to >= total ? null : (
        <p class="actions small">
          <button disabled={begins.length === 1} onClick={() => setBegins(begins.slice(0, -1))}>
            Before
          </button>
          bytes {formatNumber(from + 1)} to {formatNumber(to)} of {formatNumber(total)}
          <button disabled={to >= total} onClick={() => setBegins([...begins, to])}>
            Further
          </button>
        </p>
      )}
    </>
  );
}
