import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { computeCost } from '../../../../src/line/core/cost.ts';
import { describeCutCall } from '../../../../src/line/calls/settle-call.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { AT, admitted, called, started } from '../../../support/records.ts';
import { held } from '../../../support/held.ts';

const MINUTES_LATER = (minutes: number): string => new Date(Date.parse(AT) + minutes * 60_000).toISOString();
const interrupted = (changes: object = {}): JournalEntry => ({
  kind: 'interrupted',
  at: AT,
  station: 'implementer',
  call: 1,
  usd: null,
  ...changes,
});
const spent = (...entries: readonly JournalEntry[]): TaskRecord['spent'] | undefined =>
  foldJournal([admitted(), ...entries])?.spent;

it('a call that andon did not outlive reports no usage, so its reservation is charged as unknown', () => {
  const open = started({ reserveUsd: 0.62, hardMinutes: 60 });
  const clock = { now: () => MINUTES_LATER(5) };
  const cut = describeCutCall({ clock, lastSeen: MINUTES_LATER(1) } as Parameters<typeof describeCutCall>[0], open);
  expect(cut).toMatchObject({ kind: 'interrupted', usd: null, ms: 60_000 });
  expect(computeCost([open, cut]).total).toMatchObject({ usd: 0, reservedUsd: 0.62, unpriced: 1, minutes: 1 });
});

describe('a call that told what cannot be', () => {
  it.each([1e308, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'of dollars (%d) is charged its reserve, as unknown',
    (usd) => {
      const calls = [
        started({ reserveUsd: 0.5 }),
        called({ usd }),
        started({ reserveUsd: 0.5, call: 2 }),
        called({ usd, call: 2 }),
      ];
      expect(spent(...calls)).toMatchObject({ usd: 1 });
      expect(spent(called({ usd }))).toMatchObject({ usd: 0, unknownUsd: 1 });
    },
  );

  it('of tokens is charged what was reserved, as unknown', () => {
    expect(spent(started({ reserveTokens: 900 }), called({ tokensIn: 1e15 }))).toMatchObject({
      tokens: 900,
      unknownTokens: 1,
    });
  });
});

describe('money', () => {
  it('adds up to the millionth of a dollar, whatever binary fractions make of it', () => {
    const calls = Array.from({ length: 10 }, (_, at) => called({ usd: 0.1, call: at + 1 }));
    expect(spent(...calls)?.usd).toBe(1);
  });
});

describe('a call that told its tokens', () => {
  it('is charged what it told, whatever was reserved', () => {
    expect(spent(started({ reserveTokens: 900 }), called())).toMatchObject({ tokens: 120, unknownTokens: 0 });
  });
});

describe('a call that did not tell its tokens', () => {
  it('is charged what was reserved, and counts as unknown', () => {
    const call = called({ tokensIn: null, tokensOut: null });
    expect(spent(started({ reserveTokens: 900 }), call)).toMatchObject({ tokens: 900, unknownTokens: 1 });
  });

  it('is charged what it did tell where that is more', () => {
    const call = called({ tokensIn: 1000, tokensOut: null });
    expect(spent(started({ reserveTokens: 900 }), call)).toMatchObject({ tokens: 1000, unknownTokens: 1 });
  });

  it('stays unknown where nothing was reserved, as in a journal of an older version', () => {
    const call = called({ tokensIn: null, tokensOut: null });
    expect(spent(started(), call)).toMatchObject({ tokens: 0, unknownTokens: 1 });
  });
});

describe('a call that broke off', () => {
  const open = started({ reserveUsd: 0.5, reserveTokens: 900, hardMinutes: 60 });

  it('is charged its reserve, and the time until it was found, once', () => {
    const once = spent(open, interrupted({ usd: 0.5, at: MINUTES_LATER(5) }));
    expect(once).toMatchObject({ usd: 0.5, tokens: 900, minutes: 5 });
    const again = [open, interrupted({ usd: 0.5, at: MINUTES_LATER(5) })];
    expect(spent(...again, ...again)).toMatchObject({ usd: 1, tokens: 1800, minutes: 10 });
  });

  it('is never charged more time than it was allowed, nor less than none', () => {
    expect(spent(open, interrupted({ at: MINUTES_LATER(9000) }))?.minutes).toBe(60);
    expect(spent(open, interrupted({ at: MINUTES_LATER(-9000) }))?.minutes).toBe(0);
  });

  it('because andon ended it is charged what its program still told', () => {
    const told = interrupted({ usd: 0.02, tokens: 70, ms: 30_000, at: MINUTES_LATER(20) });
    expect(spent(open, told)).toMatchObject({ usd: 0.02, tokens: 70, minutes: 0.5, unknownTokens: 0 });
  });

  it('costs the same in the bill of the task', () => {
    const entries = [open, interrupted({ usd: 0.5, at: MINUTES_LATER(5) })];
    expect(computeCost(entries).total).toMatchObject({ usd: 0.5, minutes: 5, unknown: 1 });
  });
});

describe('a call that found its program out of reach', () => {
  const unreached = (changes: object = {}): JournalEntry =>
    held({ reason: 'overloaded', usd: null, tokensIn: null, tokensOut: null, ms: 1000, ...changes });

  it('before anything was asked costs nothing', () => {
    expect(spent(started({ reserveUsd: 0.5 }), unreached())).toMatchObject({ usd: 0, tokens: 0, unknownUsd: 0 });
  });

  it('after a model may have been asked is charged the estimate, as unknown, and is shown', () => {
    const open = started({ reserveUsd: 50 });
    const asked = unreached({ estimate: { usd: 1.5, tokens: 4_160_000 } });
    expect(spent(open, asked)).toMatchObject({ usd: 1.5, tokens: 4_160_000, unknownUsd: 1, unknownTokens: 1 });
    expect(computeCost([open, asked]).total).toMatchObject({ calls: 1, unknown: 1, unpriced: 1, reservedUsd: 1.5 });
  });

  it.each([
    ['dollars', { usd: 2 }, { usd: 2, tokens: 700, unknownUsd: 0, unknownTokens: 1 }],
    ['tokens', { tokensIn: 5, tokensOut: 6 }, { usd: 1, tokens: 11, unknownUsd: 1, unknownTokens: 0 }],
  ])('is charged the %s that are known instead', (_, known, charged) => {
    expect(spent(unreached({ ...known, estimate: { usd: 1, tokens: 700 } }))).toMatchObject(charged);
  });

  it('and cut off what was being answered is charged the tokens that are known, at an unknown price, never none', () => {
    const cut = unreached({ tokensIn: 1200, tokensOut: 1 });
    expect(spent(started({ reserveUsd: 0.5 }), cut)).toMatchObject({ usd: 0, tokens: 1201, unknownUsd: 1 });
    expect(computeCost([started({ reserveUsd: 0.5 }), cut]).total).toMatchObject({ tokensIn: 1200, unknown: 1 });
  });
});
