import type { Drill } from './drill.ts';
import { SAMPLE, TARGET } from './sample.ts';
import { FINAL, times, writes } from './scenario.ts';

const OTHER = '# Project A\n\nSee docs/auth_final.md.\n';
const both = writes({ [TARGET]: FINAL, 'README.md': OTHER });
const README = SAMPLE['README.md'] ?? '';

/** An implementer may be mistaken about its scope once. */
export const scope: Drill = {
  name: 'scope',
  breaker: 'scope',
  injects: 'an implementer who wants a file outside its allowed paths',
  situations: [
    {
      injects: 'an implementer who asks for README.md a second time; allowed is docs/',
      agents: { implementer: [both] },
      halt: {
        breaker: 'scope',
        says: 'asked 2 times for paths outside its scope: README.md',
        figures: { 'refusals for scope': 2, 'judge calls': 0, 'lines of the diff': 0 },
        path: 1,
      },
      end: {
        status: 'merged',
        figures: { 'implementer calls': 3 },
        holds: { [TARGET]: FINAL, 'README.md': OTHER },
      },
    },
    {
      injects: 'the same; the human keeps the scope as it is',
      agents: { implementer: [times(2, both), writes({ [TARGET]: FINAL })] },
      halt: { breaker: 'scope', says: 'asked 2 times', path: 2 },
      end: { status: 'merged', holds: { [TARGET]: FINAL, 'README.md': README } },
    },
    {
      injects: 'one step below: it asks for README.md once',
      agents: { implementer: [times(1, both), writes({ [TARGET]: FINAL })] },
      end: {
        status: 'merged',
        figures: { 'refusals for scope': 1, 'implementer calls': 2 },
        holds: { [TARGET]: FINAL, 'README.md': README },
      },
    },
  ],
};
