import { describe, expect, it } from 'vitest';
import {
  toNotification,
  refusalNotification,
  listNotifications,
} from '../../../../src/line/words/notification-policy.ts';
import { AT, aHalt, aRecord, withLimits } from '../../../support/records.ts';

const SPENT = { usd: 0, tokens: 0, minutes: 0, unknownUsd: 0, unknownTokens: 0 };
const HOLD = { station: 'judge', reason: 'usage limit', since: AT, at: AT, until: null, tries: 1 } as const;
const events = (...record: Parameters<typeof aRecord>): readonly string[] =>
  listNotifications(aRecord(...record)).map(({ event }) => event);

describe('what of a record is worth telling', () => {
  it('is nothing while the line works', () => expect(listNotifications(aRecord())).toEqual([]));

  it('is a halt, with its breaker and the command to type next', () => {
    expect(listNotifications(aRecord({ status: 'erik_consultation', halt: aHalt() }))).toMatchObject([
      {
        event: 'halt',
        sentence: 'DOC-001 is halted (floor manager and judge disagree): 3 rebuttals, more than the 2 allowed',
        next: expect.stringMatching(/^andon resume DOC-001 --path 1 --halt DOC-001-7 /),
        haltId: 'DOC-001-7',
        breaker: 'rebuttal_limit',
      },
    ]);
  });

  it('is the merge, unless it was undone', () => {
    const merged = { status: 'merged', merge: { commit: 'c'.repeat(40), tip: '', target: 'refs/heads/main' } } as const;
    expect(listNotifications(aRecord(merged))).toMatchObject([
      { event: 'merged', sentence: 'DOC-001 is merged into main as cccccccccccc' },
    ]);
    expect(events({ ...merged, undone: 'd'.repeat(40) })).toEqual([]);
  });

  it('is a violation of a rule that says notify_human, unless it is suppressed or put off', () => {
    const one = {
      rule: 'R',
      title: 'R',
      priority: 'P2',
      handler: 'LOG_ONLY',
      hard: false,
      message: 'No',
      notify: true,
    } as const;
    const found = (['log', 'suppressed', 'later'] as const).map((does) => ({ ...one, does, fingerprint: does }));
    const rulings = [{ moment: 'change', phase: 'REVIEW', score: 0, found, unchecked: [] }] as const;
    const told = listNotifications(aRecord({ lastFacts: { rulings: [...rulings] } } as never));
    expect(told).toMatchObject([{ event: 'rule', sentence: 'DOC-001 breaks a rule (P2): [R] No' }]);
  });

  it('is that it was given up', () => expect(events({ status: 'abandoned' })).toEqual(['abandoned']));

  it('is a wait, under one key however often the program was tried', () => {
    const [first, again] = [1, 5].map((tries) => listNotifications(aRecord({ hold: { ...HOLD, tries } })));
    expect(first).toMatchObject([{ event: 'hold', sentence: 'DOC-001 waits for the judge: usage limit' }]);
    expect(again).toEqual(first);
  });

  it.each([
    [{ usd: 10 }, { usd: 7.99 }, []],
    [{ usd: 10 }, { usd: 8 }, ['DOC-001 has used 80 % of its budget of $10.00']],
    [{ tokens: 1000 }, { tokens: 950 }, ['DOC-001 has used 95 % of its budget of 1000 tokens']],
    [{ minutes: 10 }, { minutes: 9 }, ["DOC-001 has used 90 % of its budget of 10 minutes of agents' time"]],
    [{ usd: 0 }, { usd: 0 }, []],
    [{}, { usd: 1000, tokens: 1e9 }, []],
    [{ usd: 1, minutes: 1 }, { usd: 0.9, minutes: 0.9 }, [/\$1\.00/, /1 minutes/]],
  ] as const)('with the budgets %j and %j used is %j', (budget, spent, sentences) => {
    const contract = withLimits({ budget: { usd: undefined, tokens: undefined, minutes: undefined, ...budget } });
    const told = listNotifications(aRecord({ contract, spent: { ...SPENT, ...spent } }));
    expect(told).toHaveLength(sentences.length);
    for (const [at, sentence] of sentences.entries()) expect(told[at]?.sentence).toMatch(sentence);
  });

  it('has another key when a budget was raised, and when the same id is admitted again', () => {
    const contract = withLimits({ budget: { usd: 10, tokens: undefined, minutes: undefined } });
    const keys = (more: Parameters<typeof aRecord>[0]) =>
      listNotifications(aRecord({ contract, spent: { ...SPENT, usd: 19 }, ...more })).map(({ key }) => key);
    const { grants } = aRecord();
    const all = [keys({}), keys({ grants: { ...grants, usd: 10 } }), keys({ createdAt: '2026-01-17T12:00:00.000Z' })];
    expect(new Set(all.flat()).size).toBe(3);
  });
});

describe('a notification', () => {
  const where = { root: '/home/erik/shop', repository: 'shop-1', at: AT, id: 'x' };

  it('holds nothing that could move a terminal, and is short', () => {
    const sentence = `done\u001b]0;owned\u0007\r\n\u202Eevil${'x'.repeat(1000)}`;
    const told = toNotification({ key: '', event: 'halt', taskId: 'A', sentence, next: 'andon status' }, where);
    expect(told.sentence).toHaveLength(300);
    expect(told.sentence).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(told).toMatchObject({
      priority: 'high',
      repository: { name: 'shop', root: '/home/erik/shop' },
      halt_id: null,
    });
  });

  it.each([
    ['TASK_CONTRACT.json', 'andon contract lint _handoff/TASK_CONTRACT.json'],
    ['queue/$(reboot).json', 'andon watch --dry-run'],
    ['queue/a b;c.json', 'andon watch --dry-run'],
  ])('of the refused file %s names a command that is safe to paste', (name, next) => {
    expect(refusalNotification('key', name, 'refused')).toMatchObject({ event: 'refused', next });
  });
});
