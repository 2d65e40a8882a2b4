import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseDrills } from '../../../src/drills/choose-drills.ts';
import { drills } from '../../../src/drills/index.ts';
import { BREAKERS } from '../../../src/record/trip.ts';
import { Problem } from '../../../src/base/problem.ts';

const FOLDER = join(import.meta.dirname, '../../../src/drills');
/** Drills that are about more than one breaker, or about none. */
const OTHERS = ['crash', 'quota', 'dirty-merge', 'tamper'];
/** What the drills are made of and run by. */
const STAGE_HANDS = [
  'checkout',
  'choose-drills',
  'drill',
  'figures',
  'index',
  'look-at-end',
  'look-at-halt',
  'processes',
  'run-drill',
  'run-drills',
  'sample',
  'scenario',
  'stage',
  'start-line',
  'story-of',
  'versions',
];

describe('the drills', () => {
  it('are one per breaker, in order of blame, then those that are about more', () => {
    expect(drills.map(({ name }) => name)).toEqual([...BREAKERS, ...OTHERS]);
    expect(drills.filter(({ name }) => !OTHERS.includes(name)).map(({ breaker }) => breaker)).toEqual([...BREAKERS]);
  });

  it('have one file each, named as they are', () => {
    const files = readdirSync(FOLDER).map((name) => name.replace(/\.ts$/, ''));
    const ofDrills = drills.map(({ name }) => name.replaceAll('_', '-'));
    expect(files.toSorted()).toEqual([...ofDrills, ...STAGE_HANDS].toSorted());
  });

  it.each(drills.filter(({ breaker }) => breaker !== undefined))(
    '$name trips its breaker by figures of the line, and has a neighbour that goes through',
    ({ breaker, situations }) => {
      const halts = situations.flatMap(({ halt }) => halt ?? []);
      expect(halts.length).toBeGreaterThan(0);
      expect(halts.map((halt) => halt.breaker)).toEqual(halts.map(() => breaker));
      expect(halts[0]?.figures).toBeDefined();
      expect(halts.every(({ says }) => says.length > 5)).toBe(true);
      const neighbours = situations.filter(({ injects, halt }) => halt === undefined && /one step below/.test(injects));
      expect(neighbours.length).toBeGreaterThan(0);
      expect(neighbours.every(({ end }) => end.status === 'merged')).toBe(true);
    },
  );

  it('look at the files of the target or the checkout in the end, whatever the end is', () => {
    const blind = drills.flatMap(({ name, situations }) =>
      situations.filter(({ end }) => end.holds === undefined && end.also === undefined).map(() => name),
    );
    expect(blind).toEqual([]);
  });
});

describe('a drill that is named', () => {
  it('may be spelt with dashes or underscores; the order is that of the list', () => {
    const names = (...words: string[]) => chooseDrills(words).map(({ name }) => name);
    expect(names('dirty_merge', 'judge-halt')).toEqual(['judge_halt', 'dirty-merge']);
    expect(names('crash', 'all')).toEqual(drills.map(({ name }) => name));
  });

  it('and is not known is refused, with the nearest', () => {
    const refusal = (() => {
      try {
        chooseDrills(['budget', 'rebutal', 'krash']);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({
      exitCode: 2,
      message: 'there is no drill "rebutal", "krash"',
      remedy: expect.stringMatching(/crash\?/) as unknown,
    });
  });
});
