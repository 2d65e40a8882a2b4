import { unallowed, type Weakening } from '../../rules/model/weakening.ts';
import { sideOfChange, type Breaker } from './breaker.ts';

/** A change must not weaken its own checks: the first time it goes back, the second time a person decides. */
export const weakenedGate: Breaker = {
  question: 'Did a change weaken its gates or tests again, without consent, after it had been sent back for that?',
  check(record) {
    const weakenings = unallowed(record.lastFacts.weakeningReport);
    if (weakenings.length === 0 || record.timesWeakened <= 1) return undefined;
    return {
      reason: `weakens its gates or tests, for the ${ordinal(record.timesWeakened)} time: ${describeWeakenings(weakenings)}`,
      sides: [
        ...(record.change === undefined ? [] : [sideOfChange(record.change)]),
        { who: 'gates and tests', says: weakenings.map(({ kind, what }) => `${kind}: ${what}`).join('\n') },
      ],
      paths: [
        {
          title: 'Discard this attempt and retry',
          does: `The implementer starts from the target branch again and must keep ${files(weakenings)} as strong as there. Git keeps the attempt.`,
          effect: {
            to: 'pending_implementer',
            fresh: true,
            say: `Your last attempts were thrown away because they weakened tests or gates: ${describeWeakenings(weakenings)}. Solve the task with every test and check as strong as on the target branch.`,
          },
        },
        {
          title: `Allow ${weakenings.length === 1 ? 'this weakening' : 'these weakenings'}`,
          does: `The change goes on to its gates. The merge records what was allowed: ${describeWeakenings(weakenings)}. Any other weakening halts again.`,
          effect: { to: 'pending_implementer', onlyGates: true, allowWeakened: weakenings.map(({ mark }) => mark) },
        },
      ],
    };
  },
};

const describeWeakenings = (those: readonly Weakening[]): string => those.map(({ what }) => what).join('; ');
const files = (those: readonly Weakening[]): string => [...new Set(those.flatMap((one) => one.files))].join(', ');
const ordinal = (count: number): string => (count === 2 ? 'second' : count === 3 ? 'third' : `${count}th`);
