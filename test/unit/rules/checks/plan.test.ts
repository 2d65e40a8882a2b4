import { describe, expect, it } from 'vitest';
import { PLAN, impliesPlan } from '../../../../src/rules/checks/plan.ts';
import { CONTEXT, aRule, aSubject } from '../../../support/rules.ts';

const RULE = aRule({ title: 'Tests Required', content: 'Every change must come with tests.' });
const layersOf = async (check: object, subject: object, tools = {}) =>
  (await PLAN.run({ type: 'plan', ...check }, RULE, aSubject([], subject), { context: CONTEXT, ...tools })).map(
    ({ layer, status }) => `${layer} ${status}`,
  );

describe('the plan check', () => {
  it('asks keyword and semantic layer, and the model only where there is one', async () => {
    expect(await layersOf({}, { plan: 'Ship it without tests' })).toEqual(['keyword VIOLATED', 'semantic NOT_COVERED']);
    const ask = async () => ({ layer: 'llm', status: 'VIOLATED', confidence: 1, reason: 'said', places: [] }) as const;
    expect(await layersOf({}, { plan: 'Ship it' }, { ask })).toHaveLength(3);
    expect(await layersOf({ layers: ['keyword'] }, { plan: 'Ship it' }, { ask })).toEqual(['keyword NOT_COVERED']);
  });

  it('reads the sentences of a contract that is JSON', async () => {
    const contract = JSON.stringify({ task_id: 'T-1', specification: { requirements: ['Ship it without tests'] } });
    expect(await layersOf({}, { contract })).toContain('keyword VIOLATED');
  });

  it('has nothing to say where there is no prose, or only an answer that it is not asked about', async () => {
    expect(await layersOf({}, {})).toEqual([]);
    expect(await layersOf({}, { response: 'Shipped without tests' })).toEqual([]);
    expect(await layersOf({ on: ['response'] }, { response: 'Shipped without tests' })).toContain('keyword VIOLATED');
  });

  it('finds what stands at the end of pages without a full stop, and does not read half of what is too long', async () => {
    const pages = 'and so on '.repeat(3_000);
    expect(await layersOf({}, { plan: `${pages}, ship it without tests` })).toContain('keyword VIOLATED');
    expect(await layersOf({}, { plan: pages.repeat(10) })).toEqual(['keyword ERROR']);
  });

  it('names a layer that it does not know', () => {
    expect(PLAN.lint({ type: 'plan', layers: ['keywords'] }, RULE)).toMatchObject([
      { path: ['layers'], message: 'layers must be a list of: keyword, semantic, llm' },
    ]);
  });

  it('is implied by prose alone', () => {
    expect(impliesPlan(RULE)).toBe(true);
    expect(impliesPlan(aRule({ content: 'x', checks: [{ type: 'secrets' }] }))).toBe(false);
    expect(impliesPlan(aRule({ content: ' ' }))).toBe(false);
  });
});
