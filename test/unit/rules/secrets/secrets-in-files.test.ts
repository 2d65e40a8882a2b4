import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madeText } from '../../../../scripts/eval/made-text.ts';
import { secrets } from '../../../../src/rules/checks/secrets.ts';

interface FileRow {
  readonly id: string;
  readonly kind: 'tp' | 'fp';
  readonly half: 'tuned' | 'held';
  readonly path: string;
  readonly parts: readonly string[];
}

const ROWS = readFileSync(join(import.meta.dirname, '../../../corpora/secrets-in-files.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as FileRow);

function alarmsIn(kind: FileRow['kind'], half: FileRow['half']): number {
  const rows = ROWS.filter((row) => row.kind === kind && row.half === half);
  const found = rows.map((row) => secrets(row.path, '', madeText({ ...row })));
  return found.filter(({ length }) => length > 0).length / rows.length;
}

describe('secrets in files of many kinds', () => {
  it('are found, and what looks like them is not, in the half that the recognisers were tuned with', () => {
    expect(alarmsIn('tp', 'tuned')).toBeGreaterThanOrEqual(0.95);
    expect(alarmsIn('fp', 'tuned')).toBeLessThanOrEqual(0.02);
  });

  it('are found, and what looks like them is not, in the half that was only counted', () => {
    expect(alarmsIn('tp', 'held')).toBeGreaterThanOrEqual(0.9);
    expect(alarmsIn('fp', 'held')).toBeLessThanOrEqual(0.05);
  });
});
