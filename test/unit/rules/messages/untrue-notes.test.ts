import { describe, expect, it } from 'vitest';
import { untrueNotes } from '../../../../src/rules/messages/untrue-notes.ts';
import { aChange, aFile, aRecord } from '../../../support/records.ts';

const check = (notes: string, evidence = {}, record = aRecord()) =>
  untrueNotes.check({ kind: 'change', edits: [{ path: 'src/dates/format.ts' }], notes }, record, {
    kept: 0,
    ...evidence,
  });

describe('notes of an implementer', () => {
  it('that name a file as changed which the answer leaves alone are refused, with what is missing', () => {
    expect(check('Changed src/dates/format.ts and the export. I also updated the file `src/index.ts`.')).toBe(
      'Your notes say that you changed src/index.ts, but your answer holds nothing for it: give its block, or say what you really changed.',
    );
  });

  it.each([
    'I changed format.ts so that dates are in UTC.',
    'Updated src/dates/format.ts.',
    'I have not changed src/index.ts.',
    'src/index.ts should be updated in a task of its own.',
    'It is read by src/index.ts, which stays as it is.',
    'Is src/index.ts to be updated?',
    '',
  ])('count: %s', (notes) => {
    expect(check(notes)).toBeUndefined();
  });

  it('may name what was kept of an earlier answer, and what an earlier attempt changed', () => {
    expect(check('Updated src/index.ts.', { keptPaths: ['src/index.ts'] })).toBeUndefined();
    const change = aChange({ files: [aFile({ path: 'src/index.ts', status: 'modified' })] });
    expect(check('Updated src/index.ts.', {}, aRecord({ change }))).toBeUndefined();
  });

  it('are nobody’s where nothing was changed', () => {
    expect(untrueNotes.check({ kind: 'no-change', reason: 'Updated x.ts' }, aRecord(), { kept: 1 })).toBeUndefined();
  });
});
