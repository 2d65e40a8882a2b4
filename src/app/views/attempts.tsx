import { describeFailedTests } from '../../base/failure-excerpt.ts';
import type { AttemptFacts } from '../../line/reports/task-report/list-attempts.ts';
import type { ReportFacts } from '../../line/reports/task-report/task-details.ts';
import { formatDuration, shortId } from '../../line/reports/task-report/format-figures.ts';
import { Chip, Soft, Table, When } from './parts.tsx';

export const Attempts = ({ report: { attempts, takeovers } }: { readonly report: ReportFacts }) =>
  attempts.length === 0 ? (
    <p class="soft">The implementer has not answered yet.</p>
  ) : (
    <>
      <Table
        name="attempts"
        heads={['Attempt', 'When', 'Change', 'What became of it*', 'Commit', 'Ref*']}
        rows={attempts.map(({ number, at, commit, ref, diff, notes, fate }) => [
          number,
          <When at={at} />,
          diff ?? 'none',
          <>
            {fate}
            {notes.trim() === '' ? null : <Folded title="the implementer’s notes" text={notes} />}
          </>,
          commit === null ? '–' : <code>{shortId(commit)}</code>,
          commit === null ? '–' : <code>{ref ?? 'no ref holds it any more'}</code>,
        ])}
      />
      {takeovers.length === 0 ? null : (
        <>
          <h3>Takeovers</h3>
          <Table
            name="takeovers"
            heads={['Took over', 'From', 'When', 'Why*']}
            rows={takeovers.map(({ from, to, at, why }) => [to, from, <When at={at} />, why])}
          />
        </>
      )}
      <h3>Gates</h3>
      <Gates attempts={attempts} />
    </>
  );

/** The gates of some attempts; below, the failed tests and the output of those that block. */
export function Gates({ attempts }: { readonly attempts: readonly AttemptFacts[] }) {
  const gated = attempts.filter((attempt) => attempt.gates_tree !== null);
  const gates = gated.flatMap((attempt) => attempt.gates.map((gate) => ({ ...gate, attempt })));
  if (gated.length === 0) return <p class="soft">No gate has run.</p>;
  if (gates.length === 0) return <p class="soft">There is no gate: only the reviewers decide.</p>;
  return (
    <>
      <Table
        name="gates"
        heads={['Attempt', 'Gate', 'Outcome', 'Exit#', 'Tests passed#', 'Time#', 'On the base', 'Command*']}
        rows={gates.map(({ attempt, name, run, outcome, exit, ms, base, why, passed }) => [
          <>
            {attempt.number} <Soft>{describeTree(attempt)}</Soft>
          </>,
          name,
          <>
            <Chip tone={outcome === 'green' ? 'good' : 'bad'} text={outcome} /> <Soft>{why}</Soft>
          </>,
          exit ?? '–',
          passed ?? 'unknown',
          formatDuration(ms),
          base,
          <code>{run}</code>,
        ])}
      />
      {gates.map(({ attempt, name, outcome, blocks, output, failures }) => (
        <div key={`${attempt.at} ${name}`}>
          {outcome === 'green' || failures === undefined ? null : <pre>{describeFailedTests(failures)}</pre>}
          {output.trim() === '' ? null : (
            <Folded title={`What ${name} printed last in attempt ${attempt.number}`} text={output} isOpen={blocks} />
          )}
        </div>
      ))}
    </>
  );
}

const describeTree = ({ tree, gates_tree: gatesTree, cage }: AttemptFacts): string =>
  `tree ${shortId(gatesTree ?? '')}${tree === gatesTree ? '' : ', not that of the attempt'}, cage: ${cage ?? 'unknown'}`;

const Folded = (props: { readonly title: string; readonly text: string; readonly isOpen?: boolean }) => (
  <details open={props.isOpen}>
    <summary>{props.title}</summary>
    <pre tabIndex={0} aria-label={props.title}>
      {props.text}
    </pre>
  </details>
);
