import { describe, expect, it } from 'vitest';
import { readBaseline, writeBaseline } from '../../../../src/rules/load/baseline-file.ts';

describe('a baseline', () => {
  const entries = [
    { rule: 'R-2', path: 'b.ts', fingerprint: 'b'.repeat(64) },
    { rule: 'R-1', path: 'a.ts', fingerprint: 'a'.repeat(64) },
  ];

  it('is written sorted, one finding per line, and read back', () => {
    const text = writeBaseline([...entries, ...entries]);
    expect(text.split('\n').filter((row) => row.includes('fingerprint'))).toHaveLength(2);
    expect(readBaseline('b.json', text)).toEqual({ baseline: entries.toReversed(), faults: [] });
    expect(readBaseline('b.json', writeBaseline([]))).toEqual({ baseline: [], faults: [] });
  });

  it('keeps what was measured', () => {
    const print = 'c'.repeat(64);
    const measured = (most: number) => ({ rule: 'R-3', path: 'c.ts', fingerprint: print, most });
    expect(readBaseline('b.json', writeBaseline([measured(14)])).baseline).toEqual([measured(14)]);
  });

  it.each(['', '{', '[]', '{"schema":"andon.baseline/v1","findings":[{}]}'])('%j is refused', (text) => {
    expect(readBaseline('b.json', text).faults.length).toBeGreaterThan(0);
  });
});
