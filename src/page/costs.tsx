import { count, dollars, duration, grouped } from '../line/documents/task-report/words.ts';
import type { CostsTold } from '../surfaces/web/told.ts';
import { board } from './live.ts';
import { Sheet, Waits, useLooked } from './parts.tsx';
import { toTask } from './way.ts';

/** What was used, by day and by task, and what became of the work of each agent. */
export function CostsPage() {
  const { value, why } = useLooked<CostsTold>('/api/costs');
  if (value === undefined) return <Waits why={why} />;
  const nameOf = (id: string): string => board.value?.repositories.find((one) => one.id === id)?.name ?? id;
  const days = Object.entries(Object.groupBy(value.tasks, ({ day }) => day)).toSorted(([one], [two]) =>
    two.localeCompare(one),
  );
  const most = Math.max(0.0001, ...days.map(([, tasks = []]) => tasks.reduce((sum, { usd }) => sum + usd, 0)));
  const lower = (unknown: number): string => (unknown > 0 ? 'at least ' : '');
  return (
    <>
      <h1>Costs</h1>
      <h2>By day</h2>
      <Sheet name="costs by day" heads={['Day', 'Dollars', '', 'Agents', 'Tasks']}>
        {days.map(([day, tasks = []]) => {
          const usd = tasks.reduce((sum, one) => sum + one.usd, 0);
          return (
            <tr key={day}>
              <td>{day}</td>
              <td class="n">
                {lower(tasks.reduce((sum, { unknown }) => sum + unknown, 0))}
                {dollars(usd)}
              </td>
              <td>
                <progress max={most} value={usd} aria-label={`dollars on ${day}`} />
              </td>
              <td class="n">{duration(tasks.reduce((sum, { minutes }) => sum + minutes, 0) * 60_000)}</td>
              <td class="n">{tasks.length}</td>
            </tr>
          );
        })}
      </Sheet>
      <h2>By task</h2>
      <Sheet name="costs by task" heads={['Task', 'Repository', 'Dollars', 'Tokens', 'Agents', 'Calls']}>
        {value.tasks.toReversed().map((one) => (
          <tr key={`${one.repository} ${one.task_id}`}>
            <td>
              <a href={toTask(one.repository, one.task_id)}>{one.task_id}</a>
            </td>
            <td>{nameOf(one.repository)}</td>
            <td class="n">
              {lower(one.unknown)}
              {dollars(one.usd)}
            </td>
            <td class="n">{grouped(one.tokens)}</td>
            <td class="n">{duration(one.minutes * 60_000)}</td>
            <td class="n">{one.calls}</td>
          </tr>
        ))}
      </Sheet>
      <h2>Agents and reviewers</h2>
      <Sheet
        name="records of agents"
        heads={['Station', 'Model', 'Repository', 'Calls', 'Changes', 'Gate red', 'Merged', 'Findings held', 'Dollars']}
      >
        {value.agents.map((one) => (
          <tr key={`${one.repository} ${one.station} ${one.model}`}>
            <td>{one.station}</td>
            <td>{one.model}</td>
            <td>{nameOf(one.repository)}</td>
            <td class="n">{one.calls}</td>
            <td class="n">{one.changes}</td>
            <td class="n">{one.gate_red}</td>
            <td class="n">{one.merged}</td>
            <td class="n">
              {one.findings === 0 ? 'none' : `${one.findings_held} of ${count(one.findings, 'finding')}`}
            </td>
            <td class="n">{dollars(one.usd)}</td>
          </tr>
        ))}
      </Sheet>
    </>
  );
}
