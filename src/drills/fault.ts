import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, once, writes } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

const gate = (run: string): object => ({ gates: [{ name: 'words', run }] });

/** What andon itself cannot do is neither a pass nor a fault of the agents. */
export const fault: Drill = {
  name: 'fault',
  breaker: 'fault',
  injects: 'a gate that cannot be run, and a program that is missing',
  situations: [
    {
      injects: "the judge's program is taken away, and put back before the human goes on",
      before: (stage) => stage.program('claude', false),
      halt: {
        breaker: 'fault',
        says: 'claude is not there',
        figures: { 'judge calls': 0, strikes: 0 },
        path: 1,
        first: (stage) => stage.program('claude', true),
      },
      end: { status: 'merged', figures: { attempts: 1, 'judge calls': 1 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'a gate whose program is not there (exit code 127)',
      config: gate('no-such-program-in-this-drill'),
      halt: {
        breaker: 'fault',
        says: 'gate words cannot be run',
        figures: { attempts: 0, 'review cycles': 0, 'judge calls': 0 },
        path: 2,
      },
      end: { status: 'abandoned', holds: { [TARGET]: null } },
    },
    {
      injects: 'one step below: a gate that says no (exit code 1); the next attempt satisfies it',
      config: gate('! grep -qs draft docs/auth_final.md'),
      agents: { implementer: [once(writes({ [TARGET]: `${FINAL}\nThis is a draft.\n` })), writesVersion(2)] },
      end: { status: 'merged', figures: { attempts: 2, 'review cycles': 1 }, holds: { [TARGET]: version(2) } },
    },
  ],
};
