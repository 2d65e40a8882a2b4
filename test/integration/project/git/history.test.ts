import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listAbandonedCommits, OWN_RETREAT } from '../../../../src/project/git/history.ts';
import { openUserGit } from '../../../../src/project/git/user-git.ts';
import { aRepository } from './a-repository.ts';

it('the commits that a branch was moved away from are listed, and not those that andon itself took back', async () => {
  const here = aRepository();
  const first = here.git('rev-parse', 'HEAD');
  const listed = () => listAbandonedCommits(join(here.root, '.git'), 'refs/heads/main');
  const reset = (action?: string): Promise<string> =>
    openUserGit(here.root, action === undefined ? {} : { GIT_REFLOG_ACTION: action })(
      'reset',
      '--quiet',
      '--keep',
      first,
    );
  const merged = here.commit('landed beside another move');
  await reset(OWN_RETREAT);
  expect(await listed()).not.toContain(merged);
  const dropped = here.commit('dropped by its user');
  await reset();
  expect(await listed()).toContain(dropped);
});
