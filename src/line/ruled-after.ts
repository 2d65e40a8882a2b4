import type { Facts } from '../record/facts.ts';
import type { LineRecord } from '../record/line-record.ts';

/** How often an answer of this turn went back by a rule; whatever is taken, whoever was heard, and a human's choice begin a new one. */
export function regeneratedAfter({ regenerated }: LineRecord, facts: Facts): number {
  const { change, review, report, panel, choice, takeover, rulings = [] } = facts;
  if ([change, review, report, panel, choice, takeover].some((one) => one !== undefined)) return 0;
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

/**
 * What follows from violations beside their handlers: iterations that they cost, each rule once, and an attempt that is set
 * aside. After `MAX` there is none left.
 */
export function afterRules(
  { reviewCycles, fresh, contract, grants }: LineRecord,
  { rulings = [], choice }: Facts,
): Pick<LineRecord, 'reviewCycles' | 'fresh'> {
  const found =
    choice === undefined ? rulings.flatMap((one) => one.found).filter(({ does }) => ACTS.includes(does)) : [];
  const penalties = new Map<string, number>();
  const none = Math.max(0, contract.limits.maxReviewCycles + grants.reviewCycles + 1 - reviewCycles);
  for (const { rule, penalty = 0 } of found)
    penalties.set(rule, Math.max(penalties.get(rule) ?? 0, penalty === 'MAX' ? none : penalty));
  return {
    reviewCycles: [...penalties.values()].reduce((sum, one) => sum + one, reviewCycles),
    fresh: fresh || found.some(({ does, rollback }) => does === 'quick_fix' && rollback === true),
  };
}

/** What is put off costs when its phase has come. */
const ACTS: readonly string[] = ['stop', 'quick_fix', 'log', 'hook'];
