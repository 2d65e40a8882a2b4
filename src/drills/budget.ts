import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { issue, judges, once } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

/** Every call of this judge costs 2 cents. */
const agents = {
  implementer: [once(writesVersion(1)), writesVersion(2)],
  judge: [once(judges('FAIL', { blocking_issues: [issue('the second document is not in it')] })), judges('PASS')],
};
const ceiling = (usd: number) => ({ limits: { budget: { usd } } });

/** The bill has a ceiling, and a call that does not fit is not made. */
export const budget: Drill = {
  name: 'budget',
  breaker: 'budget',
  injects: 'a task that costs as much as it may, and wants one more call',
  situations: [
    {
      injects: 'a judge who costs 2 cents a call and sends the change back; the ceiling is 2 cents',
      contract: ceiling(0.02),
      agents,
      halt: {
        breaker: 'budget',
        says: '$0.0000 of $0.02 is left',
        figures: { cents: 2, 'judge calls': 1, attempts: 2, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { cents: 4, 'judge calls': 2 }, holds: { [TARGET]: version(2) } },
    },
    {
      injects: 'one step below: the ceiling is 4 cents, which is just what it costs',
      contract: ceiling(0.04),
      agents,
      end: { status: 'merged', figures: { cents: 4, 'judge calls': 2 }, holds: { [TARGET]: version(2) } },
    },
  ],
};
