import { describeFailedTests } from '../base/failed-tests.ts';
import type { AttemptFacts, RoundFacts } from '../surfaces/web/api-types.ts';
import { Sheet, When } from './parts.tsx';

const TONES: Readonly<Record<string, string>> = { green: 'good', red: 'bad', PASS: 'good', FAIL: 'bad' };

/** The gates of an attempt, with their output. */
export const Gates = ({ attempt }: { readonly attempt: AttemptFacts }) =>
  attempt.gates.length === 0 ? (
    <p class="soft small">No gate ran.</p>
  ) : (
    <div>
      {attempt.gates.map(({ name, run, outcome, base, output, failures }) => (
        <div key={name}>
          <details>
            <summary>
              Gate {name}: <b class={TONES[outcome] ?? 'wait'}>{outcome}</b>{' '}
              <span class="soft small">(on the base: {base})</span>
            </summary>
            <pre>{run}</pre>
            {output === '' ? null : (
              <pre tabIndex={0} aria-label={`what ${name} printed`}>
                {output}
              </pre>
            )}
          </details>
          {outcome === 'green' || failures === undefined ? null : <pre>{describeFailedTests(failures)}</pre>}
        </div>
      ))}
    </div>
  );

/** The findings of reviewers and judge, at their lines, and the judge's report. */
export const Rounds = ({ rounds }: { readonly rounds: readonly RoundFacts[] }) =>
  rounds.length === 0 ? null : (
    <section aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      {rounds.map((round) => (
        <div key={`${round.by}-${round.reviewer}-${round.number}`}>
          <h3>
            {round.by === round.reviewer ? round.by : `${round.by} ${round.reviewer}`}, round {round.number} of attempt{' '}
            {round.attempt}: <span class={TONES[round.verdict] ?? ''}>{round.verdict}</span>{' '}
            <span class="soft small">
              <When at={round.at} />
            </span>
          </h3>
          {round.judged === null ? null : <p>{round.judged.summary}</p>}
          {round.blocking.length + round.others.length === 0 ? <p class="soft small">No finding.</p> : null}
          {[...round.blocking, ...round.others].map((finding, at) => (
            <Finding key={at} finding={finding} />
          ))}
          {round.judged === null ? null : <Judged round={round} judged={round.judged} />}
        </div>
      ))}
    </section>
  );

const Finding = ({ finding }: { readonly finding: RoundFacts['others'][number] }) => (
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

/** The judge's report beyond its findings: its verdict, and its evidence as verified by andon. */
function Judged({
  round: { verdict, evidence, number },
  judged: { said, why, fixes = [], suggestions = [], security_flags: flags = [] },
}: {
  readonly round: RoundFacts;
  readonly judged: NonNullable<RoundFacts['judged']>;
}) {
  const lists = [
    ['Required fixes', fixes],
    ['Security flags', flags],
    ['Suggestions', suggestions],
  ] as const;
  return (
    <>
      {said === verdict && why === '' ? null : (
        <p class="small">
          The judge wrote {said}; andon makes it {verdict}. {why}
        </p>
      )}
      {evidence.length === 0 ? (
        <p class="soft small">No evidence was quoted.</p>
      ) : (
        <Sheet name={`evidence of the judge, round ${number}`} heads={['Where', 'Quote', 'In the tree']}>
          {evidence.map(({ file, line, quote, found }, at) => (
            <tr key={at}>
              <td>
                <code>{`${file}${line === null ? '' : `:${line}`}`}</code>
              </td>
              <td>
                <code>{quote}</code>
              </td>
              <td class={found ? 'good' : 'bad'}>{found ? 'found' : 'not found'}</td>
            </tr>
          ))}
        </Sheet>
      )}
      {lists
        .filter(([, items]) => items.length > 0)
        .map(([name, items]) => (
          <div key={name}>
            <p class="soft small">{name}</p>
            <ul>
              {items.map((item, at) => (
                <li key={at}>{item}</li>
              ))}
            </ul>
          </div>
        ))}
    </>
  );
}
