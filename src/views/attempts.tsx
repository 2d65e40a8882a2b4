import { describeFailedTests } from '../base/failed-tests.ts';
import type { ReportFacts } from '../line/documents/task-report/task-details.ts';
import { formatDuration, shortId } from '../line/documents/task-report/words.ts';
import { Chip, Sheet, When } from './parts.tsx';

export type AttemptFacts = ReportFacts['attempts'][number];

/** Every attempt with its ref and outcome, the takeovers, then the gates. */
export const Attempts = ({ report: { attempts, takeovers } }: { readonly report: ReportFacts }) =>
  attempts.length === 0 ? (
    <p class="soft">The implementer has not answered yet.</p>
  ) : (
    <>
      <Sheet name="attempts" heads={['Attempt', 'Change', 'Commit and ref', 'What became of it']}>
        {attempts.map((attempt) => (
          <AttemptRow key={`${attempt.number} ${attempt.at}`} attempt={attempt} />
        ))}
      </Sheet>
      {takeovers.length === 0 ? null : (
        <>
          <h3>Takeovers</h3>
          <Sheet name="takeovers" heads={['Took over', 'From', 'When', 'Why']}>
            {takeovers.map(({ from, to, at, why }) => (
              <tr key={at}>
                <td>{to}</td>
                <td>{from}</td>
                <td>
                  <When at={at} />
                </td>
                <td class="w">{why}</td>
              </tr>
            ))}
          </Sheet>
        </>
      )}
      <h3>Gates</h3>
      <Gates attempts={attempts} />
    </>
  );

const AttemptRow = ({
  attempt: { number, at, commit, ref, diff, notes, fate },
}: {
  readonly attempt: AttemptFacts;
}) => (
  <tr>
    <td class="k">{number}</td>
    <td>
      {diff ?? 'none'}
      <br />
      <span class="soft small">
        <When at={at} />
      </span>
    </td>
    <td>
      {commit === null ? (
        '–'
      ) : (
        <>
          <code>{shortId(commit)}</code>
          <br />
          <code class="soft">{ref ?? 'no ref holds it any more'}</code>
        </>
      )}
    </td>
    <td class="w">
      {fate}
      {notes.trim() === '' ? null : (
        <details>
          <summary>the implementer’s notes</summary>
          <pre>{notes}</pre>
        </details>
      )}
    </td>
  </tr>
);

/** The gates of some attempts; below, the failed tests and the output of those that block. */
export function Gates({ attempts }: { readonly attempts: readonly AttemptFacts[] }) {
  const gated = attempts.filter((attempt) => attempt.gates_tree !== null);
  const gates = gated.flatMap((attempt) => attempt.gates.map((gate) => ({ attempt, gate })));
  if (gated.length === 0) return <p class="soft">No gate has run.</p>;
  if (gates.length === 0) return <p class="soft">There is no gate: only the reviewers decide.</p>;
  return (
    <>
      <Sheet
        name="gates"
        heads={['Attempt', 'Gate', 'Outcome', 'Exit#', 'Tests passed#', 'Time#', 'On the base', 'Command']}
      >
        {gates.map(({ attempt, gate }) => (
          <GateRow key={`${attempt.at} ${gate.name}`} attempt={attempt} gate={gate} />
        ))}
      </Sheet>
      {gates.map(({ attempt, gate }) => (
        <GateOutput key={`${attempt.at} ${gate.name}`} number={attempt.number} gate={gate} />
      ))}
    </>
  );
}

type GateFacts = AttemptFacts['gates'][number];

function GateRow({ attempt, gate }: { readonly attempt: AttemptFacts; readonly gate: GateFacts }) {
  const { name, run, outcome, exit, ms, base, why, passed } = gate;
  const { number, tree, gates_tree: gatesTree, cage } = attempt;
  return (
    <tr>
      <td>
        {number}{' '}
        <span class="soft small">
          tree <code>{shortId(gatesTree ?? '')}</code>
          {tree === gatesTree ? '' : ', not that of the attempt'}, cage: {cage}
        </span>
      </td>
      <td>{name}</td>
      <td>
        <Chip tone={outcome === 'green' ? 'good' : 'bad'} text={outcome} />
        {why === undefined ? null : <span class="soft small"> {why}</span>}
      </td>
      <td class="n">{exit ?? '–'}</td>
      <td class="n">{passed ?? 'unknown'}</td>
      <td class="n">{formatDuration(ms)}</td>
      <td>{base}</td>
      <td class="w">
        <code>{run}</code>
      </td>
    </tr>
  );
}

/** The failed tests first, then what the gate printed last. */
const GateOutput = ({
  number,
  gate: { name, outcome, blocks, output, failures },
}: {
  readonly number: number;
  readonly gate: GateFacts;
}) => (
  <>
    {outcome === 'green' || failures === undefined ? null : <pre>{describeFailedTests(failures)}</pre>}
    {output.trim() === '' ? null : (
      <details open={blocks}>
        <summary>
          What {name} printed last in attempt {number}
        </summary>
        <pre tabIndex={0} aria-label={`what ${name} printed`}>
          {output}
        </pre>
      </details>
    )}
  </>
);
