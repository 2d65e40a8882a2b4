import { expect, test } from 'vitest';
import { fillDefaults, projectDefaults } from '../../../../../src/project/contract/draft/contract-draft.ts';

const ROLES = { implementers: ['small', 'large'], localReviewer: 'sec', judge: 'claude-code-cli' };

test('a new contract names who works by the configuration, all of a panel, unless somebody is named', () => {
  const alone = projectDefaults('docs', ROLES);
  expect(fillDefaults({}, alone)).toMatchObject({
    project: 'docs',
    implementer: ['small', 'large'],
    local_reviewer: 'sec',
    judge: 'claude-code-cli',
  });
  const panel = projectDefaults('docs', { ...ROLES, reviewers: ['sec', 'arch'], judges: ['opus', 'strict'] });
  expect(fillDefaults({}, panel).local_reviewer).toBe('sec,arch');
  expect(fillDefaults({}, panel).judge).toBe('opus,strict');
  expect(fillDefaults({ local_reviewer: 'other' }, panel).local_reviewer).toBe('other');
});
