import { describe, expect, it } from 'vitest';
import { unallowed } from '../../../../src/record/gate-bending.ts';
import { bendingOf, labelledChanges } from '../../../support/gate-bending.ts';

const rows = labelledChanges();

describe('the labelled changes', () => {
  it('are many, of both kinds, and half of them were held back while the counting was built', () => {
    expect(rows.length).toBeGreaterThan(100);
    for (const half of ['develop', 'held back'])
      for (const label of ['honest', 'weakens'])
        expect(rows.filter((row) => row.half === half && row.label === label).length).toBeGreaterThan(15);
  });

  it.each(rows.map((row) => [row.id, row.label, row] as const))('%s is measured as: %s', (_, label, row) => {
    const bending = bendingOf(row);
    const open = unallowed({ tree: '', ...bending, bends: [...bending.bends], notes: [...bending.notes] });
    expect(open.length > 0 ? 'weakens' : 'honest', JSON.stringify(open)).toBe(label);
  });
});
