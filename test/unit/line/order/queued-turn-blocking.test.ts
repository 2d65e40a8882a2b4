import { describe, expect, it } from 'vitest';
import { findBlockingTask, listStandingTasks } from '../../../../src/line/order/queued-turn.ts';
import { AT, aChange, aFile, aHalt, aRecord } from '../../../support/records.ts';

const parked = aRecord({
  status: 'erik_consultation',
  halt: aHalt(),
  parked: AT,
  change: aChange({ files: [aFile({ path: 'docs/guide.md' })] }),
});
const other = (allowedPaths: readonly string[], forbiddenPaths: readonly string[] = [], taskId = 'DOC-002') => ({
  taskId,
  scope: { project: 'Project-A', allowedPaths, forbiddenPaths },
});
const PARKED = { for: 'a parked task', task: 'DOC-001', paths: ['docs/guide.md'] };

describe('a contract beside a parked task', () => {
  it.each<[string, readonly string[], readonly string[], boolean]>([
    ['a folder that the change touches', ['docs/'], [], true],
    ['the very file', ['docs/guide.md'], [], true],
    ['everything', ['**'], [], true],
    ['the same by the name of the project', ['Project-A/docs/'], [], true],
    ['another folder', ['src/'], [], false],
    ['a folder with the file forbidden', ['docs/'], ['docs/guide.md'], false],
    ['the same by the name of the project', ['Project-A/docs/'], ['Project-A/docs/guide.md'], false],
  ])('that may write %s', (_what, allowed, forbidden, waits) => {
    expect(findBlockingTask(other(allowed, forbidden), [parked], 'wait')).toEqual(waits ? [PARKED] : []);
  });

  it('starts all the same where the configuration says so, but never under the id of one that is open', () => {
    expect(findBlockingTask(other(['docs/']), [parked], 'start')).toEqual([]);
    expect(findBlockingTask(other(['src/'], [], 'DOC-001'), [parked], 'start')).toEqual([{ ...PARKED, paths: [] }]);
  });

  it('waits for what stands, and not for what runs', () => {
    const runs = aRecord({ status: 'pending_judge_review' });
    const ended = aRecord({ status: 'abandoned', parked: AT });
    expect(listStandingTasks([runs, parked, ended], [])).toEqual([parked]);
    expect(listStandingTasks([{ ...parked, parked: undefined }], ['DOC-001'])).toEqual([]);
  });
});
