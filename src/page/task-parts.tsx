import { useState } from 'preact/hooks';
import type { AttemptFacts, FindingFacts, Piece, RoundFacts } from '../surfaces/web/told.ts';
import { Waits, When, useLooked } from './parts.tsx';

const TONES: Readonly<Record<string, string>> = { green: 'good', red: 'bad', PASS: 'good', FAIL: 'bad' };

/** The gates of an attempt, with what they printed. */
export const Gates = ({ attempt }: { readonly attempt: AttemptFacts }) =>
  attempt.gates.length === 0 ? (
    <p class="soft small">No gate ran.</p>
  ) : (
    <div>
      {attempt.gates.map(({ name, run, outcome, base, output }) => (
        <details key={name}>
          <summary>
            Gate {name}: <b class={TONES[outcome] ?? 'wait'}>{outcome}</b>{' '}
            <span class="soft small">(on the base: {base})</span>
          </summary>
          <pre>{run}</pre>
          {output === undefined || output === '' ? null : <pre>{output}</pre>}
        </details>
      ))}
    </div>
  );

/** What reviewers and judge found, at its lines. */
export const Rounds = ({ rounds }: { readonly rounds: readonly RoundFacts[] }) =>
  rounds.length === 0 ? null : (
    <section aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      {rounds.map((round) => (
        <div key={`${round.by}-${round.number}-${round.at}`}>
          <h3>
            {round.by}, round {round.number} of attempt {round.attempt}:{' '}
            <span class={TONES[round.verdict] ?? ''}>{round.verdict}</span>{' '}
            <span class="soft small">
              <When at={round.at} />
            </span>
          </h3>
          {round.blocking.length + round.others.length === 0 ? <p class="soft small">No finding.</p> : null}
          {[...round.blocking, ...round.others].map((finding, at) => (
            <Finding key={at} finding={finding} />
          ))}
        </div>
      ))}
    </section>
  );

const Finding = ({ finding }: { readonly finding: FindingFacts }) => (
  <div>
    <p>
      <b>{finding.severity}</b> {finding.category}{' '}
      {finding.file === undefined ? null : (
        <code>{`${finding.file}${finding.line === undefined ? '' : `:${finding.line}`}`}</code>
      )}
    </p>
    <blockquote>{finding.description}</blockquote>
    {finding.evidence === undefined ? null : <blockquote class="soft">{finding.evidence}</blockquote>}
    {finding.fix === undefined ? null : <p class="small">Fix: {finding.fix}</p>}
  </div>
);

/** What was sent to an agent or what it answered, a piece at a time. */
export function CallText({ where, what }: { readonly where: string; readonly what: 'prompt' | 'answer' }) {
  const [isOpen, setOpen] = useState(false);
  const [from, setFrom] = useState(0);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{what}</summary>
      {isOpen ? <PieceOf path={`${where}/${what}?from=${from}`} goTo={setFrom} /> : null}
    </details>
  );
}

function PieceOf({ path, goTo }: { readonly path: string; readonly goTo: (from: number) => void }) {
  const { value, why } = useLooked<Piece>(path);
  if (value === undefined) return <Waits why={why} />;
  const { text, from, total } = value;
  const next = from + text.length;
  return (
    <>
      <pre tabIndex={0}>{text}</pre>
      {from === 0 && next >= total ? null : (
        <p class="actions small">
          <button disabled={from === 0} onClick={() => goTo(Math.max(0, from - 100_000))}>
            Before
          </button>
          characters {from + 1} to {Math.min(next, total)} of {total}
          <button disabled={next >= total} onClick={() => goTo(from + 100_000)}>
            Further
          </button>
        </p>
      )}
    </>
  );
}
