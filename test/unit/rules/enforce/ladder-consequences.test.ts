import { expect, test } from 'vitest';
import { penaltySchema } from '../../../../src/rules/model/rule.ts';
import { findConsequences, withOverrides } from '../../../../src/rules/enforce/ladder.ts';

test('a halt tells a human, goes back to the target and ends the iterations by itself', () => {
  expect(findConsequences({}, 'P0', true)).toEqual({});
  expect(findConsequences({}, 'P1', true)).toEqual({});
});

test('nothing follows from a lower violation unless somebody says so', () => {
  for (const priority of ['P1', 'P2', 'P3'] as const) expect(findConsequences({}, priority, false)).toEqual({});
});

test('priority_mapping says what follows, and the rule itself before it', () => {
  const ladder = withOverrides({
    P0: { rollback: false, iteration_penalty: 3 },
    P2: { notify_human: true, rollback: true, iteration_penalty: 'MAX' },
  });
  expect(findConsequences({}, 'P0', true, ladder)).toEqual({ rollback: false, penalty: 3 });
  expect(findConsequences({}, 'P2', false, ladder)).toEqual({ notify: true, rollback: true, penalty: 'MAX' });
  const own = { notify_human: false, rollback: false, iteration_penalty: 1 };
  expect(findConsequences(own, 'P2', false, ladder)).toEqual({ penalty: 1 });
  expect(findConsequences({ rollback: true }, 'P0', true, ladder)).toEqual({ penalty: 3 });
});

test.each([
  ['+MAX', 'MAX'],
  ['MAX', 'MAX'],
  ['+2', 2],
  ['0', 0],
  [4, 4],
] as const)('a penalty of %s is read', (written, read) => {
  expect(penaltySchema().parse(written)).toBe(read);
});
