import { expect, it } from 'vitest';
import { describeLimits } from '../../../../../src/app/setup/doctor/examine-cage.ts';

const WORDS = 'memory 4096 MB and 2048 processes';

it('names the limits that are held apart from those that are not', () => {
  const tries = [
    { what: 'memory', result: 'open' },
    { what: 'processes', result: 'held' },
    { what: 'files', result: 'held' },
  ] as const;
  expect(describeLimits(tries, WORDS)).toMatchObject({
    state: 'warn',
    detail: `not held here: memory. held: processes, files. Per gate: ${WORDS}`,
  });
});

it('does not call a limit not held whose try ran out of time', () => {
  const check = describeLimits(
    [
      { what: 'memory', result: 'unsure' },
      { what: 'files', result: 'held' },
    ],
    WORDS,
  );
  expect(check.detail).toContain('not sure, because the machine is busy: memory. held: files');
  expect(check.detail).not.toContain('not held');
  expect(check.remedy).toBe('run `andon doctor` again when the machine is less busy');
});

it('passes where every limit is held or cannot be tried', () => {
  const check = describeLimits(
    [
      { what: 'memory', result: 'held' },
      { what: 'data in connections', result: 'untried' },
    ],
    WORDS,
  );
  expect(check).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('for want of Perl: data in connections'),
  });
});
