import { describe, expect, it } from 'vitest';
import { hallucinationLoop } from '../../../src/breakers/hallucination-loop.ts';
import type { LineRecord, Rejected } from '../../../src/formats/line-record.ts';
import { takeFingerprint } from '../../../src/formats/fingerprint.ts';
import { TREE, aChange, aRecord } from '../../support/records.ts';

const rejected = (changes: Partial<Rejected> = {}): Rejected => ({
  attempt: 1,
  commit: 'a'.repeat(40),
  tree: TREE,
  by: 'judge',
  why: 'the second guide is missing',
  ...changes,
});
const LINES = Array.from({ length: 20 }, (_, at) => `const value${at} = compute(${at} + offset);`);
const printOf = (lines: string[]) => takeFingerprint(new Map([['src/a.ts', lines.join('\n')]]), lines);
const second = (changes: Partial<LineRecord> = {}): LineRecord =>
  aRecord({ attempt: 2, change: aChange({ attempt: 2 }), rejected: [rejected()], ...changes });

describe('a hallucination loop', () => {
  it.each([
    ['no change yet', aRecord({ rejected: [rejected()] }), false],
    ['nothing was rejected', second({ rejected: [] }), false],
    ['another tree was rejected', second({ rejected: [rejected({ tree: '0'.repeat(40) })] }), false],
    ['the rejected tree is back', second(), true],
    ['the rejected tree is back after a better one', second({ rejected: [rejected(), rejected({ tree: '0' })] }), true],
    ['the rejection is of this very attempt', second({ rejected: [rejected({ attempt: 2 })] }), false],
  ])('%s', (_, record, trips) => {
    expect(hallucinationLoop.check(record) !== undefined).toBe(trips);
  });

  /** Attempt 1 was A, attempt 2 became B, and this is attempt 3. */
  const third = (now: string[], { a = LINES, b = [...LINES, 'const fixed = true && x;'] } = {}): LineRecord =>
    aRecord({
      attempt: 3,
      change: aChange({ attempt: 3, tree: '3', print: printOf(now) }),
      rejected: [
        rejected({ attempt: 1, tree: '1', print: printOf(a) }),
        rejected({ attempt: 2, tree: '2', print: printOf(b) }),
      ],
    });

  it.each([
    ['attempt 1 comes back, spaced in another way', LINES.map((line) => `   ${line.replaceAll(' ', '  ')}`), 'spacing'],
    ['attempt 1 comes back with one line more', [...LINES, 'const another = thing.of(1);'], '95 %'],
  ])('trips when %s', (_, now, word) => {
    expect(hallucinationLoop.check(third(now))?.reason).toContain(word);
  });

  it('trips when most of what attempt 2 had changed is taken back', () => {
    const b = [...LINES.slice(0, 8), ...LINES.slice(8).map((line) => `${line} // guarded by a check`)];
    const most = [...LINES.slice(0, 19), ...b.slice(19)];
    expect(hallucinationLoop.check(third(most, { b }))?.reason).toMatch(/goes back to \d+ % of the lines of attempt 1/);
  });

  it.each([
    ['keeps the fix of attempt 2 and adds to it', [...LINES, 'const fixed = true && x;', 'const more = fixed || y;']],
    ['only spaces attempt 2 in another way', [...LINES, 'const  fixed  =  true  &&  x;']],
    [
      'shares a boilerplate block with attempt 1',
      [...LINES.slice(0, 6), ...LINES.slice(6).map((line) => `${line} + 1`)],
    ],
    ['is tiny', ['const fixed = 1 + 1;']],
  ])('does not trip when attempt 3 %s', (_, now) => {
    expect(hallucinationLoop.check(third(now))).toBeUndefined();
  });

  it('does not trip when a section that attempt 2 had dropped comes back beside its fix', () => {
    const b = [...LINES.slice(0, 15), 'const fixed = true && x;'];
    expect(hallucinationLoop.check(third([...LINES, 'const fixed = true && x;'], { b }))).toBeUndefined();
  });

  it('compares by trees alone where an older journal holds no prints', () => {
    const old = third(LINES);
    const bare = old.rejected.map(({ print: _print, ...rest }) => rest);
    expect(hallucinationLoop.check({ ...old, rejected: bare })).toBeUndefined();
  });

  it('passes a tree that a human approved', () => {
    const record = second();
    expect(hallucinationLoop.check({ ...record, grants: { ...record.grants, approvedTrees: [TREE] } })).toBeUndefined();
  });

  it('says which attempt came back, and why that was rejected', () => {
    expect(hallucinationLoop.check(second())).toMatchObject({
      reason: 'attempt 2 is the same tree as attempt 1, which was rejected',
      sides: [
        { who: 'implementer', says: 'merged both guides' },
        { who: 'judge', says: 'the second guide is missing' },
      ],
    });
  });

  it('offers a fresh start that is told to the implementer, or the end', () => {
    const record = second();
    const [fresh, end] = hallucinationLoop.paths({ breaker: 'hallucination_loop', reason: '', sides: [] }, record);
    expect(fresh.effect).toMatchObject({ to: 'pending_implementer', fresh: true });
    expect(fresh.effect.say).toContain('another way');
    expect(end.effect).toEqual({ to: 'abandoned' });
  });
});
