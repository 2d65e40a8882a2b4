import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL } from './scenario.ts';

const gate = (run: string): object => ({ gates: [{ name: 'words', run }] });
const HAS_TARGET = gate(`grep -qs passkey ${TARGET} || { echo 'no word of it'; exit 1; }`);
const HAS_MARK = gate('test -f mark.txt');

/** What is red before the change would hide what the change breaks: nobody is paid before a human has decided. */
export const baseRed: Drill = {
  name: 'base_red',
  breaker: 'base_red',
  injects: 'a gate that is red on the target branch already',
  situations: [
    {
      injects: 'a gate that is red before the change; this task shall make it green, and does',
      config: HAS_TARGET,
      halt: {
        breaker: 'base_red',
        says: 'gate words is red on main',
        figures: { attempts: 0, 'implementer calls': 0, merges: 0 },
        path: 1,
      },
      end: {
        status: 'merged',
        figures: { attempts: 1, 'implementer calls': 1, 'judge calls': 1 },
        holds: { [TARGET]: FINAL },
      },
    },
    {
      injects: 'the same; the human waits, and makes it green by a commit of his own',
      config: HAS_MARK,
      halt: {
        breaker: 'base_red',
        says: 'gate words is red on main',
        figures: { attempts: 0 },
        path: 2,
        afterwards: (stage) => stage.commit({ 'mark.txt': 'made by hand\n' }),
      },
      end: { status: 'merged', figures: { attempts: 1 }, holds: { [TARGET]: FINAL, 'mark.txt': 'made by hand\n' } },
    },
    {
      injects: 'one step below: the gate is green before the change and after',
      files: { 'mark.txt': '' },
      config: HAS_MARK,
      end: { status: 'merged', figures: { attempts: 1 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
