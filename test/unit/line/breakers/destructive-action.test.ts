import { describe, expect, it } from 'vitest';
import { destructiveAction } from '../../../../src/line/breakers/destructive-action.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { TREE, aChange, aFile, aRecord, withConstraints, pathsOf } from '../../../support/records.ts';

const changed = (
  change: Parameters<typeof aChange>[0],
  constraints: Parameters<typeof withConstraints>[0] = {},
  grants: Partial<TaskRecord['grants']> = {},
): TaskRecord => {
  const record = aRecord({ change: aChange(change), contract: withConstraints(constraints) });
  return { ...record, grants: { ...record.grants, ...grants } };
};
const DELETED = [aFile({ path: 'docs/old.md', status: 'deleted' })];

const many = (count: number) => Array.from({ length: count }, (_, at) => aFile({ path: `docs/${at}.md`, added: 0 }));

describe('a destructive action', () => {
  it.each([
    ['no change at all', aRecord(), undefined],
    ['exactly 5 % of the lines', changed({ lost: 50, projectLines: 1000 }), undefined],
    [
      'one line more',
      changed({ lost: 51, projectLines: 1000 }),
      'files shrink by 51 of 1000 lines in the project (5.1 %); the limit is 5.0 % (max_delete_ratio)',
    ],
    ['nothing lost of a project without lines', changed({ lost: 0, projectLines: 0 }), undefined],
    ['something lost of a project without lines', changed({ lost: 1, projectLines: 0 }), '1 of 0 lines'],
    ['a ratio of the contract', changed({ lost: 60, projectLines: 1000 }, { maxDeleteRatio: 0.06 }), undefined],
    ['a ratio of nothing', changed({ lost: 1, projectLines: 1000 }, { maxDeleteRatio: 0 }), 'the limit is 0.0 %'],
    ['a ratio of everything', changed({ lost: 1000, projectLines: 1000 }, { maxDeleteRatio: 1 }), undefined],
    [
      'a deleted file',
      changed({ files: DELETED }),
      'whole files are deleted, which the contract does not allow (allow_deletes): docs/old.md',
    ],
    ['a deleted file that may go', changed({ files: DELETED }, { allowDeletes: true }), undefined],
    ['a moved file', changed({ files: [aFile({ status: 'moved', from: 'docs/b.md' })] }), undefined],
    ['exactly the largest diff', changed({ added: 150, deleted: 50 }), undefined],
    [
      'one line more than the largest diff',
      changed({ added: 150, deleted: 51 }),
      '201 lines are added or deleted; the limit is 200 (max_diff_size)',
    ],
    ['a diff size that a human raised', changed({ added: 250 }, {}, { diffSize: 50 }), undefined],
    [
      'a diff above what a human raised',
      changed({ added: 251 }, {}, { diffSize: 50 }),
      'the limit is 250 (max_diff_size)',
    ],
    ['as many bytes as its lines may have', changed({ bytes: 200_000 }), undefined],
    [
      'a picture of more bytes than its lines may have',
      changed({ bytes: 200_001 }),
      '200001 bytes are added; the limit is 200000 (max_diff_size: 200 lines of 1000 bytes)',
    ],
    ['a heavy diff of a size that a human raised', changed({ bytes: 250_000 }, {}, { diffSize: 50 }), undefined],
    ['exactly as many files as may change', changed({ files: many(100) }), undefined],
    ['one file more', changed({ files: many(101) }), '101 files are changed; the limit is 100 (max_files)'],
    ['more files than the contract allows', changed({ files: many(3) }, { maxFiles: 2 }), 'the limit is 2 (max_files)'],
    [
      'a tree that a human approved',
      changed(
        { added: 9999, files: DELETED },
        {},
        { approved: [{ tree: TREE, breaker: 'destructive_action', halt: 'DOC-001-1', by: 'you' }] },
      ),
      undefined,
    ],
    [
      'another tree than the approved one',
      changed(
        { added: 9999 },
        {},
        { approved: [{ tree: 'a'.repeat(40), breaker: 'destructive_action', halt: 'DOC-001-1', by: 'you' }] },
      ),
      '9999 lines are added',
    ],
  ])('%s', (_, record, reason) => {
    const trip = destructiveAction.check(record);
    if (reason === undefined) expect(trip).toBeUndefined();
    else expect(trip?.reason).toContain(reason);
  });

  it('names every limit that is broken, not only the first', () => {
    const trip = destructiveAction.check(changed({ lost: 900, projectLines: 1000, files: DELETED, deleted: 900 }));
    expect(trip?.reason.split('; ').length).toBeGreaterThanOrEqual(3);
    expect(trip?.sides.map(({ who }) => who)).toEqual(['implementer', 'contract']);
  });

  it('lets a human approve exactly this tree, or throw it away with the limit spelt out', () => {
    const record = changed({ added: 500 });
    const trip = destructiveAction.check(record);
    if (trip === undefined) throw new Error('it must trip');
    const [approve, retry] = pathsOf(destructiveAction, record);
    expect(approve.effect).toEqual({ to: 'pending_implementer', approveTree: TREE, onlyGates: true });
    expect(retry.effect).toMatchObject({ to: 'pending_implementer', fresh: true });
    expect(retry.effect.say).toContain('500 lines are added or deleted');
  });

  it('offers to let files shrink after four answers that cut a file', () => {
    const record = aRecord({
      refusedAnswers: 4,
      lastFacts: {
        strike: { station: 'implementer', kind: 'refused', why: '26 lines to 3', wants: 'shortened file' },
      },
    });
    const trip = destructiveAction.check(record);
    if (trip === undefined) throw new Error('it must trip');
    expect(trip.reason).toBe(
      '4 answers were refused; the last cuts more than half of a file, which the contract does not allow',
    );
    expect(trip.sides[0]).toEqual({ who: 'andon, about the last answer', says: '26 lines to 3' });
    const [shorten, keep] = pathsOf(destructiveAction, record);
    expect(shorten.effect).toMatchObject({ to: 'pending_implementer', stallTries: 1, shrink: true });
    expect(keep.effect).toMatchObject({ to: 'pending_implementer', stallTries: 1 });
    expect(keep.effect.shrink).toBeUndefined();
  });
});
