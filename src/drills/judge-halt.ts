import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { issue, judges, once } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

const flaw = { summary: 'This leaks keys.', blocking_issues: [issue('the keys are written into the document')] };
const agents = (verdict: string) => ({
  implementer: [once(writesVersion(1)), writesVersion(2)],
  judge: [once(judges(verdict, flaw)), judges('PASS')],
});

/** The judge can pull the cord. */
export const judgeHalt: Drill = {
  name: 'judge_halt',
  breaker: 'judge_halt',
  injects: 'a judge who says CRITICAL_HALT',
  situations: [
    {
      injects: 'a judge who says CRITICAL_HALT, and passes what is fixed',
      agents: agents('CRITICAL_HALT'),
      halt: {
        breaker: 'judge_halt',
        says: 'This leaks keys.',
        figures: { attempts: 1, 'judge calls': 1, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 2, 'judge calls': 2 }, holds: { [TARGET]: version(2) } },
    },
    {
      injects: 'one step below: the same judge says FAIL',
      agents: agents('FAIL'),
      end: { status: 'merged', figures: { attempts: 2, 'review cycles': 1 }, holds: { [TARGET]: version(2) } },
    },
  ],
};
