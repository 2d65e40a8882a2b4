import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { noteReds, readReds } from '../../../src/line/upkeep/doctor-reds.ts';
import type { RepositoryFacts } from '../../../src/project/git/repository-facts.ts';
import { AT } from '../../support/records.ts';

let state: string;
const place = () => ({ state, facts: { root: state } as RepositoryFacts, userConfig: join(state, 'user.yaml') });
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'reds-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
});
const red = (name: string) => ({ name, state: 'fail' as const, detail: `${name} is not well`, remedy: 'mend it' });
const names = (): readonly string[] => readReds(place()).map(({ name }) => name);

describe('the red results of the doctor', () => {
  it('stay until the next doctor, with their time, except states that every command sees', () => {
    noteReds(place(), [red('cage'), red('target branch'), { name: 'git', state: 'ok', detail: 'fine' }], {
      at: AT,
      gates: true,
    });
    expect(readReds(place())).toEqual([{ name: 'cage', detail: 'cage is not well', remedy: 'mend it', at: AT }]);
    noteReds(place(), [], { at: AT, gates: true });
    expect(names()).toEqual([]);
  });

  it('are not shown once the configuration is another than the one they were found under', () => {
    noteReds(place(), [red('cage')], { at: AT, gates: true });
    writeFileSync(join(state, 'user.yaml'), 'cage: none\n');
    expect(names()).toEqual([]);
    rmSync(join(state, 'user.yaml'));
    expect(names()).toEqual(['cage']);
  });

  it('keep those about gates where no gate was run', () => {
    noteReds(place(), [red('gates'), red('cage')], { at: AT, gates: true });
    noteReds(place(), [], { at: AT, gates: false });
    expect(names()).toEqual(['gates']);
  });

  it('are none where the note is damaged', () => {
    for (const text of ['', '{', '{"reds": []}', '[{"name": 1}]', '\u0000']) {
      writeFileSync(join(state, 'doctor.json'), text);
      expect(names(), text).toEqual([]);
    }
  });

  it('are at most 50, on lines that steer no terminal', () => {
    const many = Array.from({ length: 80 }, (_, at) => ({
      ...red(`part ${at}`),
      detail: `\u001b[31m${'x\n'.repeat(9999)}`,
    }));
    noteReds(place(), many, { at: AT, gates: true });
    expect(readReds(place())).toHaveLength(50);
    expect(readReds(place()).every(({ detail }) => detail.length <= 300 && !detail.includes('\u001b'))).toBe(true);
  });
});
