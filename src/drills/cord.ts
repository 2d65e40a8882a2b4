import { FILES, HANDOFF } from '../base/names.ts';
import type { Drill, Stage } from './drill.ts';
import { TARGET, TASK } from './sample.ts';
import { FINAL, once, says, writes } from './scenario.ts';
import { waits } from './versions.ts';

const STOP = `${HANDOFF}/${FILES.stop}`;
const work = writes({ [TARGET]: FINAL });
const silent = [once(says('', { does: ['ignore-term', 'grandchild', { touch: 'at' }, 'silent'] })), work];
const atWork = (stage: Stage): Promise<void> => stage.until('the implementer is at work', () => stage.signal.has('at'));

/** Anyone may pull the cord. */
export const cord: Drill = {
  name: 'cord',
  breaker: 'cord',
  injects: 'a human who stops the line, by command and by a file',
  situations: [
    {
      injects: 'andon halt while the implementer, deaf to signals and with a child, is at work',
      agents: { implementer: silent },
      async during(stage) {
        await atWork(stage);
        await stage.ask({ do: 'halt', taskId: TASK, by: 'drill', reason: 'wrong file' });
      },
      halt: {
        breaker: 'cord',
        says: 'drill stopped the line: wrong file',
        figures: { 'implementer calls': 1, strikes: 0, merges: 0 },
        path: 1,
      },
      end: {
        status: 'merged',
        figures: { 'implementer calls': 2, strikes: 0, 'interrupted calls': 1 },
        holds: { [TARGET]: FINAL },
      },
    },
    {
      injects: `a file ${STOP} while the implementer is at work`,
      agents: { implementer: silent },
      async during(stage) {
        await atWork(stage);
        stage.write(STOP, 'dinner\n');
      },
      halt: {
        breaker: 'cord',
        says: 'dinner',
        figures: { 'implementer calls': 1, strikes: 0 },
        path: 2,
        first: (stage) => stage.write(STOP, null),
      },
      end: { status: 'abandoned', holds: { [TARGET]: null } },
    },
    {
      injects: 'one step below: andon pause in the same moment, then andon unpause',
      agents: { implementer: [writes({ [TARGET]: FINAL }, waits)] },
      async during(stage) {
        await atWork(stage);
        await stage.ask({ do: 'pause', by: 'drill' });
        stage.signal.give('go');
        await stage.until('the step is finished', () => stage.record().status === 'pending_local_review');
        await stage.ask({ do: 'unpause', by: 'drill' });
      },
      end: {
        status: 'merged',
        figures: { attempts: 1, 'implementer calls': 1, 'interrupted calls': 0 },
        holds: { [TARGET]: FINAL },
      },
    },
  ],
};
