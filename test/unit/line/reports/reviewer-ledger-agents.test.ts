import { describe, expect, test } from 'vitest';
import { agentStats } from '../../../../src/line/reports/reviewer-ledger.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';

const AT = '2026-01-16T12:00:00.000Z';
const call = (station: 'implementer' | 'local-reviewer' | 'judge', agent: string, ok = true): JournalEntry[] => [
  {
    kind: 'started',
    at: AT,
    station,
    call: 1,
    agent,
    model: 'm',
    prompt: '',
    idleMinutes: 1,
    hardMinutes: 1,
    reserveUsd: 0,
  },
  {
    kind: 'called',
    at: AT,
    station,
    call: 1,
    agent,
    model: 'm',
    ok,
    tokensIn: 10,
    tokensOut: 1,
    usd: null,
    ms: 60_000,
    exit: 0,
  },
];
const moved = (facts: object, to = 'pending_implementer'): JournalEntry =>
  ({
    kind: 'moved',
    at: AT,
    event: 'e',
    from: 'pending_implementer',
    to,
    reason: '',
    facts,
  }) as unknown as JournalEntry;
const change = (tree: string, outcome = 'green'): JournalEntry =>
  moved({ change: { tree }, gates: { tree, cage: 'none', results: [{ outcome }] } });
const rowOf = (entries: readonly JournalEntry[], station: string) =>
  agentStats([entries]).find((row) => row.station === station);

describe('what is told of agents', () => {
  test('is nothing before any was called', () => {
    expect(agentStats([])).toEqual([]);
    expect(agentStats([[]])).toEqual([]);
  });

  test('a first change that is merged is a first pass; a red one that comes before it makes it none', () => {
    const first = [...call('implementer', 'codex'), change('t1'), moved({}, 'merged')];
    expect(rowOf(first, 'implementer')).toMatchObject({ merged: 1, firstPass: 1, changes: 1, gateRed: 0 });
    const second = [
      ...call('implementer', 'codex'),
      change('t1', 'red'),
      ...call('implementer', 'codex'),
      change('t2'),
    ];
    expect(rowOf([...second, moved({}, 'merged')], 'implementer')).toMatchObject({
      merged: 1,
      firstPass: 0,
      changes: 2,
      gateRed: 1,
      calls: 2,
      tasks: 1,
    });
  });

  test('a task that another finished counts for who began it', () => {
    const entries = [
      ...call('implementer', 'small'),
      change('t1'),
      ...call('implementer', 'large'),
      change('t2'),
      moved({}, 'merged'),
    ];
    expect(agentStats([entries]).map(({ agent, merged, firstPass }) => [agent, merged, firstPass])).toEqual([
      ['large', 0, 0],
      ['small', 1, 0],
    ]);
  });

  test('failed calls are counted, and costs that nobody told are said to be unknown', () => {
    expect(rowOf(call('implementer', 'codex', false), 'implementer')).toMatchObject({
      calls: 1,
      failedCalls: 1,
      cost: { minutes: 1, unknown: 1, tokensIn: 10 },
    });
  });
});
