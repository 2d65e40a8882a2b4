import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { once, reviewFails, reviewPasses, times } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

const reviewer = [times(2, reviewFails('the headings are wrong')), reviewPasses()];

/** Work that was turned down does not come back unseen. */
export const hallucinationLoop: Drill = {
  name: 'hallucination_loop',
  breaker: 'hallucination_loop',
  injects: 'an implementer who goes back to a change that was rejected',
  situations: [
    {
      injects: 'the first version is rejected, the second is rejected, the third attempt is the first version again',
      agents: {
        implementer: [once(writesVersion(1)), once(writesVersion(2)), once(writesVersion(1)), writesVersion(3)],
        reviewer,
      },
      halt: {
        breaker: 'hallucination_loop',
        says: 'attempt 3 is the same tree as attempt 1',
        figures: { attempts: 3, 'reviewer calls': 2, 'judge calls': 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 4 }, holds: { [TARGET]: version(3) } },
    },
    {
      injects: 'one step below: the third attempt is a third version',
      agents: { implementer: [once(writesVersion(1)), once(writesVersion(2)), writesVersion(3)], reviewer },
      end: { status: 'merged', figures: { attempts: 3, 'reviewer calls': 3 }, holds: { [TARGET]: version(3) } },
    },
  ],
};
