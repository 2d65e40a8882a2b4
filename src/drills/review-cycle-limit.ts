import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { issue, judges, once, times } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

const implementer = [once(writesVersion(1)), once(writesVersion(2)), once(writesVersion(3)), writesVersion(4)];
const refuses = judges('FAIL', { blocking_issues: [issue('the second document is not in it')] });
const contract = { limits: { max_review_cycles: 2 } };
const halt = {
  breaker: 'review_cycle_limit',
  says: '3 review cycles; 2 are allowed',
  figures: { 'review cycles': 3, attempts: 3, 'judge calls': 3, merges: 0 },
} as const;

/** Fixes must come to an end. */
export const reviewCycleLimit: Drill = {
  name: 'review_cycle_limit',
  breaker: 'review_cycle_limit',
  injects: 'a judge who sends the change back more often than allowed',
  situations: [
    {
      injects: 'a judge who sends the change back three times; max_review_cycles is 2',
      contract,
      agents: { implementer, judge: [refuses] },
      halt: { ...halt, path: 1 },
      end: { status: 'merged', figures: { attempts: 3, 'judge calls': 3 }, holds: { [TARGET]: version(3) } },
    },
    {
      injects: 'the same; the human grants two more cycles',
      contract,
      agents: { implementer, judge: [times(3, refuses), judges('PASS')] },
      halt: { ...halt, path: 2 },
      end: { status: 'merged', figures: { attempts: 4, 'judge calls': 4 }, holds: { [TARGET]: version(4) } },
    },
    {
      injects: 'one step below: twice, then a PASS',
      contract,
      agents: { implementer, judge: [times(2, refuses), judges('PASS')] },
      end: { status: 'merged', figures: { 'review cycles': 2, attempts: 3 }, holds: { [TARGET]: version(3) } },
    },
  ],
};
