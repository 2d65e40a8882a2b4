import type { StationId } from '../../base/names.ts';
import { isCutOff } from '../core/past-calls.ts';
import type { AgentFailure } from '../../agents/agent.ts';
import type { LedgerReserve } from '../../agents/ledger.ts';
import type { TaskRecord } from '../record/task-record.ts';

/**
 * Whether a call was ended by the user's own limits and not by those of its task: a ceiling, or the end of a night. It is
 * no failure: the call waits until these leave enough. One that is cut off twice in a row, as by `ceilings.call`, does not.
 */
export function isCutOffByUser(
  { kind, ms }: Pick<AgentFailure, 'kind' | 'ms'>,
  { calls }: Pick<TaskRecord, 'calls'>,
  {
    station,
    asked,
    claimed,
  }: {
    readonly station: StationId;
    /** What the task would have allowed. */
    readonly asked: { readonly usd: number | undefined; readonly tokens: number | undefined; readonly minutes: number };
    /** What the user's limits granted of it. */
    readonly claimed: LedgerReserve;
  },
): boolean {
  const last = calls.findLast((call) => call.station === station);
  if (kind === 'stall')
    return (
      claimed.minutes < asked.minutes && ms >= claimed.minutes * 60_000 && last?.why?.startsWith('stall: ') !== true
    );
  const isLess = (granted: number | null, left: number | undefined): boolean =>
    granted !== null && granted < (left ?? Number.POSITIVE_INFINITY);
  return (
    kind === 'spent' &&
    (isLess(claimed.usd, asked.usd) || isLess(claimed.tokens, asked.tokens)) &&
    (last === undefined || !isCutOff(last))
  );
}
