import { parseContract } from '../../../src/project/contract/task-contract-schema.ts';
import type { TaskContract } from '../../../src/project/contract/task-contract.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { foldEntry } from '../../../src/line/core/fold-journal.ts';
import { aContract } from '../../support/contract.ts';
import { called, started } from '../../support/records.ts';
import type { Facts } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';

/** What a row may say about the cost of a task so far, and its budgets. */
export const LEDGER = ['cost_usd', 'cost_ceiling_usd', 'tokens_used', 'token_budget'];

/** A record on which a call was settled that cost what a row says. */
export function afterCalls(record: TaskRecord, input: Facts): TaskRecord {
  if (!LEDGER.some((field) => Object.hasOwn(input, field))) return record;
  const by = { agent: 'claude', station: 'judge' } as const;
  const told = { usd: numberOf(input, 'cost_usd', 0), tokensIn: numberOf(input, 'tokens_used', 0), tokensOut: 0 };
  const entries = [started(by), called({ ...by, ...told })];
  return entries.reduce<TaskRecord>((now, entry) => foldEntry(now, entry) ?? now, record);
}

/** A contract with what a row names of the limits. */
export function contractOf(input: Facts): TaskContract {
  const named = Object.entries({
    'limits.max_rebuttals': input['max_rebuttals'],
    'limits.max_review_cycles': input['max_review_cycles'],
    'limits.timeout_minutes': input['timeout_minutes'],
    'limits.cost_ceiling_usd': input['cost_ceiling_usd'],
    'limits.token_budget': input['token_budget'],
  });
  const isFree = input['complexity'] !== undefined; // then the complexity sets what is not named
  const free = isFree ? { 'limits.max_rebuttals': undefined, 'limits.max_review_cycles': undefined } : {};
  const changes = { ...free, ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) };
  const written = aContract({ ...changes, ...(isFree ? { complexity: input['complexity'] } : {}) });
  const parsed = parseContract(JSON.stringify(written));
  if (!parsed.ok) throw new Error(`the row makes no valid contract: ${JSON.stringify(parsed.why)}`);
  return parsed.value.contract;
}
