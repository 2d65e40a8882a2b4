import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { computeCost } from '../../../../src/line/core/cost.ts';

const T = '2026-01-16T12:00:00.000Z';
const started = (station: 'judge' | 'implementer', reserveUsd: number | null): JournalEntry => ({
  kind: 'started',
  at: T,
  station,
  call: 1,
  agent: 'claude',
  model: 'asked-for',
  prompt: '',
  idleMinutes: 10,
  hardMinutes: 60,
  reserveUsd,
});
const called = (station: 'judge' | 'implementer', used: object = {}): JournalEntry => ({
  kind: 'called',
  at: T,
  station,
  call: 1,
  agent: 'claude',
  model: 'opus',
  ok: true,
  tokensIn: 100,
  tokensOut: 10,
  usd: 0.5,
  ms: 30_000,
  exit: 0,
  ...used,
});

describe('what a task has cost', () => {
  it('is told by station and model, in line order, and together', () => {
    const cost = computeCost([
      started('judge', 1),
      called('judge'),
      started('judge', 1),
      called('judge', { model: 'sonnet', usd: 0.1 }),
      started('implementer', 0),
      called('implementer', { model: 'qwen', usd: 0 }),
    ]);
    expect(cost.rows.map(({ station, model, usd }) => [station, model, usd])).toEqual([
      ['implementer', 'qwen', 0],
      ['judge', 'opus', 0.5],
      ['judge', 'sonnet', 0.1],
    ]);
    expect(cost.total).toMatchObject({
      calls: 3,
      tokensIn: 300,
      tokensOut: 30,
      usd: 0.6,
      minutes: 1.5,
      unknown: 0,
      unknownTokens: 0,
    });
  });

  it('counts no dollars that nobody reported, and keeps what is charged for them apart', () => {
    const { total } = computeCost([started('judge', 2), called('judge', { usd: null, tokensIn: null })]);
    expect(total).toMatchObject({ usd: 0, reservedUsd: 2, unpriced: 1, tokensIn: 0, unknown: 1 });
  });

  it('counts a call that a crash interrupted, under the model that was asked', () => {
    const { rows } = computeCost([
      started('judge', 2),
      { kind: 'interrupted', at: T, station: 'judge', call: 1, usd: 2 },
    ]);
    expect(rows).toMatchObject([{ model: 'asked-for', calls: 1, usd: 2, unknown: 1 }]);
  });

  it('names the program where no model was named: it takes its own', () => {
    const asked = { ...started('judge', 2), model: '' };
    const interrupted = { kind: 'interrupted', at: T, station: 'judge', call: 2, usd: 2 } as const;
    const { rows } = computeCost([asked, called('judge', { model: '', ok: false }), asked, interrupted]);
    expect(rows).toMatchObject([{ station: 'judge', model: 'claude', calls: 2 }]);
  });

  it('counts what a call has used that found its provider at a limit half-way, as a call', () => {
    const held = {
      kind: 'held',
      at: T,
      station: 'judge',
      call: 1,
      agent: 'claude',
      reason: 'limit',
      until: null,
    } as const;
    const { total } = computeCost([
      started('judge', 2),
      { ...held, usd: 0.1, tokensIn: 50, tokensOut: 5, ms: 9000 },
      { ...held, usd: null, tokensIn: null, tokensOut: null, ms: 100 },
    ]);
    expect(total).toMatchObject({ calls: 1, tokensIn: 50, tokensOut: 5, usd: 0.1, minutes: 0, unknown: 0 });
  });

  it('leaves out what was before the asked-for moment', () => {
    expect(computeCost([started('judge', 1), called('judge')], '2026-01-16T12:00:00.001Z').total.calls).toBe(0);
  });
});
