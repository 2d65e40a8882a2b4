import { array, assert, boolean, constantFrom, property, record, uniqueArray, shuffledSubarray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeConsensus, type Vote } from '../../../../src/line/panel/consensus.ts';
import { AGENT_ROLES } from '../../../../src/project/config/config-words.ts';

const vote = (agent: string, said: Vote['said'], roles: Vote['roles'] = [], must = true): Vote => ({
  agent,
  roles,
  said,
  must,
});
const votes = uniqueArray(
  record({
    agent: constantFrom('a', 'b', 'c', 'd', 'e'),
    roles: shuffledSubarray([...AGENT_ROLES]),
    said: constantFrom('PASS', 'VIOLATED', 'NOT_COVERED', 'NO_VOTE' as const),
    must: boolean(),
  }),
  { selector: ({ agent }) => agent, minLength: 1 },
);

describe('several agents', () => {
  test.each<[string, readonly Vote[], string, string | null]>([
    ['pass what all pass', [vote('a', 'PASS', ['qa']), vote('b', 'PASS')], 'PASS', 'qa'],
    [
      'fail what violates a MUST rule of one',
      [vote('a', 'PASS', ['security']), vote('b', 'VIOLATED', ['qa'])],
      'FAIL',
      'qa',
    ],
    ['warn where only others are violated', [vote('a', 'VIOLATED', ['qa'], false)], 'WARN', 'qa'],
    [
      'let the highest role decide',
      [vote('a', 'VIOLATED', ['security'], false), vote('b', 'PASS', ['implementer'])],
      'WARN',
      'security',
    ],
    [
      'let the highest role pass it',
      [vote('a', 'VIOLATED', ['implementer'], false), vote('b', 'PASS', ['security'])],
      'PASS',
      'security',
    ],
    [
      'hear one without a role last',
      [vote('a', 'VIOLATED', [], false), vote('b', 'PASS', ['implementer'])],
      'PASS',
      'implementer',
    ],
    [
      'hear the one that objects of two equal ones',
      [vote('a', 'PASS', ['qa']), vote('b', 'VIOLATED', ['qa'], false)],
      'WARN',
      'qa',
    ],
    [
      'pass over who had no rule about it',
      [vote('a', 'PASS', ['architect']), vote('b', 'NOT_COVERED', ['qa'])],
      'PASS',
      'architect',
    ],
    ['pass nothing that nobody looked at', [vote('a', 'NOT_COVERED'), vote('b', 'NOT_COVERED')], 'UNDECIDED', null],
    ['pass nothing while one gave no vote', [vote('a', 'PASS', ['security']), vote('b', 'NO_VOTE')], 'UNDECIDED', null],
    ['fail also while one gave no vote', [vote('a', 'VIOLATED', ['qa']), vote('b', 'NO_VOTE')], 'FAIL', 'qa'],
    ['pass nothing when there is nobody', [], 'UNDECIDED', null],
  ])('%s', (_, given, status, decidedBy) => {
    expect(computeConsensus(given)).toMatchObject({ status, decidedBy });
  });

  test('say the same in whatever order they speak', () => {
    assert(
      property(votes, array(constantFrom(0, 1, 2, 3, 4), { maxLength: 5 }), (given, turns) => {
        const turned = turns.reduce<readonly Vote[]>((list, at) => [...list.slice(at), ...list.slice(0, at)], given);
        expect(computeConsensus(turned)).toEqual(computeConsensus(given));
        expect(computeConsensus(given.toReversed())).toEqual(computeConsensus(given));
      }),
    );
  });

  test('never pass without a PASS, nor past a MUST or a missing vote', () => {
    assert(
      property(votes, (given) => {
        const { status } = computeConsensus(given);
        if (given.some(({ said, must }) => said === 'VIOLATED' && must)) expect(status).toBe('FAIL');
        else if (given.some(({ said }) => said === 'NO_VOTE')) expect(status).toBe('UNDECIDED');
        else if (!given.some(({ said }) => said === 'PASS')) expect(status).not.toBe('PASS');
      }),
    );
  });
});
