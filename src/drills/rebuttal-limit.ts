import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, issue, judges, times, writes } from './scenario.ts';

const blamesNothing = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });
const WITH_FIX = `${FINAL}\nLooked at again.\n`;

/** A floor manager and a judge who do not agree must not go on for ever. */
export const rebuttalLimit: Drill = {
  name: 'rebuttal_limit',
  breaker: 'rebuttal_limit',
  injects: 'a judge who blames a file that is not in the judged tree, again and again',
  situations: [
    {
      injects: 'a judge who three times blames a file that is not there; max_rebuttals is 2',
      agents: { judge: [blamesNothing] },
      halt: {
        breaker: 'rebuttal_limit',
        says: '3 rebuttals; 2 are allowed',
        figures: { rebuttals: 3, 'judge calls': 3, 'implementer calls': 1, 'review cycles': 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { 'judge calls': 3, attempts: 1 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'the same; the human sides with the judge',
      agents: {
        implementer: [times(1, writes({ [TARGET]: FINAL })), writes({ [TARGET]: WITH_FIX })],
        judge: [times(3, blamesNothing), judges('PASS')],
      },
      halt: { breaker: 'rebuttal_limit', says: '3 rebuttals; 2 are allowed', path: 2 },
      end: { status: 'merged', figures: { 'judge calls': 4, attempts: 2 }, holds: { [TARGET]: WITH_FIX } },
    },
    {
      injects: 'one step below: twice, then a PASS',
      agents: { judge: [times(2, blamesNothing), judges('PASS')] },
      end: { status: 'merged', figures: { rebuttals: 2, 'judge calls': 3, attempts: 1 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
