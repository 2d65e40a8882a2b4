import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseOf, changedOf, readLabelledChanges, type LabelledChange } from '../../support/labelled-changes.ts';

const ABOUT = readFileSync(join(import.meta.dirname, '../../corpora/second-look/README.md'), 'utf8');
const [dev, held] = [readLabelledChanges('dev'), readLabelledChanges('held')];
const all = [...dev, ...held];
const idsOf = (those: readonly LabelledChange[]): readonly string[] => those.map(({ id }) => id);
const isEven = (id: string): boolean => (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0;

/** Whether the contract or a tie to a requirement lets this test of the base fail. */
const isCovered = ({ contract, ties = {} }: LabelledChange, red: string): boolean => {
  const parts = red.split(' > ');
  const leave = contract.allow_test_changes ?? [];
  return parts.some((part) => part in ties || leave.some((one) => one === part || matchesGlob(part, one)));
};

describe('the labelled changes of the second look', () => {
  it('are at least 110 weakenings that are not about product code alone, and 110 honest changes', () => {
    expect(all.filter(({ kind, outside }) => kind === 'weakening' && outside !== true).length).toBeGreaterThanOrEqual(
      110,
    );
    expect(all.filter(({ kind }) => kind === 'honest').length).toBeGreaterThanOrEqual(110);
  });

  it('have a name of their own each, whose hash says to which half they belong', () => {
    expect(new Set(idsOf(all)).size).toBe(all.length);
    expect(idsOf(dev).filter((id) => !isEven(id))).toEqual([]);
    expect(idsOf(held).filter(isEven)).toEqual([]);
  });

  it('change something, and can be applied', () => {
    const same = (one: LabelledChange): boolean => {
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
    expect(idsOf(covered.filter(({ kind, outside }) => kind === 'weakening' && outside !== true))).toEqual([]);
  });

  it('say of every bend that is no matter of product code by what it can be noticed', () => {
    const weakenings = all.filter(({ kind }) => kind === 'weakening');
    expect(idsOf(weakenings.filter(({ outside, seen_by }) => outside !== true && seen_by === undefined))).toEqual([]);
    expect(idsOf(weakenings.filter(({ seen_by, old }) => seen_by === 'old' && old !== 'red'))).toEqual([]);
    expect(idsOf(weakenings.filter(({ seen_by, fresh }) => seen_by === 'idle' && fresh !== 'green'))).toEqual([]);
  });
});
