import { describe, expect, it } from 'vitest';
import { LADDER } from '../../../src/rules/enforce/ladder.ts';
import { toRuling } from '../../../src/rules/to-ruling.ts';
import { listDoubts } from '../../../src/rules/model/ruling.ts';
import { aFinding, aMatch, anInspection, aResult } from '../../support/inspections.ts';

const DOUBT = aMatch({ layer: 'keyword', status: 'UNDECIDED', reason: 'not sure: it is a question' });

function ruled({ layers = [DOUBT], mode = 'advisory', waived = [], ...finding }: Record<string, unknown> = {}) {
  const { file: _file, line: _line, ...whole } = aFinding();
  return toRuling(
    anInspection({
      mode: mode as 'advisory',
      results: [aResult({ rule: whole.rule, status: 'UNDECIDED', layers: layers as [typeof DOUBT] })],
      findings: [{ ...whole, modality: 'MUST', status: 'UNDECIDED', reason: 'not sure: why', ...finding }],
    }),
    {
      moment: 'contract',
      book: { rules: [], ladder: LADDER },
      waived: new Set(waived as string[]),
    },
  );
}

describe('a rule that is not sure', () => {
  it('is recorded with what would answer it, and stops nothing', () => {
    const ruling = ruled({ not_sure: 'ask' });
    expect(ruling).toMatchObject({ found: [{ does: 'not_sure', not_sure: 'ask' }], unchecked: [] });
    expect(listDoubts(ruling)).toHaveLength(1);
  });

  it.each([
    ['MUST', 'stop'],
    ['SHOULD', 'not_sure'],
  ])('of modality %s in strict mode does %s', (modality, does) => {
    expect(ruled({ mode: 'strict', modality }).found).toMatchObject([{ does }]);
  });

  it('may be waived by a human', () => {
    const { fingerprint } = aFinding();
    const ruling = ruled({ mode: 'strict', waived: [fingerprint] });
    expect(ruling.found).toMatchObject([{ does: 'suppressed', by: 'waiver' }]);
    expect(listDoubts(ruling)).toEqual([]);
  });

  it('stays so where a model gave no answer that counts, also as a hard constraint', () => {
    const failed = aMatch({ layer: 'llm', status: 'UNDECIDED', reason: 'timed out' });
    const ruling = ruled({ layers: [DOUBT, failed], hard: true, reason: 'timed out' });
    expect(ruling).toMatchObject({ found: [{ does: 'not_sure', reason: 'timed out' }], unchecked: [] });
  });

  it('is unchecked where another check of it could not decide either', () => {
    const exact = aMatch({ layer: 'exact', status: 'UNDECIDED', reason: 'too large' });
    expect(ruled({ layers: [DOUBT, exact] })).toMatchObject({ found: [], unchecked: [expect.any(String)] });
  });
});
