import type { Facts } from '../record/facts.ts';
import type { LineRecord } from '../record/line-record.ts';

/** How often an answer of this turn went back by a rule; whatever is taken, and a human's choice, begins a new turn. */
export function regeneratedAfter({ regenerated }: LineRecord, facts: Facts): number {
  const { change, review, report, choice, takeover, rulings = [] } = facts;
  if ([change, review, report, choice, takeover].some((one) => one !== undefined)) return 0;
  return regenerated + (rulings.some(({ found }) => found.some(({ does }) => does === 'regenerate')) ? 1 : 0);
}

/** What waits for its phase: of a change that is gone nothing, and nothing whose phase has come. */
export function putOffAfter(
  { putOff }: LineRecord,
  { change, rulings = [], review, gates }: Facts,
): LineRecord['putOff'] {
  const kept = change === undefined ? putOff : putOff.filter(({ moment }) => moment === 'contract');
  const added = rulings.flatMap(({ moment, found }) =>
    found.filter(({ until }) => until !== undefined).map((one) => ({ moment, one })),
  );
  const came = new Set([...(review === undefined ? [] : ['REVIEW']), ...(gates === undefined ? [] : ['TEST'])]);
  return kept.length + added.length === 0
    ? putOff
    : [...kept, ...added].filter(({ one: { until = '' } }) => !came.has(until));
}
