import { describe, expect, it } from 'vitest';
import { findLargestUse, readStepTimes } from '../../../../src/line/core/past-calls.ts';
import { estimateStepMinutes } from '../../../../src/line/core/step-minutes.ts';
import { aRecord, called, moved } from '../../../support/records.ts';

const judge = (usd: number, changes: Parameters<typeof called>[0] = {}) =>
  called({ station: 'judge', agent: 'claude', model: 'opus', usd, ms: 4 * 60_000, ...changes });

describe('what a call is known to take', () => {
  it('is the largest use of the last three calls at its station', () => {
    const calls = [judge(9), judge(0.2), judge(0.22), judge(0.1), called({ usd: 5 })];
    expect(findLargestUse(calls, 'judge')).toEqual({ usd: 0.22, tokens: 120, minutes: 4 });
    expect(findLargestUse(calls, 'local-reviewer')).toBeUndefined();
  });

  it('is twice as much as a call took that was cut off, and nothing of one that failed otherwise', () => {
    expect(findLargestUse([judge(0.02, { ok: false, why: 'spent: claude spent what was left' })], 'judge')?.usd).toBe(
      0.04,
    );
    expect(findLargestUse([judge(0.02, { ok: false, why: 'crash: no result' })], 'judge')).toBeUndefined();
  });

  it('is that of the same model where it is known, and else that of the same program', () => {
    const calls = [judge(0.1), judge(0.9, { model: 'haiku' })];
    expect(findLargestUse(calls, 'judge', { agent: 'claude', model: 'opus' })?.usd).toBe(0.1);
    expect(findLargestUse(calls, 'judge', { agent: 'claude', model: '' })?.usd).toBe(0.9);
    expect(findLargestUse(calls, 'judge', { agent: 'codex', model: '' })).toBeUndefined();
  });

  it('does not count calls about a rule, and says nothing of a price that nobody told', () => {
    expect(findLargestUse([judge(1, { lane: 2 })], 'judge')).toBeUndefined();
    expect(findLargestUse([called({ station: 'judge', usd: null })], 'judge')?.usd).toBeUndefined();
  });
});

describe('the length of a step', () => {
  const gates = [{ name: 'test', run: 'npm test', timeoutMinutes: 30, mustFailBefore: false }] as unknown as Parameters<
    typeof estimateStepMinutes
  >[1]['gates'];
  const settings = { gates, setup: ['npm ci'], canaryEvery: 0 };
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 16, 22, minute)).toISOString();
  const history = [
    called({ at: at(0), ms: 6 * 60_000 }),
    {
      ...moved('code_written', 'pending_implementer', 'pending_local_review', {
        gates: { tree: '', cage: '', results: [] },
      }),
      at: at(2),
    },
  ];

  it('is that of all its limits where the repository has no history', () => {
    expect(estimateStepMinutes(aRecord(), settings)).toBe(60 + 60 + 2 * 30);
  });

  it('is half as long again as the longest recent one, never longer than the limits', () => {
    expect(estimateStepMinutes(aRecord(), settings, readStepTimes([history]))).toBe(9 + 2 * 3);
    const slow = readStepTimes([[called({ ms: 600 * 60_000 })]]);
    expect(estimateStepMinutes(aRecord(), settings, slow)).toBe(60 + 60 + 2 * 30);
  });
});
