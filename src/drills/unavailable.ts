import type { Drill, Stage } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL } from './scenario.ts';

const isDown = (stage: Stage): void => stage.script({}, { ollama_server: false });
const isUp = (stage: Stage): void => stage.script({});

/** What is out of reach is waited for, but not for ever. */
export const unavailable: Drill = {
  name: 'unavailable',
  breaker: 'unavailable',
  injects: 'an ollama server that is down',
  situations: [
    {
      injects: 'an ollama server that is down, and no time to wait (hold.leash_hours: 0); it is started before path 1',
      config: { hold: { leash_hours: 0 } },
      before: isDown,
      halt: {
        breaker: 'unavailable',
        says: 'andon waits 0 h at most',
        figures: { waits: 1, strikes: 0, attempts: 0, 'implementer calls': 0 },
        path: 1,
        first: isUp,
      },
      end: { status: 'merged', figures: { attempts: 1 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'one step below: the same server, and the usual 24 hours to wait; it is started while the line waits',
      config: { hold: { retry_minutes: 0.005 } },
      before: isDown,
      async during(stage) {
        await stage.until('the line waits', () => stage.figures().waits > 0);
        isUp(stage);
      },
      end: { status: 'merged', figures: { attempts: 1, strikes: 0 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
