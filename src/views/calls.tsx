import type { ComponentChildren } from 'preact';
import type { TaskDetails } from '../line/documents/task-report/task-details.ts';
import { formatDollars, formatDuration, formatNumber } from '../line/documents/task-report/words.ts';
import { RowCells, Sheet, Table } from './parts.tsx';

export type CallFacts = TaskDetails['calls'][number];

const HEADS = ['Call#', 'Role', 'Model', 'Time#', 'Dollars#', 'Tokens#', 'Outcome*'];

/** Every call of an agent, as a dense table; `row` draws one, so that a board can open it in place. */
export const Calls = (props: {
  readonly calls: readonly CallFacts[];
  readonly row?: ((call: CallFacts) => ComponentChildren) | undefined;
}) =>
  props.calls.length === 0 ? (
    <p class="soft">No agent was called yet.</p>
  ) : (
    <Sheet name="calls" heads={props.row === undefined ? HEADS : [...HEADS, 'Texts']}>
      {props.calls.map(
        props.row ??
          ((call) => (
            <tr key={call.call}>
              <CallCells call={call} />
            </tr>
          )),
      )}
    </Sheet>
  );

export const CallCells = ({ call }: { readonly call: CallFacts }) => (
  <RowCells
    heads={HEADS}
    cells={[
      call.call,
      call.station,
      call.model,
      formatDuration(call.ms),
      call.usd === null ? 'unknown' : formatDollars(call.usd),
      call.tokens === null ? 'unknown' : formatNumber(call.tokens),
      call.ok ? 'answered' : <span class="bad">{call.why ?? 'came to nothing'}</span>,
    ]}
  />
);

type CostFacts = TaskDetails['cost_total'];

/** Usage of each role, in both currencies; sums are lower bounds where a call did not report its usage. */
export const CostSheet = ({ rows, total }: { readonly rows: readonly CostFacts[]; readonly total: CostFacts }) =>
  rows.length === 0 ? (
    <p class="soft">No agent was called yet.</p>
  ) : (
    <Table
      name="cost by role"
      heads={['Role', 'Model', 'Calls#', 'Dollars#', 'Time of agents#', 'Tokens in#', 'Tokens out#']}
      rows={[...rows, total].map((one) => [
        one.station.replace('-', ' '),
        one.model,
        one.calls,
        `${one.calls_not_wholly_reported > 0 ? 'at least ' : ''}${formatDollars(one.usd)}`,
        formatDuration(one.agent_minutes * 60_000),
        formatNumber(one.tokens_in),
        formatNumber(one.tokens_out),
      ])}
    />
  );
