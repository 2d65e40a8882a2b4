import { existsSync } from 'node:fs';
import type { Drill, Stage } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, judges, once, writes } from './scenario.ts';
import { waits } from './versions.ts';

const work = writes({ [TARGET]: FINAL });

/** Kills andon while an agent works: the agent outlives it, and the next andon must end it and go on. */
async function killAndRestart(stage: Stage): Promise<void> {
  await stage.until('the agent is at work', () => stage.signal.has('at'));
  await stage.kill();
  const orphans = new Set(stage.processes().map(({ pid }) => pid));
  if (orphans.size === 0 && existsSync('/proc')) throw new Error('the agent did not outlive andon: nothing to recover');
  await stage.start();
  await stage.until('what was left running is ended', () => !stage.processes().some(({ pid }) => orphans.has(pid)));
}

/** Nothing is lost when andon dies in the middle. */
export const crash: Drill = {
  name: 'crash',
  breaker: undefined,
  injects: 'kill -9 of andon watch at several moments, and a restart',
  situations: [
    {
      injects: 'kill -9 while the implementer is at work',
      apart: true,
      agents: { implementer: [once(writes({ [TARGET]: FINAL }, waits)), work] },
      during: killAndRestart,
      end: {
        status: 'merged',
        figures: { attempts: 2, 'interrupted calls': 1, strikes: 0, 'review cycles': 0, merges: 1 },
        holds: { [TARGET]: FINAL },
      },
    },
    {
      injects: 'kill -9 while the judge is at work',
      apart: true,
      agents: { judge: [once(judges('PASS', {}, waits)), judges('PASS')] },
      during: killAndRestart,
      end: {
        status: 'merged',
        figures: { attempts: 1, 'judge calls': 2, 'interrupted calls': 1, 'unreadable reports': 0, merges: 1 },
        holds: { [TARGET]: FINAL },
      },
    },
    {
      injects: 'kill -9 while the line is halted: it stays halted until the human chooses',
      apart: true,
      contract: { constraints: { max_diff_size: 8 } },
      async during(stage) {
        await stage.until('the line halts', () => stage.record().halt !== undefined);
        await stage.kill();
        await stage.start();
      },
      halt: {
        breaker: 'destructive_action',
        says: 'max_diff_size is 8',
        figures: { attempts: 1, 'implementer calls': 1, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 1, merges: 1 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
