import type { ComponentChildren } from 'preact';
import type { TaskDetails } from '../line/documents/task-report/task-details.ts';
import { formatDollars, formatDuration, formatNumber } from '../line/documents/task-report/words.ts';
import { Sheet } from './parts.tsx';

export type CallFacts = TaskDetails['calls'][number];

/** Every call of an agent, as a dense table; `row` draws one, so that a board can open it in place. */
export const Calls = ({
  calls,
  row = (call) => (
    <tr key={call.call}>
      <CallCells call={call} />
    </tr>
  ),
}: {
  readonly calls: readonly CallFacts[];
  readonly row?: ((call: CallFacts) => ComponentChildren) | undefined;
}) =>
  calls.length === 0 ? (
    <p class="soft">No agent was called yet.</p>
  ) : (
    <Sheet name="calls" heads={['Call#', 'Role', 'Model', 'Time#', 'Dollars#', 'Tokens#', 'Outcome']}>
      {calls.map(row)}
    </Sheet>
  );

export const CallCells = ({
  call: { call, station, model, ok, why, ms, usd, tokens },
}: {
  readonly call: CallFacts;
}) => (
  <>
    <td class="n">{call}</td>
    <td>{station}</td>
    <td>{model}</td>
    <td class="n">{formatDuration(ms)}</td>
    <td class="n">{usd === null ? 'unknown' : formatDollars(usd)}</td>
    <td class="n">{tokens === null ? 'unknown' : formatNumber(tokens)}</td>
    <td class={ok ? 'soft' : 'bad'}>{ok ? 'answered' : (why ?? 'came to nothing')}</td>
  </>
);

type CostFacts = TaskDetails['cost_total'];

/** Usage of each role, in both currencies; sums are lower bounds where a call did not report its usage. */
export const CostSheet = ({ rows, total }: { readonly rows: readonly CostFacts[]; readonly total: CostFacts }) =>
  rows.length === 0 ? (
    <p class="soft">No agent was called yet.</p>
  ) : (
    <Sheet
      name="cost by role"
      heads={['Role', 'Model', 'Calls#', 'Dollars#', 'Time of agents#', 'Tokens in#', 'Tokens out#']}
    >
      {[...rows, total].map((one) => (
        <tr key={`${one.station} ${one.model}`}>
          <td>{one.station.replace('-', ' ')}</td>
          <td>{one.model}</td>
          <td class="n">{one.calls}</td>
          <td class="n">
            {one.calls_not_wholly_reported > 0 ? 'at least ' : ''}
            {formatDollars(one.usd)}
          </td>
          <td class="n">{formatDuration(one.agent_minutes * 60_000)}</td>
          <td class="n">{formatNumber(one.tokens_in)}</td>
          <td class="n">{formatNumber(one.tokens_out)}</td>
        </tr>
      ))}
    </Sheet>
  );
