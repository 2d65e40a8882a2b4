import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRefs } from '../../../../src/project/git/create-refs.ts';
import { aRepository } from './a-repository.ts';

const TASK = 'refs/heads/task/DOC-001';
const PIN = 'refs/andon/DOC-001/1';

/** A repository in which two refs are to be created. */
function aProject() {
  const here = aRepository();
  const to = here.git('rev-parse', 'HEAD');
  const create = (...refs: string[]): boolean =>
    createRefs(
      here.path('.git'),
      refs.map((ref) => ({ ref, old: undefined, to })),
    );
  return { here, to, create };
}

describe('creating refs without git', () => {
  it('leaves what git would have left', () => {
    const { here, to, create } = aProject();
    here.git('pack-refs', '--all');
    expect(create(PIN, TASK)).toBe(true);
    expect(here.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/andon', 'refs/heads/task')).toBe(
      `${PIN} ${to}\n${TASK} ${to}`,
    );
    for (const ref of [PIN, TASK])
      expect(here.git('reflog', 'show', '--format=%H %gn <%ge> %gs', ref)).toBe(`${to} andon <andon@localhost> andon`);
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('');
    here.git('update-ref', '-d', TASK, to);
    here.git('pack-refs', '--all');
    expect(here.git('rev-parse', PIN)).toBe(to);
  });

  it.each<[why: string, prepare: (here: ReturnType<typeof aRepository>) => void, ref?: string]>([
    ['one that exists', (here) => here.git('update-ref', TASK, 'HEAD')],
    ['one that is packed', (here) => (here.git('update-ref', TASK, 'HEAD'), here.git('pack-refs', '--all'))],
    ['one beneath it', (here) => here.git('update-ref', `${TASK}/x`, 'HEAD')],
    [
      'a packed one beneath it',
      (here) => (here.git('update-ref', `${TASK}/x`, 'HEAD'), here.git('pack-refs', '--all')),
    ],
    ['one above it', (here) => here.git('update-ref', 'refs/heads/task', 'HEAD')],
    [
      'a packed one above it',
      (here) => (here.git('update-ref', 'refs/heads/task', 'HEAD'), here.git('pack-refs', '--all')),
    ],
    [
      'the lock of another git',
      (here) => (mkdirSync(here.path('.git/refs/heads/task')), writeFileSync(here.path(`.git/${TASK}.lock`), '')),
    ],
    ['a shared repository', (here) => here.git('config', 'core.sharedRepository', 'group')],
    ['a log that cannot be written', (here) => writeFileSync(here.path('.git/logs/refs/heads/task'), '')],
    ['a name that git refuses', () => undefined, 'refs/heads/task/.hidden'],
    ['a name that is a lock', () => undefined, 'refs/heads/task/a.lock'],
  ])('leaves it to git beside %s, and changes nothing', (_, prepare, ref = TASK) => {
    const { here, create } = aProject();
    prepare(here);
    const before = here.git('for-each-ref');
    expect(create(PIN, ref)).toBe(false);
    expect(here.git('for-each-ref')).toBe(before);
    here.git('update-ref', PIN, 'HEAD'); // no lock is left
  });
});
