import type { Drill, Stage } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, judges, once } from './scenario.ts';
import { version, waits, writesVersion } from './versions.ts';

const judge = [once(judges('PASS', {}, waits)), judges('PASS')];
const THEIRS = 'Another document with the same name.\n';

/** While the judge works, the user commits by hand. */
const commits =
  (files: Readonly<Record<string, string>>) =>
  async (stage: Stage): Promise<void> => {
    await stage.until('the judge is at work', () => stage.signal.has('at'));
    await stage.commit(files);
    stage.signal.give('go');
  };

/** A conflict is never resolved by andon. */
export const mergeBlocked: Drill = {
  name: 'merge_blocked',
  breaker: 'merge_blocked',
  injects: 'a target branch that moves under the task',
  situations: [
    {
      injects: 'while the judge works, the user commits another file of the same name',
      agents: { judge, implementer: [once(writesVersion(1)), writesVersion(2)] },
      during: commits({ [TARGET]: THEIRS }),
      halt: {
        breaker: 'merge_blocked',
        says: `main moved and conflicts with the change in ${TARGET}`,
        figures: { 'judge calls': 1, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 2, 'judge calls': 2 }, holds: { [TARGET]: version(2) } },
    },
    {
      injects: 'the same; the human leaves the merge to himself',
      agents: { judge },
      during: commits({ [TARGET]: THEIRS }),
      halt: { breaker: 'merge_blocked', says: 'conflicts', path: 2 },
      end: { status: 'abandoned', holds: { [TARGET]: THEIRS } },
    },
    {
      injects: 'one step below: the user commits in a file that the change does not touch',
      agents: { judge },
      during: commits({ 'README.md': '# Project A, by hand\n' }),
      end: {
        status: 'merged',
        figures: { attempts: 1, 'judge calls': 1 },
        holds: { [TARGET]: FINAL, 'README.md': '# Project A, by hand\n' },
      },
    },
  ],
};
