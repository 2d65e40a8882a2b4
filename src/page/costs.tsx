import { formatDollars, formatDuration, formatNumber } from '../line/documents/task-report/words.ts';
import type { CostsResponse } from '../surfaces/web/api-types.ts';
import { board } from './live.ts';
import { Sheet } from '../views/parts.tsx';
import { LoadingNotice, useLooked } from './parts.tsx';
import { toTask } from './current-route.ts';

/** Usage by day and task, and the outcome of each agent's work. */
export function CostsPage() {
  const { value, why } = useLooked<CostsResponse>('/api/costs');
  if (value === undefined) return <LoadingNotice why={why} />;
  const nameOf = (id: string): string => board.value?.repositories.find((one) => one.id === id)?.name ?? id;
  const most = Math.max(0.0001, ...value.days.map(({ usd }) => usd));
  return (
    <>
      <h1>Insights</h1>
      <h2>By day</h2>
      <Sheet name="costs by day" heads={['Day', 'Dollars', '', 'Agents', 'Tasks']}>
        {value.days.map(({ day, usd, unknown, minutes, tasks }) => (
          <tr key={day}>
            <td>{day}</td>
            <Dollars cost={{ usd, unknown }} />
            <td>
              <progress max={most} value={usd} aria-label={`dollars on ${day}`} />
            </td>
            <td class="n">{formatDuration(minutes * 60_000)}</td>
            <td class="n">{tasks}</td>
          </tr>
        ))}
      </Sheet>
      <h2>By task</h2>
      <Sheet name="costs by task" heads={['Task', 'Repository', 'Dollars', 'Tokens', 'Agents', 'Calls']}>
        {value.tasks.toReversed().map((one) => (
          <tr key={`${one.repository} ${one.task_id}`}>
            <td>
              <a href={toTask(one.repository, one.task_id)}>{one.task_id}</a>
            </td>
            <td>{nameOf(one.repository)}</td>
            <Dollars cost={one} />
            <td class="n">{formatNumber(one.tokensIn + one.tokensOut)}</td>
            <td class="n">{formatDuration(one.minutes * 60_000)}</td>
            <td class="n">{one.calls}</td>
          </tr>
        ))}
      </Sheet>
      <h2>Agents</h2>
      <Sheet
        name="records of agents"
        heads={[
          'Station',
          'Model',
          'Repository',
          'Calls',
          'Failed',
          'Changes',
          'Gate red',
          'Merged',
          'Dollars',
          'Time',
        ]}
      >
        {value.agents.map((one) => (
          <tr key={`${one.repository} ${one.station} ${one.agent} ${one.model}`}>
            <td>{one.station}</td>
            <td>{one.model === '' ? one.agent : one.model}</td>
            <td>{nameOf(one.repository)}</td>
            <td class="n">{one.cost.calls}</td>
            <td class="n">{one.failedCalls}</td>
            <td class="n">{one.changes}</td>
            <td class="n">{one.gateRed}</td>
            <td class="n">{one.merged}</td>
            <Dollars cost={one.cost} />
            <td class="n">{formatDuration(one.cost.minutes * 60_000)}</td>
          </tr>
        ))}
      </Sheet>
      <h2>Reviewers</h2>
      <p class="soft small">
        Confirmed: another change came after what blocked, or a judge blocked on that tree too. Refuted: a judge passed
        the tree, others refuted it by a citation, or it was taken back. Dropped: it cited nothing that is there.
      </p>
      <Sheet
        name="ledger of reviewers"
        heads={['Reviewer', 'Model', 'Repository', 'Calls', 'No vote', ...KINDS.map(([head]) => head), 'Dollars']}
      >
        {value.reviewers.map((one) => (
          <tr key={`${one.repository} ${one.station} ${one.reviewer} ${one.agent} ${one.model}`}>
            <td>{one.reviewer}</td>
            <td>{one.model === '' ? one.agent : one.model}</td>
            <td>{nameOf(one.repository)}</td>
            <td class="n">{one.calls}</td>
            <td class="n">{one.noVotes}</td>
            {KINDS.map(([head, kind]) => (
              <td key={head} class="n">
                {one[kind]}
              </td>
            ))}
            <Dollars cost={one.cost} />
          </tr>
        ))}
      </Sheet>
    </>
  );
}

/** The counts of a reviewer's findings. */
const KINDS = [
  ['Findings', 'findings'],
  ['Confirmed', 'confirmed'],
  ['Refuted', 'refuted'],
  ['Style', 'style'],
  ['Unique', 'unique'],
  ['Dropped', 'dropped'],
] as const;

const Dollars = ({
  cost: { usd, unknown },
}: {
  readonly cost: Pick<CostsResponse['days'][number], 'usd' | 'unknown'>;
}) => (
  <td class="n">
    {unknown > 0 ? 'at least ' : ''}
    {formatDollars(usd)}
  </td>
);
