import { expect, test } from 'vitest';
import { completeWishes, standardWishes } from '../../../../src/contract/draft/wishes.ts';

const ROLES = { implementers: ['small', 'large'], localReviewer: 'sec', judge: 'claude-code-cli' };

test('a new contract names who works by the configuration, all of a panel, unless somebody is named', () => {
  const alone = standardWishes('docs', ROLES);
  expect(completeWishes({}, alone)).toMatchObject({
    project: 'docs',
    implementers: ['small', 'large'],
    reviewer: 'sec',
    judge: 'claude-code-cli',
  });
  const panel = standardWishes('docs', { ...ROLES, reviewers: ['sec', 'arch'], judges: ['opus', 'strict'] });
  expect(completeWishes({}, panel).reviewer).toBe('sec,arch');
  expect(completeWishes({}, panel).judge).toBe('opus,strict');
  expect(completeWishes({ reviewer: 'other' }, panel).reviewer).toBe('other');
});
