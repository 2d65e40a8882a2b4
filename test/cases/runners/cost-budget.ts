import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { countEventUsage } from '../../../src/agents/drivers/event-rules.ts';
import { listNearlySpent } from '../../../src/line/breakers/budget.ts';
import { computeCallReserve } from '../../../src/line/calls/resolve-worker.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { takeChoice } from '../../../src/line/core/grants.ts';
import { foldEntry } from '../../../src/line/core/fold-journal.ts';
import type { Capabilities } from '../../../src/agents/agent.ts';
import { aDriver } from '../../support/drivers.ts';
import { AT, aRecord, admitted, called, moved, started, withLimits } from '../../support/records.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { numberOf, runShape, type Shape } from '../shapes.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** A budget that only has to be there. */
const SOME_USD = 1;

/** What calls cost, and whether the next one may be made: the ledger of a task, fed as the line feeds it. */
export const costBudget: Runner = ({ input }) => runShape(SHAPES, input);

const SHAPES: readonly Shape[] = [
  { known: 'model', fields: ['model', 'runner', 'in', 'out'], run: (input) => charged([input]) },
  { known: 'calls', fields: ['calls'], run: ({ calls }) => charged(listOf(calls)) },
  {
    known: 'next',
    fields: ['next', 'limit', 'spent', 'last_updated', 'daily_spent', 'daily_limit', 'override'],
    run: mayGoOn,
  },
  { known: 'overrides', fields: ['overrides'], run: granted },
  { known: 'spent', fields: ['spent', 'limit'], run: warned },
  { known: 'run', fields: ['run'], run: ({ run }) => afterTests(String(run)) },
];

/** Dollars per million tokens, in and out, as a program that knows the model prices it; andon itself knows no price. */
const LIST_PRICES: Readonly<Record<string, readonly [number, number] | undefined>> = {
  'gpt-4o': [2.5, 10],
  'gpt-4o-mini': [0.15, 0.6],
  'claude-code-cli': [3, 15],
};

function charged(calls: readonly unknown[]): Facts {
  let record = withBudget(SOME_USD);
  for (const [at, call] of calls.entries()) {
    if (!isFacts(call)) throw new Error('a call is no object');
    record = settle(record, call, at + 1);
  }
  const { usd, tokens } = record.spent;
  const warning = record.calls.some((call) => call.usd === null);
  const local = record.calls.every((call) => call.agent === 'ollama' && call.usd === 0);
  return { cost_usd: Math.round(usd * 1e9) / 1e9, tokens, warning, local };
}

const LOCAL: Capabilities = { billing: 'free', takesBudget: false, hasWindow: true };
const METERED: Capabilities = { billing: 'metered', takesBudget: true, hasWindow: false };

/** Reserve, call, settle, with the figures that the call's program reports. */
function settle(record: TaskRecord, call: Facts, number: number): TaskRecord {
  const isLocal = call['runner'] === 'local' || call['runner'] === 'ollama';
  const id = isLocal ? 'ollama' : 'claude';
  const tokens = { inputTokens: numberOf(call, 'in', 0), outputTokens: numberOf(call, 'out', 0) };
  const price = LIST_PRICES[String(call['model'])];
  const cost = price && (tokens.inputTokens * price[0] + tokens.outputTokens * price[1]) / 1e6;
  const result = {
    total_cost_usd: cost ?? 0,
    modelUsage: { [String(call['model'])]: { ...tokens, costBasis: cost === undefined ? 'unknown' : 'list' } },
  };
  const told = countEventUsage(result, aDriver('claude').output.usage ?? {});
  const used = isLocal ? { tokensIn: tokens.inputTokens, tokensOut: tokens.outputTokens, usd: 0 } : told;
  const reserve = computeCallReserve(record, isLocal ? LOCAL : METERED, '');
  if (!reserve.ok) throw new Error(`the call of the row is not made: ${reserve.why.reason}`);
  const open = started({ call: number, agent: id, station: 'judge', reserveUsd: reserve.value.usd ?? null });
  return [open, called({ call: number, agent: id, station: 'judge', ...used })].reduce<TaskRecord>(
    (before, entry) => foldEntry(before, entry) ?? before,
    record,
  );
}

/**
 * Whether a call of this price may be made. A program is never given more than is left, so a dearer call cannot take place.
 * A budget is that of one task: what another task used the day before is nothing to it.
 */
function mayGoOn(input: Facts): Facts {
  const isDaily = Object.hasOwn(input, 'daily_limit');
  const limit = numberOf(input, isDaily ? 'daily_limit' : 'limit');
  const before = spentOn(withBudget(limit), numberOf(input, isDaily ? 'daily_spent' : 'spent', 0));
  const later = isDaily && input['last_updated'] !== 'today' ? nextTask(before) : before;
  const record = input['override'] === undefined ? later : withGrant(later, input['override']);
  const reserve = computeCallReserve(record, METERED, '');
  const allowed = reserve.ok && numberOf(input, 'next') <= (reserve.value.usd ?? Number.POSITIVE_INFINITY);
  return {
    allowed,
    reason: allowed ? null : isDaily ? 'daily' : 'session',
    why: reserve.ok ? null : reserve.why.reason,
  };
}

/** The sums that humans granted at halts. */
function granted({ overrides }: Facts): Facts {
  const record = listOf(overrides).reduce<TaskRecord>(withGrant, withBudget(SOME_USD));
  return { override_total: record.grants.usd };
}

function withGrant(record: TaskRecord, usd: unknown): TaskRecord {
  const entry = moved('resume', 'erik_consultation', 'review_in_progress');
  const effect = { to: 'review_in_progress', usd: numberOf({ usd }, 'usd') } as const;
  return takeChoice(record, entry, { halt: 'DOC-001-1', path: 1, by: 'erik', how: 'test', effect }, undefined);
}

function warned(input: Facts): Facts {
  const before = withBudget(numberOf(input, 'limit'));
  const told = listNearlySpent(before, spentOn(before, numberOf(input, 'spent')));
  return { warn: told.length > 0, told };
}

/** Runs unit tests of the ledger for a user of their own, and sees whether anything of his andon came to be. */
function afterTests(what: string): Facts {
  if (what !== 'unit tests') throw new Error(`nobody runs ${what}`);
  const home = mkdtempSync(join(tmpdir(), 'andon-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const state = join(home, '.local/state/andon');
  const seen = (): string => [state, join(ROOT, '_handoff')].map(stampOf).join('\n');
  const before = seen();
  const whose = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|XDG_)/.test(name));
  const env = { ...Object.fromEntries(whose), HOME: home };
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const files = ['test/unit/line/breakers/budget.test.ts', 'test/unit/line/core/cost.test.ts'];
  const ran = spawnSync(process.execPath, [vitest, 'run', '--project=unit', ...files], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(`the tests do not pass: ${ran.stdout.slice(-2000)}${ran.stderr.slice(-2000)}`);
  return { real_audit_log_changed: seen() !== before };
}

function stampOf(folder: string): string {
  if (!existsSync(folder)) return 'nothing';
  const names = readdirSync(folder, { recursive: true }).map(String).toSorted();
  return names
    .map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0}`)
    .join('\n');
}

const withBudget = (usd: number): TaskRecord =>
  aRecord({ contract: withLimits({ budget: { usd, tokens: undefined, minutes: undefined } }) });

/** A record on which one call was settled that cost so much. */
const spentOn = (record: TaskRecord, usd: number): TaskRecord =>
  [
    started({ agent: 'claude', station: 'judge' }),
    called({ agent: 'claude', station: 'judge', usd }),
  ].reduce<TaskRecord>((before, entry) => foldEntry(before, entry) ?? before, record);

/** The record of another task under the same contract, admitted after this one was merged. */
function nextTask(record: TaskRecord): TaskRecord {
  const merged = foldEntry(record, moved('pass', record.status, 'merged')) ?? record;
  return foldEntry(merged, admitted({ at: AT, contract: record.contract })) ?? record;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} must be a list`);
  return value;
}
