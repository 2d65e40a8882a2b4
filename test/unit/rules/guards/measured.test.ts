import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../../../scripts/eval/data-set.ts';
import type { Measured } from '../../../../scripts/eval/data-set.ts';
import { AGENT_MESSAGES, MESSAGES } from '../../../../scripts/eval/sets/messages.ts';
import { isReached } from '../../../../scripts/eval/table.ts';

const CORPORA = join(import.meta.dirname, '../../../corpora');
const FRESH = join(CORPORA, 'fresh');

/** Every figure with a goal, by its name and value, and those among them that miss it. */
const missed = ({ figures }: Measured): readonly string[] =>
  figures.filter((one) => !isReached(one)).map(({ name, value }) => `${name}: ${value}`);
const goals = ({ figures }: Measured): number => figures.filter(({ goal }) => goal !== undefined).length;

/** What `npm run eval` measures, so that a change that reads messages worse is seen before it is merged. */
describe('messages between agents are read as well as before', () => {
  it('of templates and words that nobody tuned anything to', async () => {
    const file = join(CORPORA, 'messages.jsonl');
    const measured = await MESSAGES.measure(readRows(file), file);
    expect(goals(measured)).toBe(3);
    expect(missed(measured)).toEqual([]);
  });

  it('of every batch from which nothing was learned, taken together', async () => {
    const batches = readdirSync(FRESH).map((batch) => join(FRESH, batch, 'agent-messages.jsonl'));
    const rows = batches.flatMap((file) => readRows(file));
    expect(rows.length).toBeGreaterThanOrEqual(480);
    const measured = await AGENT_MESSAGES.measure(rows, FRESH);
    expect(goals(measured)).toBe(3);
    expect(missed(measured)).toEqual([]);
  });
});
