import { check, same } from './drill.ts';
import type { Drill } from './drill.ts';
import { TARGET, TASK } from './sample.ts';
import { FINAL, judges, times } from './scenario.ts';

const HOUR_S = 3600;
/** Asked for once, so that the stand-in and the check mean the same moment. */
const resetsAt = Math.floor(Date.now() / 1000) + HOUR_S;
const iso = new Date(resetsAt * 1000).toISOString();

/** A usage limit of a provider is a reason to wait, not a failure. */
export const quota: Drill = {
  name: 'quota',
  breaker: undefined,
  injects: "a judge whose provider's usage limit is reached",
  situations: [
    {
      injects:
        'a usage limit that ends in an hour: the line waits, visibly, and does not ask again; the human gives up',
      agents: { judge: [{ does: [{ 'usage-limit': { text: 'resets soon', resets_at: resetsAt } }] }] },
      async during(stage) {
        await stage.until('the line waits', () => stage.record().hold !== undefined);
        await stage.until('the time is shown', () => stage.record().hold?.until === iso);
        await stage.ask({ do: 'abandon', taskId: TASK, by: 'drill' });
      },
      end: {
        status: 'abandoned',
        figures: { waits: 1, 'judge calls': 1, attempts: 1, strikes: 0, 'unreadable reports': 0 },
        holds: { [TARGET]: null },
        also: (stage) => {
          const held = stage.entries().find((entry) => entry.kind === 'held');
          return [same('the line waits until', iso, held?.until)];
        },
      },
    },
    {
      injects:
        'a usage limit that says no time, twice (hold.retry_minutes is a third of a second): it goes on by itself',
      config: { hold: { retry_minutes: 0.005 } },
      agents: { judge: [times(2, { does: [{ 'usage-limit': 'resets later' }] }), judges('PASS')] },
      end: {
        status: 'merged',
        figures: { waits: 2, 'judge calls': 3, attempts: 1, strikes: 0, 'review cycles': 0 },
        holds: { [TARGET]: FINAL },
        also: (stage) => [
          check('the waiting is over', stage.record().hold === undefined ? undefined : 'the line still waits'),
        ],
      },
    },
  ],
};
