import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CASES, GROUPS } from '../../catalogue/catalogue.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('the catalogue of faults and attacks', () => {
  it('numbers its cases without a gap, each with a name and a group of its own', () => {
    expect(CASES.map(({ number }) => number)).toEqual(CASES.map((_, at) => at + 1));
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
    expect(CASES.filter(({ group }) => !(group in GROUPS))).toEqual([]);
  });

  it.each(CASES.map((one) => [one.number, one.name, one] as const))(
    'names for case %i (%s) tests that exist, or says why there is none',
    (_number, _name, { proofs, notRun }) => {
      expect(proofs.length > 0).toBe(notRun === undefined);
      for (const { file, title } of proofs) expect([file, isTestIn(file, title)]).toEqual([file, true]);
    },
  );

  it('would notice a test that was renamed', () => {
    expect(isTestIn('test/unit/house/catalogue.test.ts', 'would notice a test that was renamed')).toBe(true);
    expect(isTestIn('test/unit/house/catalogue.test.ts', ['no such', 'title'].join(' '))).toBe(false);
    expect(isTestIn('test/unit/house/nowhere.test.ts', 'would notice a test that was renamed')).toBe(false);
  });
});

/** Whether a file has a test with this very title: the first argument of a call. */
function isTestIn(file: string, title: string): boolean {
  if (!existsSync(join(ROOT, file))) return false;
  const text = readFileSync(join(ROOT, file), 'utf8');
  return ["'", '"', '`'].some((quote) => {
    const at = text.indexOf(`(${quote}${title}${quote},`);
    return at !== -1 || new RegExp(`\\(\\s*${quote}${escaped(title)}${quote},\\s`).test(text);
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
