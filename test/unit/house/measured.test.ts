import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSet, readRows, type Figure } from '../../../scripts/eval/data-set.ts';
import { SETS } from '../../../scripts/eval/sets/index.ts';
import { AGENT_MESSAGES } from '../../../scripts/eval/sets/messages.ts';
import { isReached } from '../../../scripts/eval/table.ts';

const CORPORA = join(import.meta.dirname, '../../corpora');
const FRESH = join(CORPORA, 'fresh');

const listMissed = (figures: readonly Figure[]): readonly string[] =>
  figures.filter((one) => !isReached(one)).map(({ name, value }) => `${name}: ${value}`);

/** Sets that are no part of a clone, and one whose texts of published source take minutes. */
const ELSEWHERE = ['secretlint-fixtures', 'secrets-in-source'];

const MEASURED = SETS.filter(({ name }) => !ELSEWHERE.includes(name)).map(
  (set) => [set.name, set, set.made === true ? '' : (findSet(CORPORA, set.name) ?? `no file of ${set.name}`)] as const,
);

describe('the recognisers', () => {
  it.each(MEASURED)('reach every goal of the data set %s', async (_, set, file) => {
    const { figures } = await set.measure(file === '' ? [] : readRows(file), file);
    expect(figures.some(({ goal }) => goal !== undefined)).toBe(true);
    expect(listMissed(figures)).toEqual([]);
  });

  it('read unseen messages within the bounds: honest ones, praise and approvals', async () => {
    const rows = readdirSync(FRESH).flatMap((batch) => readRows(join(FRESH, batch, 'agent-messages.jsonl')));
    expect(rows.length).toBeGreaterThanOrEqual(480);
    const { figures } = await AGENT_MESSAGES.measure(rows, FRESH);
    expect(listMissed(figures)).toEqual([]);
  });
});
