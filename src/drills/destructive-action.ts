import { same } from './drill.ts';
import type { Drill, Stage } from './drill.ts';
import { SAMPLE, TARGET } from './sample.ts';
import { FINAL, judges, once, writes } from './scenario.ts';

const GUIDE = 'docs/guide.md';
const PROJECT_LINES = 200;
const linesOf = (text: string): number => text.split('\n').length - 1;
/** So long that the whole project has exactly 200 lines. */
const GUIDE_LINES = PROJECT_LINES - Object.values(SAMPLE).reduce((sum, text) => sum + linesOf(text), 0);
const guide = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `Step ${at + 1}: open page ${at + 1} and read it.\n`).join('');
/** Of what such a change takes away. */
const evidence = [{ file: GUIDE, line: null, quote: `Step ${GUIDE_LINES}: open page ${GUIDE_LINES} and read it.` }];

/** An implementer that shortens the guide by so many lines. */
const deletes = (lines: number) => ({
  files: { [GUIDE]: guide(GUIDE_LINES) },
  contract: { specification: { target_file: GUIDE } },
  agents: {
    implementer: [writes({ [GUIDE]: guide(GUIDE_LINES - lines) })],
    judge: [judges('PASS', { evidence })],
  },
});
/** The same document in 8 lines. */
const SHORT = FINAL.replace('## Tokens\n\n', '## Tokens\n');
const removesOld = writes({ [TARGET]: FINAL, 'docs/auth_v1.md': null });
const approved = (stage: Stage) => {
  const { change, grants } = stage.record();
  return [same('the merged tree', grants.approvedTrees.join(', '), change?.tree)];
};

/** How much of a project one task may take away. */
export const destructiveAction: Drill = {
  name: 'destructive_action',
  breaker: 'destructive_action',
  injects: 'changes that delete too much, or are too large',
  situations: [
    {
      injects: `a change that deletes 11 of ${PROJECT_LINES} lines; 5 % are allowed`,
      ...deletes(11),
      halt: {
        breaker: 'destructive_action',
        says: '11 of 200 lines are deleted (5.5 %); the limit is 5.0 %',
        figures: { 'lines lost': 11, 'lines of the project': PROJECT_LINES, 'judge calls': 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 1 }, holds: { [GUIDE]: guide(GUIDE_LINES - 11) }, also: approved },
    },
    {
      injects: `one step below: a change that deletes 10 of ${PROJECT_LINES} lines, which are 5 %`,
      ...deletes(10),
      end: {
        status: 'merged',
        figures: { 'lines lost': 10, 'lines of the project': PROJECT_LINES },
        holds: { [GUIDE]: guide(GUIDE_LINES - 10) },
      },
    },
    {
      injects: 'an answer that deletes a file; allow_deletes is false, so it is refused before anything is written',
      agents: { implementer: [once(removesOld), writes({ [TARGET]: FINAL })] },
      end: {
        status: 'merged',
        figures: { 'implementer calls': 2, 'lines lost': 0 },
        holds: { [TARGET]: FINAL, 'docs/auth_v1.md': SAMPLE['docs/auth_v1.md'] ?? '' },
      },
    },
    {
      injects: 'the same answer; allow_deletes is true',
      files: { [GUIDE]: guide(GUIDE_LINES) },
      contract: { constraints: { allow_deletes: true } },
      agents: { implementer: [removesOld] },
      end: { status: 'merged', figures: { attempts: 1 }, holds: { [TARGET]: FINAL, 'docs/auth_v1.md': null } },
    },
    {
      injects: 'a change of 9 lines; max_diff_size is 8; the human has it thrown away, and the next one has 8',
      contract: { constraints: { max_diff_size: 8 } },
      agents: { implementer: [once(writes({ [TARGET]: FINAL })), writes({ [TARGET]: SHORT })] },
      halt: {
        breaker: 'destructive_action',
        says: 'the diff has 9 added and deleted lines; max_diff_size is 8',
        figures: { 'lines of the diff': 9, 'lines lost': 0 },
        path: 2,
      },
      end: { status: 'merged', figures: { attempts: 2, 'lines of the diff': 8 }, holds: { [TARGET]: SHORT } },
    },
    {
      injects: 'one step below: a change of 9 lines; max_diff_size is 9',
      contract: { constraints: { max_diff_size: 9 } },
      end: { status: 'merged', figures: { 'lines of the diff': 9 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
