import type { RoundFacts } from '../../line/reports/task-report/list-rounds.ts';
import { formatCount } from '../../base/format-count.ts';
import { Chip, Soft, Table, TitledList, When } from './parts.tsx';
import { formatPlace } from '../../base/format-place.ts';

type FindingFacts = RoundFacts['blocking'][number] | RoundFacts['others'][number];

export const Rounds = ({ rounds }: { readonly rounds: readonly RoundFacts[] }) =>
  rounds.length === 0 ? (
    <p class="soft">No change was reviewed yet.</p>
  ) : (
    <>
      {rounds.map((round) => (
        <Round key={nameRound(round)} round={round} />
      ))}
    </>
  );

const nameRound = ({ by, number }: RoundFacts): string => `${by === 'judge' ? 'Judge' : 'Local reviewer'} ${number}`;

const TONES: Readonly<Record<string, string>> = { PASS: 'good', CONDITIONAL: 'wait', NEEDS_REVIEW: 'wait' };

const Verdict = ({ verdict }: { readonly verdict: string }) => <Chip tone={TONES[verdict] ?? 'bad'} text={verdict} />;

function Round({ round }: { readonly round: RoundFacts }) {
  const { verdict, blocking, others, judged, at, attempt, led_to: led } = round;
  return (
    <>
      <h3>
        {nameRound(round)}: <Verdict verdict={verdict} />{' '}
        <Soft>
          attempt {attempt}, <When at={at} />
          {led === null ? '' : `, led to: ${led.reason} (${led.event})`}
        </Soft>
      </h3>
      {judged === null ? null : <p>{judged.summary}</p>}
      {judged === null || (judged.said === verdict && judged.why === '') ? null : (
        <p class="soft small">
          The judge wrote {judged.said}; andon makes it {verdict}. {judged.why}
        </p>
      )}
      {blocking.length + others.length === 0 ? (
        <p class="soft small">No finding.</p>
      ) : (
        <ul>
          {[...blocking, ...others].map((finding, at) => (
            <Finding key={at} finding={finding} />
          ))}
        </ul>
      )}
      {judged === null ? null : (
        <>
          <Evidence name={nameRound(round)} evidence={round.evidence} />
          <TitledList title="Required fixes" items={judged.fixes ?? []} />
          <TitledList title="Security flags" items={judged.security_flags ?? []} />
          <TitledList title="Suggestions" items={judged.suggestions ?? []} />
        </>
      )}
    </>
  );
}

function Finding({ finding }: { readonly finding: FindingFacts }) {
  const { file, line, severity, category, weight, unchanged, description, evidence, fix } = finding;
  const isGone = 'gone_in_next_round' in finding ? finding.gone_in_next_round : null;
  const notes = [
    severity,
    category,
    ...('gone_in_next_round' in finding ? [] : ['does not block']),
    ...(weight === undefined ? [] : [weight]),
    ...(unchanged === true ? ['on unchanged lines'] : []),
    ...(isGone === null ? [] : [`${isGone ? 'gone' : 'still there'} in the next round`]),
  ];
  return (
    <li>
      {file === undefined ? null : <code>{formatPlace(file, line)}</code>} {description} <Soft>{notes.join(', ')}</Soft>
      {evidence === undefined ? null : <blockquote class="soft">{evidence}</blockquote>}
      {fix === undefined ? null : <p class="soft small">Fix: {fix}</p>}
    </li>
  );
}

/** The lines that a judge quotes, as andon found them in the tree. */
const Evidence = ({ name, evidence }: { readonly name: string; readonly evidence: RoundFacts['evidence'] }) =>
  evidence.length === 0 ? (
    <p class="soft small">No evidence was quoted.</p>
  ) : (
    <details open>
      <summary>Evidence: {formatCount(evidence.length, 'quoted line')}</summary>
      <Table
        name={`evidence of ${name}`}
        heads={['Where', 'Quote*', 'In the tree']}
        rows={evidence.map(({ file, line, quote, found }) => [
          <code>{formatPlace(file, line)}</code>,
          <code>{quote}</code>,
          <span class={found ? 'good' : 'bad'}>{found ? 'found' : 'not found'}</span>,
        ])}
      />
    </details>
  );
