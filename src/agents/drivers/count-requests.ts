import type { DriverOutput } from '../../project/config/driver-output.ts';
import {
  addCounts,
  countEventUsage,
  findFirstValue,
  matchesEvent,
  NOTHING_COUNTED,
  type UsageCount,
} from './event-rules.ts';

/** Requests are told apart by id; those beyond this number are not counted. */
const MOST_REQUESTS = 50_000;

/** Counts the tokens of every request of a run: each event tells its request's figures anew, later ones more of them. */
export function createRequestCount(rule: NonNullable<NonNullable<DriverOutput['usage']>['requests']>) {
  const { where, id, ...figures } = rule;
  const requests = new Map<unknown, UsageCount>();
  let latest: unknown;
  const larger = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? (one ?? other) : Math.max(one, other);
  return {
    read(event: unknown): void {
      if (!matchesEvent(event, where)) return;
      latest = findFirstValue(event, id) ?? latest;
      const known = requests.get(latest);
      if (latest !== undefined && (known !== undefined || requests.size < MOST_REQUESTS))
        requests.set(latest, addCounts(known ?? NOTHING_COUNTED, countEventUsage(event, figures), larger));
    },
    /**
     * The usage of the run. One that is missing or zero has lost that of a request which was cut off; where it cost
     * nothing and no request used anything, the tokens are none.
     */
    complete(told: UsageCount): UsageCount {
      if ([told.tokensIn, told.tokensOut, told.usd].some((figure) => (figure ?? 0) > 0)) return told;
      const sum = [...requests.values()].reduce((one, other) => addCounts(one, other), NOTHING_COUNTED);
      if ((sum.tokensIn ?? 0) + (sum.tokensOut ?? 0) > 0) return { ...sum, usd: null };
      return told.usd === 0 ? { ...told, tokensIn: 0, tokensOut: 0 } : told;
    },
  };
}
