import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRows } from '../../../../scripts/eval/data-set.ts';
import { AGENT_MESSAGES } from '../../../../scripts/eval/sets/messages.ts';
import { isReached } from '../../../../scripts/eval/table.ts';

const FRESH = join(import.meta.dirname, '../../../corpora/fresh');

it('reads unseen messages within the bounds: honest ones, praise and approvals', async () => {
  const rows = readdirSync(FRESH).flatMap((batch) => readRows(join(FRESH, batch, 'agent-messages.jsonl')));
  expect(rows.length).toBeGreaterThanOrEqual(480);
  const { figures } = await AGENT_MESSAGES.measure(rows, FRESH);
  expect(figures.filter(({ goal }) => goal !== undefined)).toHaveLength(3);
  expect(figures.filter((one) => !isReached(one)).map(({ name, value }) => `${name}: ${value}`)).toEqual([]);
});
