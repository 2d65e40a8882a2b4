import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, once, says, writes } from './scenario.ts';

const SECONDS = 4;
const contract = { limits: { timeout_minutes: { implementer: SECONDS / 60, local_review: 10, judge: 10 } } };
const work = writes({ [TARGET]: FINAL });

/** An agent that hangs or comes to nothing is noticed and ended. */
export const stalled: Drill = {
  name: 'stalled',
  breaker: 'stalled',
  injects: 'an implementer who falls silent, and one who answers nothing',
  situations: [
    {
      injects: `an implementer who says nothing, with a child of its own; timeout_minutes are ${SECONDS} seconds`,
      contract,
      agents: { implementer: [once(says('', { does: ['silent', 'ignore-term', 'grandchild'] })), work] },
      halt: {
        breaker: 'stalled',
        says: '(stall 1; 0 are retried)',
        figures: { stalls: 1, 'implementer calls': 1, 'judge calls': 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { 'implementer calls': 2 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: `one step below: an implementer who takes longer than ${SECONDS} seconds, but is never silent so long`,
      contract,
      agents: { implementer: [{ ...work, chunk: 50, every_ms: 800 }] },
      end: { status: 'merged', figures: { stalls: 0, strikes: 0, attempts: 1 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'an implementer who answers nothing, twice in a row',
      agents: { implementer: [{ ...says('', { does: ['empty'] }), times: 2 }, work] },
      halt: {
        breaker: 'stalled',
        says: '2 failures in a row',
        figures: { strikes: 2, 'implementer calls': 2 },
        path: 2,
      },
      end: { status: 'abandoned', holds: { [TARGET]: null } },
    },
    {
      injects: 'one step below: it answers nothing once',
      agents: { implementer: [once(says('', { does: ['empty'] })), work] },
      end: { status: 'merged', figures: { strikes: 1, attempts: 2 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
