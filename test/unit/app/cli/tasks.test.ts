import { expect, test } from 'vitest';
import { hintAtHold, isIdle } from '../../../../src/app/cli/tasks.ts';
import { A_LINE } from '../../../support/nights.ts';
import { AT } from '../../../support/records.ts';

const waits = { errno: 'ENOSPC', why: 'no space left on device', since: AT };

test.each([
  ['nothing', A_LINE, ''],
  [
    'a person',
    { ...A_LINE, watchdog: { pid: 1, doing: 'watch', waits: null }, blocked: 'paused by x' },
    ' Nothing starts now: paused by x.',
  ],
  [
    'a person, and no watchdog',
    { ...A_LINE, watchdog: null, blocked: 'paused by x' },
    ' Nothing starts now: paused by x. No watchdog is running. Run `andon watch` to start one.',
  ],
  [
    'a disk',
    { ...A_LINE, watchdog: { pid: 1, doing: 'watch', waits } },
    ' Nothing starts now: the disk takes no writes (ENOSPC: no space left on device); andon goes on by itself when that is over.',
  ],
])('what holds the line is said after a sentence: %s', (_, facts, hint) => {
  expect(hintAtHold(facts)).toBe(hint);
});

test.each([
  ['nothing at all', A_LINE, true],
  ['a task that runs', { ...A_LINE, task: { task_id: 'A' } as never }, false],
  ['a proposal', { ...A_LINE, proposal: 'a proposal waits' }, false],
])('a line is idle only without any work: %s', (_, facts, idle) => {
  expect(isIdle(facts)).toBe(idle);
});
