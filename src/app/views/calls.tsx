import type { ComponentChildren } from 'preact';
import type { TaskDetails } from '../../line/reports/task-report/task-details.ts';
import {
  formatDollars,
  formatPaid,
  formatDuration,
  formatNumber,
} from '../../line/reports/task-report/format-figures.ts';
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

/** Tokens that no call reported are unknown, not zero. */
const formatReported = ({ calls_without_tokens: silent }: CostFacts, tokens: number): string =>
  silent === 0 ? formatNumber(tokens) : tokens === 0 ? 'unknown' : `at least ${formatNumber(tokens)}`;

type CostFacts = TaskDetails['cost_total'];

/** A bar under a figure, as long as its share of the largest one. */
const Bar = ({ value, most }: { readonly value: number; readonly most: number }) => (
  <svg class="cost-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect
      class="work"
      width={most === 0 ? 0 : Math.max(value > 0 ? 1 : 0, Math.round((value / most) * 100))}
      height="6"
    />
  </svg>
);

/** Usage of each role with its bars, in both currencies; sums are lower bounds where a call did not report its usage. */
export const CostSheet = ({ rows, total }: { readonly rows: readonly CostFacts[]; readonly total: CostFacts }) => {
  if (rows.length === 0) return <p class="soft">No agent was called yet.</p>;
  const mostDollars = Math.max(...rows.map(({ usd }) => usd));
  const mostSeconds = Math.max(...rows.map(({ agent_seconds: seconds }) => seconds));
  return (
    <Table
      name="cost by role"
      heads={['Role', 'Model', 'Calls#', 'Dollars#', 'Time of agents#', 'Tokens in#', 'Tokens out#']}
      rows={[...rows, total].map((one) => [
        one.station.replace('-', ' '),
        one.model,
        one.calls,
        <>
          {formatPaid({ usd: one.usd, unpriced: one.calls_without_price })}
          {one === total ? null : <Bar value={one.usd} most={mostDollars} />}
        </>,
        <>
          {formatDuration(one.agent_seconds * 1000)}
          {one === total ? null : <Bar value={one.agent_seconds} most={mostSeconds} />}
        </>,
        formatReported(one, one.tokens_in),
        formatReported(one, one.tokens_out),
      ])}
    />
  );
};
