/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { LIVES } from '../crash/lives.ts';
import { live } from '../crash/live.ts';

/** One point of each protocol; `npm run test:crash` tries them all. */
const POINTS = [
  ['the admission is noted and the contract not yet shown', 'journal.append.after-commit:kill#1'],
  ['the contract is half written', 'file.replace.before-sync:kill#2'],
  ['a transition is noted and scripts are not told', 'file.append.before-write:kill#2'],
  ['a line for scripts is torn', 'file.append.half-written:kill#3'],
  ['an attempt is built and its branch does not stand', 'refs.publish.before-update-ref:kill#1'],
  ['the branch stands and nothing says so', 'refs.publish.after-update-ref:kill#1'],
  ['the merge is announced and not done', 'merge.before-fast-forward:kill#1'],
  ['the merge is done and nothing says so', 'merge.after-fast-forward:kill#1'],
  ['the papers are archived and the trees still lie there', 'folders.tidy.before-remove:kill#1'],
] as const;

const [LIFE] = LIVES;

describe('kill -9 while', () => {
  test.each(POINTS)('%s costs a restart, and nothing else', async (_, failpoint) => {
    if (LIFE === undefined) throw new Error('there is no life');
    const { died, wrong, end } = await live(LIFE, { process: 1, failpoint });
    expect({ died, wrong, merges: end.merges.length }).toEqual({ died: true, wrong: [], merges: 1 });
  });
});

describe('kill -9 where the target wants a squash', () => {
  test.each([
    'refs.publish.after-update-ref:kill#2',
    'merge.before-fast-forward:kill#1',
    'merge.after-fast-forward:kill#1',
  ])('at %s costs a restart, and nothing else', async (failpoint) => {
    if (LIFE === undefined) throw new Error('there is no life');
    const projectConfig = { ...LIFE.options.projectConfig, history: { style: 'squash' } };
    const squash = { ...LIFE, options: { ...LIFE.options, projectConfig } };
    const { died, wrong, end } = await live(squash, { process: 1, failpoint });
    expect({ died, wrong, end }).toEqual({ died: true, wrong: [], end: (await live(squash)).end });
  });
});

describe('kill -9 of a command that answers a halt without a watchdog', () => {
  test.each(['file.replace.before-write:kill#1', 'file.append.before-write:kill#1', 'file.move.before-rename:kill#1'])(
    'at %s leaves no lock behind a halt that is over',
    async (failpoint) => {
      const life = LIVES.find(({ name }) => name.endsWith('by commands alone'));
      if (life === undefined) throw new Error('there is no such life');
      const { died, wrong } = await live(life, { process: 2, failpoint });
      expect({ died, wrong }).toEqual({ died: true, wrong: [] });
    },
  );
});

describe('a disk that takes nothing for a while', () => {
  test.each(['ENOSPC', 'EIO', 'EMFILE'])(
    '(%s) is waited for in words, and the line goes on by itself',
    async (code) => {
      if (LIFE === undefined) throw new Error('there is no life');
      const { ended, wrong, end } = await live(LIFE, {
        process: 1,
        failpoint: `journal.append.before-commit:error=${code}#6-7`,
      });
      expect({ ended, wrong, merges: end.merges.length }).toEqual({ ended: [], wrong: [], merges: 1 });
    },
  );
});
