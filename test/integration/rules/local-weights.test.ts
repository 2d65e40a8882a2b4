import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalWeights } from '../../../src/agents/models/local-weights.ts';
import { verifyGrounding, verifyRelevance } from '../../../src/rules/files/inspect-response.ts';

/** A library of the form of transformers.js, whose models count words: it proves the wiring, and no model. */
const LIBRARY = `
export const env = {};
const words = (text) => new Set(text.toLowerCase().match(/[a-z]+/g) ?? []);
const shared = (one, other) => [...words(one)].filter((word) => words(other).has(word)).length;
export const pipeline = async (task) => async ([one, other]) => {
  if (task !== 'feature-extraction' || env.allowRemoteModels !== false) throw new Error('not so');
  const near = shared(one, other) / Math.max(1, Math.min(words(one).size, words(other).size));
  return { data: Float32Array.from([1, 0, near, Math.sqrt(1 - near * near)]) };
};
export const AutoTokenizer = { from_pretrained: async () => ([text], { text_pair: [pair] }) => ({ text, pair }) };
export const AutoModelForSequenceClassification = {
  from_pretrained: async (name) =>
    Object.assign(
      async ({ text, pair }) => {
        if (pair.includes('NaN')) return { logits: { data: [NaN, NaN, NaN] } };
        const known = shared(text, pair);
        return { logits: { data: name.startsWith('nli') ? [pair.includes('not') ? 9 : 0, known, 1] : [known * 4 - 4] } };
      },
      { config: { id2label: { 0: 'contradiction', 1: 'entailment', 2: 'neutral' } } },
    ),
};
`;

/** A project with that library in its node_modules, and a folder with the named weights. */
function aProject({
  installed = true,
  models = ['all-MiniLM-L6-v2', 'ms-marco-MiniLM-L-6-v2', 'nli-deberta-v3-base'],
} = {}) {
  const root = mkdtempSync(join(tmpdir(), 'andon-weights-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'node_modules/@huggingface/transformers');
  if (installed) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: '@huggingface/transformers', type: 'module', exports: './index.js' }),
    );
    writeFileSync(join(folder, 'index.js'), LIBRARY);
  }
  for (const model of models) mkdirSync(join(root, 'weights', model), { recursive: true });
  return (why?: string) =>
    openLocalWeights({ weights: join(root, 'weights'), projectRoot: root, whyNotLoaded: () => Promise.resolve(why) });
}

const OFFICE = { query: 'What is your refund policy?', response: 'The office opens at nine.', threshold: 0.5 };
const POLICY = { ...OFFICE, response: 'Our refund policy is thirty days.' };

describe('models with local weights', () => {
  test.each(['embedding', 'cross_encoder'] as const)('measure relevance: %s', async (strategy) => {
    const open = aProject();
    expect((await verifyRelevance({ ...POLICY, strategy }, undefined, open)).status).toBe('passed');
    expect((await verifyRelevance({ ...OFFICE, strategy }, undefined, open)).status).toBe('failed');
  });

  test.each([
    ['Refunds up to fifty dollars.', 'Refunds up to fifty dollars.', 'passed', 1],
    ['Refunds up to fifty dollars.', 'There is not any refund.', 'failed', 0],
    ['Refunds up to fifty dollars.', 'Zebras swim.', 'failed', 0.5],
  ])('measure grounding: %s / %s', async (context, response, status, score) => {
    const question = { context: [context], response, threshold: 0.75, strategy: 'cross_encoder' } as const;
    expect(await verifyGrounding(question, undefined, aProject())).toMatchObject({ status, score });
  });

  test.each([
    [
      'are not installed',
      aProject.bind(undefined, { installed: false }),
      undefined,
      'npm install @huggingface/transformers',
    ],
    ['have no weights there', aProject.bind(undefined, { models: [] }), undefined, 'missing folder all-MiniLM-L6-v2'],
    ['are part of the repository', aProject.bind(undefined, {}), 'code of a repository is not run', 'is not run'],
  ])('that %s pass nothing, and say so', async (_, make, why, said) => {
    const open = make();
    const check = await verifyRelevance({ ...POLICY, strategy: 'embedding' }, undefined, () => open(why));
    expect(check).toMatchObject({ status: 'abstained', details: expect.stringContaining(said) });
  });

  test('that give no number pass nothing', async () => {
    const check = await verifyRelevance(
      { ...POLICY, response: 'NaN', strategy: 'cross_encoder' },
      undefined,
      aProject(),
    );
    expect(check).toMatchObject({ status: 'abstained', details: expect.stringContaining('returned no number') });
  });

  test('are none where the user names no folder', async () => {
    const check = await verifyRelevance({ ...POLICY, strategy: 'embedding' });
    expect(check).toMatchObject({ status: 'abstained', details: expect.stringContaining('llm.weights') });
  });
});
