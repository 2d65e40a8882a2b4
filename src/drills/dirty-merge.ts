import { same } from './drill.ts';
import type { Drill, Stage } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL } from './scenario.ts';

const MINE = 'My own unfinished version.\n';
const edit =
  (path: string) =>
  (stage: Stage): void =>
    stage.write(path, MINE);
const kept = (path: string) => (stage: Stage) => [same(`the edit in ${path}`, MINE, stage.read(path))];

/** What you have not committed is yours, whatever is merged. */
export const dirtyMerge: Drill = {
  name: 'dirty-merge',
  breaker: 'merge_blocked',
  injects: 'uncommitted edits in the checkout that the merge would have to overwrite',
  situations: [
    {
      injects: `an uncommitted ${TARGET} in the checkout; the human moves it away and goes on`,
      before: edit(TARGET),
      halt: {
        breaker: 'merge_blocked',
        says: TARGET,
        figures: { 'judge calls': 1, merges: 0 },
        path: 1,
        first: (stage) => {
          stage.write('mine.md', stage.read(TARGET) ?? null);
          stage.write(TARGET, null);
        },
      },
      end: { status: 'merged', figures: { 'judge calls': 1 }, holds: { [TARGET]: FINAL }, also: kept('mine.md') },
    },
    {
      injects: 'an uncommitted edit in a file of git, which the merge changes; the human leaves the merge to himself',
      files: { [TARGET]: '# Authentication\n' },
      before: edit(TARGET),
      halt: { breaker: 'merge_blocked', says: TARGET, figures: { merges: 0 }, path: 2 },
      end: { status: 'abandoned', also: kept(TARGET) },
    },
    {
      injects: 'one step below: an uncommitted edit in a file that the merge does not touch',
      before: edit('README.md'),
      end: { status: 'merged', figures: { attempts: 1 }, holds: { [TARGET]: FINAL }, also: kept('README.md') },
    },
  ],
};
