import type { ComponentChildren } from 'preact';
import type { TaskDetails } from '../../line/reports/task-report/task-details.ts';
import { formatCount } from '../../base/format-count.ts';
import { Attempts } from './attempts.tsx';
import { Calls, CostSheet, type CallFacts } from './calls.tsx';
import { Halts } from './halts.tsx';
import { Chip, FactSheet, Table, TitledList, When, Words, type PageSection } from './parts.tsx';
import { Rounds } from './review-rounds.tsx';
import { Timeline } from './timeline.tsx';

/** The tabs of a task on a board; a page for a file shows all of them. */
export const TASK_TABS = ['Change', 'Review', 'Calls', 'Contract', 'Log'] as const;
export type TaskTab = (typeof TASK_TABS)[number];

interface TaskSection extends PageSection {
  /** Undefined: shown above the tabs. */
  readonly tab: TaskTab | undefined;
}

export function TaskHeader({ details }: { readonly details: TaskDetails }) {
  const { report, word, tone } = details;
  return (
    <>
      <p class="soft small">
        {report.project} · {report.task_id} · {report.branch} → {report.target}
        {report.diff === null ? '' : ` · ${report.diff}`}
      </p>
      <h1>
        {report.title} <Chip tone={tone} text={word} />
      </h1>
      <p>{report.outcome}</p>
      {report.journal_is_whole ? null : (
        <p class="bad">The journal is not as andon wrote it: see andon doctor --journal.</p>
      )}
    </>
  );
}

export const KeyFigures = ({ figures }: Pick<TaskDetails, 'figures'>) => (
  <dl class="figures">
    {figures.map(([name, value, more]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {more === '' ? null : <small>{more}</small>}
        </dd>
      </div>
    ))}
  </dl>
);

export interface TaskSlots {
  readonly change: ComponentChildren;
  readonly callRow?: (call: CallFacts) => ComponentChildren;
}

/** The sections of a task, in the order in which they are read. */
export function listTaskSections(details: TaskDetails, { change, callRow }: TaskSlots): readonly TaskSection[] {
  const { report, contract, calls, story } = details;
  return [
    { id: 'time', title: 'Timeline', tab: undefined, body: <Timeline report={report} /> },
    { id: 'change', title: 'Change', tab: 'Change', body: change },
    { id: 'attempts', title: 'Attempts and gates', tab: 'Change', body: <Attempts report={report} /> },
    { id: 'rounds', title: 'Findings by round', tab: 'Review', body: <Rounds rounds={report.rounds} /> },
    { id: 'halts', title: 'Halts and answers', tab: 'Review', body: <Halts report={report} /> },
    {
      id: 'calls',
      title: formatCount(calls.length, 'call'),
      tab: 'Calls',
      body: <Calls calls={calls} row={callRow} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      tab: 'Calls',
      body: <CostSheet rows={report.cost_by_role} total={details.cost_total} />,
    },
    { id: 'contract', title: 'Contract', tab: 'Contract', body: <Contract contract={contract} /> },
    { id: 'proof', title: 'Verification', tab: 'Log', body: <Proof report={report} /> },
    { id: 'breakers', title: 'Breakers', tab: 'Log', body: <Breakers breakers={details.breakers} /> },
    { id: 'story', title: `Story (${story.length})`, tab: 'Log', body: <Story story={story} /> },
  ];
}

const Contract = ({ contract }: { readonly contract: TaskDetails['contract'] }) => (
  <>
    <TitledList title="Requirements" items={contract.requirements} />
    <TitledList title="Acceptance criteria" items={contract.criteria} />
    {contract.checklist === null ? null : (
      <TitledList title={`Checklist: ${contract.checklist.summary}`} items={contract.checklist.items} />
    )}
    <h3>Scope, limits and roles</h3>
    <FactSheet name="scope, limits and roles" facts={contract.bounds} />
    <details>
      <summary>The contract as JSON</summary>
      <pre tabIndex={0} aria-label="the contract">
        {contract.document}
      </pre>
    </details>
  </>
);

/** References for verification: ids in git and journal, and the commands that check them. */
const Proof = ({ report }: { readonly report: TaskDetails['report'] }) => (
  <>
    <FactSheet name="verification" facts={Object.entries(report.verification)} />
    <p class="soft small">
      Check it yourself:{' '}
      <code>
        git rev-parse {report.commit ?? report.branch}^{'{tree}'}
      </code>{' '}
      prints the tree;{' '}
      {report.merged_as === null ? null : (
        <>
          <code>git log --first-parent {report.target}</code> shows the merge, which has the judged files under the
          final message;{' '}
        </>
      )}
      <code>andon show {report.task_id} --explain</code> asks every breaker again.
    </p>
  </>
);

const Breakers = ({ breakers }: { readonly breakers: TaskDetails['breakers'] }) => (
  <details>
    <summary>Every breaker's answer</summary>
    <ul>
      {breakers.map(({ id, question, answer }) => (
        <li key={id}>
          <b>{id}</b> <Words text={question} /> <span class={answer === 'no' ? 'soft' : 'bad'}>{answer}</span>
        </li>
      ))}
    </ul>
  </details>
);

const Story = ({ story }: { readonly story: TaskDetails['story'] }) => (
  <details>
    <summary>{formatCount(story.length, 'line')}, from the journal</summary>
    <Table name="story" heads={['When', 'What*']} rows={story.map(({ at, text }) => [<When at={at} />, text])} />
  </details>
);
