import { describe, expect, it } from 'vitest';
import { contractTampered } from '../../../../src/line/breakers/contract-tampered.ts';
import { aRecord, pathsOf } from '../../../support/records.ts';

const TAMPERED = { found: '1'.repeat(64), expected: '2'.repeat(64), edited: 'max_diff_size: 200 -> 20000' };

describe('the seal on the contract', () => {
  it('holds as long as nobody touched the file', () => {
    expect(contractTampered.check(aRecord())).toBeUndefined();
  });

  it('is broken by an edit, which is shown together with both digests', () => {
    const trip = contractTampered.check(aRecord({ lastFacts: { tampered: TAMPERED } }));
    expect(trip?.sides[0]).toEqual({ who: 'the edited file', says: TAMPERED.edited });
    expect(trip?.sides[1]?.says).toContain('2222222222222222, found 1111111111111111');
  });

  it('shows of both versions only the lines in which they differ', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const short = {
      edited: lines.slice(0, 30).with(20, 'line twenty').join('\n'),
      ours: lines.slice(0, 30).join('\n'),
    };
    const few = contractTampered.check(aRecord({ lastFacts: { tampered: { ...TAMPERED, ...short } } }));
    expect(few?.sides[0]?.says).toBe('line twenty');
    expect(few?.sides[1]?.says).toMatch(/found 1111111111111111\nline 20$/);
    const ours = lines.join('\n');
    const edited = lines.with(70, 'line seventy').join('\n');
    const trip = contractTampered.check(aRecord({ lastFacts: { tampered: { ...TAMPERED, edited, ours } } }));
    expect(trip?.sides[0]?.says).toBe('line seventy');
    expect(trip?.sides[1]?.says).toMatch(/found 1111111111111111\nline 70$/);
    const other = lines.map((line) => `${line}!`).join('\n');
    const all = contractTampered.check(aRecord({ lastFacts: { tampered: { ...TAMPERED, edited: other, ours } } }));
    expect(all?.sides[0]?.says).toMatch(/line 11!\n\(88 more lines differ\)$/);
  });

  it("is broken by an edit of the judge's report too, which is never taken: it is judged again, or restored", () => {
    const tampered = { ...TAMPERED, file: 'JUDGE_REPORT.json', ours: '{"verdict": "FAIL"}' };
    const record = aRecord({ status: 'review_complete', lastFacts: { tampered } });
    const trip = contractTampered.check(record);
    expect(trip?.reason).toContain('_handoff/JUDGE_REPORT.json');
    expect(trip?.sides.map(({ says }) => says)).toEqual([TAMPERED.edited, tampered.ours]);
    if (trip === undefined) return;
    const [again, restored] = pathsOf(contractTampered, record);
    expect(again.effect).toEqual({ to: 'pending_judge_review' });
    expect(restored.effect).toEqual({ to: 'review_complete', contract: 'journal' });
  });

  it('lets a human take the edited version from the start, or restore and go on', () => {
    const record = aRecord({ status: 'pending_local_review', lastFacts: { tampered: TAMPERED } });
    const [edited, restored] = pathsOf(contractTampered, record);
    expect(edited.effect).toEqual({ to: 'pending_implementer', contract: 'edited', fresh: true });
    expect(restored.effect).toEqual({ to: 'pending_local_review', contract: 'journal' });
  });
});
