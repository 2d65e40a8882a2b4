import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleProject } from '../../../../src/app/drills/demo-place.ts';
import { allDrills, readDrill, chooseDrills } from '../../../../src/app/drills/all-drills.ts';
import { FINAL, answerOnce, judges, reviewFails, writes } from '../../../support/scenario.ts';
import { BREAKERS } from '../../../../src/line/record/trip.ts';
import { Problem } from '../../../../src/base/problem.ts';

const drills = allDrills();
/** Drills that are about more than one breaker, or about none; the files in `shipped/drills/` say which there are. */
const others = drills.map(({ name }) => name).filter((name) => !(BREAKERS as readonly string[]).includes(name));

describe('the drills', () => {
  it('are one per breaker, in order of blame, then those that are about more', () => {
    expect(drills.map(({ name }) => name)).toEqual([...BREAKERS, ...others]);
    expect(drills.slice(0, BREAKERS.length).map(({ breaker }) => breaker)).toEqual([...BREAKERS]);
    expect(others).toEqual(expect.arrayContaining(['crash', 'quota', 'dirty-merge', 'tamper']));
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

describe('the file of a drill', () => {
  const END = "end: { status: merged, holds: { docs/auth_final.md: '{{final}}' } }";
  const withSituation = (more: string): string =>
    `injects: something\nsituations:\n  - injects: something\n    ${more}\n    ${END}\n`;

  it('says in short what the agents answer: it becomes what the stand-ins read', () => {
    const [situation] = readDrill(
      'scope',
      withSituation(`agents:
      implementer:
        - { writes: "{{version 2}}And more.\\n", times: 1 }
        - { writes: { a.md: null } }
      reviewer: [{ verdict: FAIL, findings: [it is wrong] }]
      judge: [{ verdict: FAIL, report: { summary: No. }, times: 1 }, { does: [empty] }]`),
    ).situations;
    expect(situation?.agents).toEqual({
      implementer: [
        answerOnce(writes({ 'docs/auth_final.md': `${FINAL}\nVersion 2.\nAnd more.\n` })),
        writes({ 'a.md': null }),
      ],
      reviewer: [reviewFails('it is wrong')],
      judge: [answerOnce(judges('FAIL', { summary: 'No.' })), { does: ['empty'] }],
    });
    expect(situation?.end.holds).toEqual({ 'docs/auth_final.md': FINAL });
  });

  it('that is named after a breaker is about it, and its halts too, unless they say otherwise', () => {
    const halts = (breaker: string) => withSituation(`halt: { ${breaker}says: as it must, path: 1 }`);
    expect(readDrill('scope', halts(''))).toMatchObject({
      breaker: 'scope',
      situations: [{ halt: { breaker: 'scope' } }],
    });
    expect(readDrill('scope', halts('breaker: fault, '))).toMatchObject({
      situations: [{ halt: { breaker: 'fault' } }],
    });
    expect(() => readDrill('weather', halts(''))).toThrow(/weather\.yaml: situations\.0\.halt: expected a breaker/);
  });

  it.each([
    ['a mistyped key', withSituation('befor: []'), /scope\.yaml: situations\.0: .*"befor"; did you mean before\?/],
    [
      'an act that nobody knows',
      withSituation('during: [{ wirte: {} }]'),
      /situations\.0\.during\.0: .*did you mean write\?/,
    ],
    [
      'two acts in one',
      withSituation('during: [{ give: go, andon: starts }]'),
      /situations\.0\.during\.0: expected one act/,
    ],
    [
      'a moment that nobody knows',
      withSituation('during: [{ until: the line wait }]'),
      /during\.0\.until: .*did you mean the line waits\?/,
    ],
    [
      'a figure that nobody counts',
      withSituation('halt: { says: as it must, path: 1, figures: { merge: 0 } }'),
      /halt\.figures: .*did you mean merges\?/,
    ],
    ['a third path', withSituation('halt: { says: as it must, path: 3 }'), /situations\.0\.halt\.path: /],
    [
      'an implementer who does neither or both',
      withSituation('agents: { implementer: [{ times: 1 }] }'),
      /agents\.implementer\.0: expected writes or says/,
    ],
    [
      'a text that nobody named',
      withSituation("files: { a.md: '{{finale}}' }"),
      /situations\.0\.files\.a\.md: \{\{finale\}\} means nothing/,
    ],
    ['no situation', 'injects: something\nsituations: []\n', /scope\.yaml: situations: /],
    ['nothing', '', /scope\.yaml: is empty/],
    ['a key twice', 'injects: one\ninjects: two\n', /scope\.yaml: Map keys must be unique/],
    ['no map', '- one\n', /scope\.yaml: expected a map of keys/],
  ])('with %s is refused, with its place', (_, text, why) => {
    expect(() => readDrill('scope', text)).toThrow(why);
  });
});

describe('the demo', () => {
  it('names its sources by what they hold', () => {
    const { files, contracts } = sampleProject();
    const { specification } = contracts.first as { specification?: { source_files: { path: string; hash: string }[] } };
    const sha = (text: string) => `sha256-${createHash('sha256').update(text).digest('hex')}`;
    expect(specification?.source_files.length).toBeGreaterThan(0);
    for (const { path, hash } of specification?.source_files ?? []) expect(hash).toBe(sha(files[`docs/${path}`] ?? ''));
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
      message: expect.stringMatching(/^Unknown drill: rebutal, krash\. The nearest is .*crash/) as unknown,
    });
  });
});
