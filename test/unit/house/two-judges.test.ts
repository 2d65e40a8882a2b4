import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseOf, changedOf, readJudgedChanges, type JudgedChange } from '../../support/two-judges.ts';

const ABOUT = readFileSync(join(import.meta.dirname, '../../corpora/two-judges/README.md'), 'utf8');
const [dev, held] = [readJudgedChanges('dev'), readJudgedChanges('held')];
const all = [...dev, ...held];
const idsOf = (those: readonly JudgedChange[]): readonly string[] => those.map(({ id }) => id);
const isEven = (id: string): boolean => (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0;

/** Whether the contract or a tie to a requirement lets this test of the base fail. */
const isCovered = ({ contract, ties = {} }: JudgedChange, red: string): boolean => {
  const parts = red.split(' > ');
  const leave = contract.allow_test_changes ?? [];
  return parts.some((part) => part in ties || leave.some((one) => one === part || matchesGlob(part, one)));
};

describe('the labelled changes before two judges', () => {
  it('are at least 110 bends that are not about product code alone, and 110 honest changes', () => {
    expect(all.filter(({ kind, outside }) => kind === 'bend' && outside !== true).length).toBeGreaterThanOrEqual(110);
    expect(all.filter(({ kind }) => kind === 'honest').length).toBeGreaterThanOrEqual(110);
  });

  it('have a name of their own each, whose hash says to which half they belong', () => {
    expect(new Set(idsOf(all)).size).toBe(all.length);
    expect(idsOf(dev).filter((id) => !isEven(id))).toEqual([]);
    expect(idsOf(held).filter(isEven)).toEqual([]);
  });

  it('change something, and can be applied', () => {
    const same = (one: JudgedChange): boolean => {
      const [before, after] = [baseOf(one), changedOf(one)];
      return before.size === after.size && [...before].every(([path, entry]) => after.get(path) === entry);
    };
    expect(idsOf(all.filter(same))).toEqual([]);
  });

  it('are of classes that the page names', () => {
    expect([...new Set(all.map((one) => one.class))].filter((name) => !ABOUT.includes(`| ${name} |`))).toEqual([]);
  });

  it('have leave or a tie for every test that an honest change breaks, and for none that a bend breaks', () => {
    const bare = all.flatMap((one) => (one.red ?? []).filter((red) => !isCovered(one, red)).map(() => one));
    const covered = all.flatMap((one) => (one.red ?? []).filter((red) => isCovered(one, red)).map(() => one));
    expect(idsOf(bare.filter(({ kind }) => kind === 'honest'))).toEqual([]);
    expect(idsOf(covered.filter(({ kind, outside }) => kind === 'bend' && outside !== true))).toEqual([]);
  });

  it('say of every bend that is no matter of product code by what it can be noticed', () => {
    const bends = all.filter(({ kind }) => kind === 'bend');
    expect(idsOf(bends.filter(({ outside, seen_by }) => outside !== true && seen_by === undefined))).toEqual([]);
    expect(idsOf(bends.filter(({ seen_by, old }) => seen_by === 'old' && old !== 'red'))).toEqual([]);
    expect(idsOf(bends.filter(({ seen_by, fresh }) => seen_by === 'idle' && fresh !== 'green'))).toEqual([]);
  });
});
