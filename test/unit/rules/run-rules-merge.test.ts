import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { RuleMatch } from '../../../src/rules/model/inspection.ts';
import { LAYERS, RULE_STATUSES, type Layer, type RuleStatus } from '../../../src/rules/model/rule-words.ts';
import { mergeMatches } from '../../../src/rules/run-rules.ts';

const says = (layer: Layer, status: RuleStatus, confidence = 0.8): RuleMatch => ({
  layer,
  status,
  confidence,
  reason: `${layer} says ${status}`,
  places: [],
});

const CLEAR: readonly RuleStatus[] = ['PASS', 'VIOLATED', 'NOT_COVERED'];

describe('what the layers come to', () => {
  it.each(
    CLEAR.flatMap((keyword) => CLEAR.flatMap((semantic) => CLEAR.map((llm) => [keyword, semantic, llm] as const))),
  )('keyword %s, semantic %s and a sure model that says %s come to what the model says', (keyword, semantic, llm) => {
    const merged = mergeMatches([
      says('keyword', keyword, 0.9),
      says('semantic', semantic, 0.9),
      says('llm', llm, 0.6),
    ]);
    expect(merged.status).toBe(llm);
  });

  it.each(CLEAR.flatMap((keyword) => CLEAR.map((llm) => [keyword, llm] as const)))(
    'an unsure model that says %2$s does not overrule a keyword layer that says %1$s',
    (keyword, llm) => {
      expect(mergeMatches([says('keyword', keyword, 0.7), says('llm', llm, 0.59)]).status).toBe(keyword);
    },
  );

  it.each(CLEAR.flatMap((exact) => CLEAR.map((llm) => [exact, llm] as const)))(
    'exact evidence that says %s is final whatever a sure model says (%s)',
    (exact, llm) => {
      expect(mergeMatches([says('exact', exact, 0.5), says('llm', llm, 1)]).status).toBe(exact);
    },
  );

  it('ties go to the violation, then to the pass', () => {
    expect(mergeMatches([says('keyword', 'PASS', 0.5), says('llm', 'VIOLATED', 0.5)]).status).toBe('VIOLATED');
    expect(mergeMatches([says('keyword', 'NOT_COVERED', 0.5), says('llm', 'PASS', 0.5)]).status).toBe('PASS');
  });

  it('a tie between layers that say the same is told in the words of the upper one', () => {
    const both = [says('keyword', 'PASS', 0.7), says('semantic', 'PASS', 0.7)];
    for (const matches of [both, both.toReversed()])
      expect(mergeMatches(matches)).toMatchObject({ status: 'PASS', reason: 'semantic says PASS' });
  });

  it('a human is asked to look when one layer sees a violation and another a pass', () => {
    expect(mergeMatches([says('keyword', 'VIOLATED'), says('llm', 'PASS', 0.97)])).toMatchObject({
      status: 'PASS',
      needsReview: true,
    });
    expect(mergeMatches([says('keyword', 'VIOLATED'), says('semantic', 'NOT_COVERED', 0.2)]).needsReview).toBe(false);
  });

  it('what could not be checked or decided stands unless a violation is found', () => {
    expect(mergeMatches([says('keyword', 'PASS'), says('llm', 'ERROR', 1)]).status).toBe('ERROR');
    expect(mergeMatches([says('keyword', 'PASS'), says('llm', 'UNDECIDED', 1)]).status).toBe('UNDECIDED');
    expect(mergeMatches([says('keyword', 'VIOLATED'), says('llm', 'ERROR', 1)]).status).toBe('VIOLATED');
  });

  it('nothing said is not applicable', () => {
    expect(mergeMatches([])).toMatchObject({ status: 'NOT_APPLICABLE', needsReview: false });
  });
});

const anyMatch = fc.record({
  layer: fc.constantFrom(...LAYERS),
  status: fc.constantFrom(...RULE_STATUSES),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  reason: fc.constant('said'),
  places: fc.constant([]),
});
const anyMatches = fc.array(anyMatch, { maxLength: 6 });

describe('whatever the layers say', () => {
  const holds = (property: (matches: readonly RuleMatch[]) => boolean): void =>
    fc.assert(fc.property(anyMatches, property));

  it('an error or an undecided layer never ends as a pass', () =>
    holds(
      (matches) =>
        matches.every(({ status }) => status !== 'ERROR' && status !== 'UNDECIDED') ||
        mergeMatches(matches).status !== 'PASS',
    ));

  it('the semantic layer alone never makes a violation', () =>
    holds(
      (matches) =>
        matches.some(({ layer, status }) => layer !== 'semantic' && status === 'VIOLATED') ||
        mergeMatches(matches).status !== 'VIOLATED',
    ));

  it('the semantic layer never takes a violation away', () =>
    holds((matches) => {
      const without = matches.filter(({ layer }) => layer !== 'semantic');
      return mergeMatches(without).status !== 'VIOLATED' || mergeMatches(matches).status === 'VIOLATED';
    }));

  it('the confidence stays between 0 and 1, and every layer is kept', () =>
    holds((matches) => {
      const { confidence, layers } = mergeMatches(matches);
      return confidence >= 0 && confidence <= 1 && layers === matches;
    }));

  it('the order of the layers does not matter', () =>
    holds((matches) => mergeMatches(matches).status === mergeMatches(matches.toReversed()).status));
});
