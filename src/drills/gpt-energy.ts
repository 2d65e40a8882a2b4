import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { issue, judges, once } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

const nit = (description: string) => issue(description, { category: 'style' });
const taste = judges('FAIL', {
  blocking_issues: [nit('Rename the heading to something more descriptive'), nit('Prefer sentence case here')],
});
const moreTaste = judges('FAIL', {
  blocking_issues: [nit('The wording could be nicer'), nit('A blank line is missing')],
});
const implementer = [once(writesVersion(1)), once(writesVersion(2)), writesVersion(3)];

/** A judge may block on taste once. */
export const gptEnergy: Drill = {
  name: 'gpt_energy',
  breaker: 'gpt_energy',
  injects: 'a judge who blocks on nothing but taste',
  situations: [
    {
      injects: 'a judge whose second report in a row blocks on nothing but taste',
      agents: { implementer, judge: [once(taste), moreTaste] },
      halt: {
        breaker: 'gpt_energy',
        says: 'it is round 2 of that kind',
        figures: { attempts: 2, 'judge calls': 2, 'review cycles': 1, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 2, 'judge calls': 2 }, holds: { [TARGET]: version(2) } },
    },
    {
      injects: 'the same; the human grants one last round of polish',
      agents: { implementer, judge: [once(taste), once(moreTaste), judges('PASS')] },
      halt: { breaker: 'gpt_energy', says: 'it is round 2 of that kind', path: 2 },
      end: { status: 'merged', figures: { attempts: 3, 'judge calls': 3 }, holds: { [TARGET]: version(3) } },
    },
    {
      injects: 'one step below: one such report, then a PASS',
      agents: { implementer, judge: [once(taste), judges('PASS')] },
      end: { status: 'merged', figures: { attempts: 2, 'review cycles': 1 }, holds: { [TARGET]: version(2) } },
    },
  ],
};
