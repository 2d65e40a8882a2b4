import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { noteReds, readReds } from '../../../src/daemon/readers/doctor-reds.ts';
import { AT } from '../../support/records.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'reds-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
});
const red = (name: string) => ({ name, state: 'fail' as const, detail: `${name} is not well`, remedy: 'mend it' });
const well = (name: string) => ({ name, state: 'ok' as const, detail: 'fine' });
const names = (): readonly string[] => readReds(state).map(({ name }) => name);

describe('what a doctor found red', () => {
  it('stands until it is found well, with when it was found', () => {
    noteReds(state, [red('disk'), well('git')], { at: AT, gates: true });
    expect(readReds(state)).toEqual([{ name: 'disk', detail: 'disk is not well', remedy: 'mend it', at: AT }]);
    noteReds(state, [well('disk'), red('gate tests')], { at: AT, gates: true });
    expect(names()).toEqual(['gate tests']);
  });

  it('stays where nobody looked at it again, and goes when all is well and the gates were run', () => {
    noteReds(state, [red('gate tests')], { at: AT, gates: true });
    noteReds(state, [well('disk')], { at: AT, gates: false });
    expect(names()).toEqual(['gate tests']);
    noteReds(state, [red('disk')], { at: AT, gates: true });
    expect(names()).toEqual(['disk', 'gate tests']);
    noteReds(state, [well('disk')], { at: AT, gates: true });
    expect(names()).toEqual([]);
  });

  it('is not taken for well where the note of it cannot be read', () => {
    expect(names()).toEqual([]);
    for (const text of ['', '{', '{"reds": [{"name": 1}]}', '{"reds": {}}', '\u0000']) {
      writeFileSync(join(state, 'doctor.json'), text);
      expect(names(), text).toEqual(['note of the doctor']);
    }
    noteReds(state, [well('disk')], { at: AT, gates: false });
    expect(names()).toEqual([]);
  });

  it('is kept in bounds, and on lines that nothing steers', () => {
    const many = Array.from({ length: 80 }, (_, at) => ({
      ...red(`gate ${at}`),
      detail: `\u001b[31m${'x\n'.repeat(9999)}`,
    }));
    noteReds(state, many, { at: AT, gates: true });
    expect(readReds(state)).toHaveLength(50);
    expect(readFileSync(join(state, 'doctor.json'), 'utf8').length).toBeLessThan(50_000);
    expect(readReds(state).some(({ detail }) => detail.includes('\u001b'))).toBe(false);
  });
});
