import { formatDollars, formatDuration, formatNumber } from '../line/documents/task-report/words.ts';
import type { CostsResponse } from '../surfaces/web/api-types.ts';
import { board } from './live.ts';
import { Table } from '../views/parts.tsx';
import { LoadingNotice, useLooked } from './parts.tsx';
import { toTask } from './current-route.ts';

export function CostsPage() {
  const { value, why } = useLooked<CostsResponse>('/api/costs');
  if (value === undefined) return <LoadingNotice why={why} />;
  const nameOf = (id: string): string => board.value?.repositories.find((one) => one.id === id)?.name ?? id;
  const most = Math.max(0.0001, ...value.days.map(({ usd }) => usd));
  return (
    <>
      <h1>Insights</h1>
      <h2>By day</h2>
      <Table
        name="costs by day"
        heads={['Day', 'Dollars#', '', 'Agents#', 'Tasks#']}
        rows={value.days.map((one) => [
          one.day,
          formatCost(one),
          <progress max={most} value={one.usd} aria-label={`dollars on ${one.day}`} />,
          formatDuration(one.minutes * 60_000),
          one.tasks,
        ])}
      />
      <h2>By task</h2>
      <Table
        name="costs by task"
        heads={['Task', 'Repository', 'Dollars#', 'Tokens#', 'Agents#', 'Calls#']}
        rows={value.tasks
          .toReversed()
          .map((one) => [
            <a href={toTask(one.repository, one.task_id)}>{one.task_id}</a>,
            nameOf(one.repository),
            formatCost(one),
            formatNumber(one.tokensIn + one.tokensOut),
            formatDuration(one.minutes * 60_000),
            one.calls,
          ])}
      />
      <h2>Agents</h2>
      <Table
        name="records of agents"
        heads={[
          'Station',
          'Model',
          'Repository',
          'Calls#',
          'Failed#',
          'Changes#',
          'Gate red#',
          'Merged#',
          'Dollars#',
          'Time#',
        ]}
        rows={value.agents.map((one) => [
          one.station,
          one.model || one.agent,
          nameOf(one.repository),
          one.cost.calls,
          one.failedCalls,
          one.changes,
          one.gateRed,
          one.merged,
          formatCost(one.cost),
          formatDuration(one.cost.minutes * 60_000),
        ])}
      />
      <h2>Reviewers</h2>
      <p class="soft small">
        Confirmed: another change came after what blocked, or a judge blocked on that tree too. Refuted: a judge passed
        the tree, others refuted it by a citation, or it was taken back. Dropped: it cited nothing that is there.
      </p>
      <Table
        name="ledger of reviewers"
        heads={[
          'Reviewer',
          'Model',
          'Repository',
          'Calls#',
          'No vote#',
          'Findings#',
          'Confirmed#',
          'Refuted#',
          'Style#',
          'Unique#',
          'Dropped#',
          'Dollars#',
        ]}
        rows={value.reviewers.map((one) => [
          one.reviewer,
          one.model || one.agent,
          nameOf(one.repository),
          one.calls,
          one.noVotes,
          one.findings,
          one.confirmed,
          one.refuted,
          one.style,
          one.unique,
          one.dropped,
          formatCost(one.cost),
        ])}
      />
    </>
  );
}

const formatCost = ({ usd, unknown }: Pick<CostsResponse['days'][number], 'usd' | 'unknown'>): string =>
  `${unknown > 0 ? 'at least ' : ''}${formatDollars(usd)}`;
