/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import type { Life } from '../crash/lives.ts';
import { live } from '../crash/live.ts';
import { aContract } from '../support/contract.ts';
import type { Factory } from '../support/factory.ts';
import { writes } from '../support/scenario.ts';
import { PATH, write } from '../support/versions.ts';

const COMMENT = 'One line is enough';

const isSentBack = (factory: Factory): boolean =>
  factory.isMerged() || (!factory.isHalted() && factory.face() !== undefined && factory.face() !== 'erik_consultation');

/** A change that is too large for its contract; only an implementer that reads the comment writes a smaller one. */
const LIFE: Life = {
  name: 'halted, sent back with a comment without a daemon, merged',
  options: {
    scenario: {
      implementer: [
        {
          ...writes({ [PATH]: 'A token is valid for 15 minutes and can be renewed once.\n' }),
          when: { model: 'qwen2.5-coder', includes: [`${PATH}:1 (the line: `, COMMENT] },
        },
        write(1),
      ],
    },
  },
  contract: aContract({ 'constraints.max_diff_size': 3 }),
  goals: [
    { name: 'halted, with both papers', isReached: (factory) => factory.isHalted() },
    {
      name: 'sent back',
      isReached: isSentBack,
      act: (factory) => factory.start(['comment', 'DOC-001', `${PATH}:1`, COMMENT]),
      alone: true,
    },
    { name: 'merged and archived', isReached: (factory) => factory.isMerged() },
  ],
};

describe('kill -9', () => {
  test.each([
    ['the command, before its choice is in the journal', 2, 'journal.append.before-commit:kill#1'],
    ['the command, after its choice is in the journal', 2, 'journal.append.after-commit:kill#1'],
    ['the command, while the papers of the halt move', 2, 'file.move.before-rename:kill#1'],
    ['the next daemon, before the call is in the journal', 3, 'journal.append.before-commit:kill#1'],
    ['the next daemon, after the call is in the journal', 3, 'journal.append.after-commit:kill#1'],
    ['the next daemon, when the attempt is built', 3, 'refs.publish.before-update-ref:kill#1'],
  ] as const)('of %s loses no comment', async (_, process, failpoint) => {
    const { died, wrong, end } = await live(LIFE, { process, failpoint });
    expect({ died, wrong, merges: end.merges.length }).toEqual({ died: true, wrong: [], merges: 1 });
  });
});
