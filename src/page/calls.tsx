import { useState } from 'preact/hooks';
import { formatCount, formatDollars, formatDuration, formatNumber } from '../line/documents/task-report/words.ts';
import type { CallResponse, Piece } from '../surfaces/web/api-types.ts';
import { LoadingNotice, useLooked } from './parts.tsx';

/** Every call of an agent: worker, usage, prompt and answer. */
export const Calls = ({ calls, own }: { readonly calls: readonly CallResponse[]; readonly own: string }) => (
  <section aria-labelledby="calls">
    <h2 id="calls">{formatCount(calls.length, 'call')}</h2>
    <ul class="rows">
      {calls.map(({ call, station, model, ok, why, ms, usd, tokens }) => (
        <li key={call} class="row">
          <div class="head">
            <b>
              {call}. {station}
            </b>
            <span>{model}</span>
            <span class="age">
              {formatDuration(ms)}, {usd === null ? 'dollars unknown' : formatDollars(usd)},{' '}
              {tokens === null ? 'tokens unknown' : `${formatNumber(tokens)} tokens`}
            </span>
          </div>
          {ok ? null : <p class="bad small">{why ?? 'came to nothing'}</p>}
          <CallText own={own} call={call} what="prompt" />
          <CallText own={own} call={call} what="answer" />
        </li>
      ))}
    </ul>
  </section>
);

interface Wanted {
  readonly own: string;
  readonly call: number;
  readonly what: 'prompt' | 'answer';
}

/** A prompt or an answer, page by page. */
function CallText(wanted: Wanted) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {wanted.what} <span class="hidden">of call {wanted.call}</span>
      </summary>
      {isOpen ? <Pieces {...wanted} /> : null}
    </details>
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
