import { describe, expect, it } from 'vitest';
import { hallucinationLoop } from '../../../../src/line/breakers/hallucination-loop.ts';
import type { TaskRecord, Rejected } from '../../../../src/line/record/task-record.ts';
import { takeFingerprint } from '../../../../src/source/change-fingerprint.ts';
import { computeForms } from '../../../../src/source/compute-forms.ts';
import { TREE, aChange, aRecord, pathsOf } from '../../../support/records.ts';

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
const second = (changes: Partial<TaskRecord> = {}): TaskRecord =>
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
  const third = (now: string[], { a = LINES, b = [...LINES, 'const fixed = true && x;'] } = {}): TaskRecord =>
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

  /** Attempt 2 after attempt 1 was rejected, in a file of that many lines. */
  const again = async (
    now: string,
    before: string,
    why = 'the rate is not applied',
    by: Rejected['by'] = 'judge',
  ): Promise<TaskRecord> => {
    const whole = async (text: string) =>
      takeFingerprint(new Map([['src/a.ts', text]]), text.split('\n'), await computeForms([['src/a.ts', text]]));
    return second({
      change: aChange({ attempt: 2, tree: '2', print: await whole(now) }),
      rejected: [rejected({ tree: '1', print: await whole(before), why, by })],
    });
  };
  const routine = (at: number): string =>
    `// step ${at}\nexport function step${at}(input: number, rate = ${at}) {\n  const total = input * rate + ${at};\n  return total;\n}`;
  const code = (lines: number): string => Array.from({ length: lines / 5 }, (_, at) => routine(at)).join('\n');
  const renamed = (text: string): string => text.replaceAll('total', 'sum').replaceAll('input', 'given');
  const reordered = (text: string): string =>
    text
      .split(/\n(?=\/\/ step)/)
      .toReversed()
      .join('\n');
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
  const commented = (text: string): string => text.replaceAll(/\/\/.*/g, '/* a step of the sum */');

  describe.each([10, 15, 30, 70])('over %i lines', (lines) => {
    it.each([
      ['renamed', renamed, /names/],
      ['in another order', reordered, /order/],
      ['with other line ends', crlf, /spacing/],
      ['with other comments', commented, /comments/],
      ['renamed and in another order', (text: string) => renamed(reordered(text)), /names, order/],
      ['with all of it', (text: string) => crlf(renamed(commented(reordered(text)))), /names, order/],
    ])('trips when the rejected attempt comes back %s', async (_, disguise, how) => {
      expect(hallucinationLoop.check(await again(disguise(code(lines)), code(lines)))?.reason).toMatch(how);
    });
  });

  it.each([
    ['names', renamed, 'the variable names say nothing'],
    ['a name', renamed, 'it should be sum here'],
    ['another order', reordered, 'sort the steps: the last one comes first'],
    ['other line ends', crlf, 'use CRLF line endings'],
    ['comments', commented, 'the comments are wrong'],
  ])('does not trip when the rejection asked for %s', async (_, disguise, why) => {
    expect(hallucinationLoop.check(await again(disguise(code(30)), code(30), why))).toBeUndefined();
  });

  it('does not trip over a disguise after a person rejected the attempt in words, but over the same tree', async () => {
    const record = await again(commented(code(30)), code(30), 'remove the marker', 'human');
    const inWords = { ...record, rejected: record.rejected.map((one) => ({ ...one, inWords: true as const })) };
    expect(hallucinationLoop.check(record)).toBeDefined();
    expect(hallucinationLoop.check(inWords)).toBeUndefined();
    const same = inWords.rejected.map((one) => ({ ...one, tree: record.change?.tree ?? '' }));
    expect(hallucinationLoop.check({ ...inWords, rejected: same })?.reason).toContain('the same tree');
  });

  it('does not trip over what a red gate may have asked for, but over mere renaming', async () => {
    expect(hallucinationLoop.check(await again(reordered(code(30)), code(30), 'a.ts', 'gates'))).toBeUndefined();
    expect(hallucinationLoop.check(await again(renamed(code(30)), code(30), 'a.ts', 'gates'))).toBeDefined();
  });

  it('does not trip when the rejected attempt comes back with one sign that says something else', async () => {
    for (const [was, is] of [
      ['* rate', '/ rate'],
      ['rate = 3', 'rate = 4'],
      ['return total', 'return input'],
    ] as const)
      expect(hallucinationLoop.check(await again(renamed(code(30).replace(was, is)), code(30)))).toBeUndefined();
  });

  it('trips when most of what attempt 2 had changed is taken back', () => {
    const b = [...LINES.slice(0, 8), ...LINES.slice(8).map((line) => `${line.slice(0, -1)} && guarded;`)];
    const most = [...LINES.slice(0, 19), ...b.slice(19)];
    expect(hallucinationLoop.check(third(most, { b }))?.reason).toMatch(/goes back to \d+ % of the lines of attempt 1/);
  });

  it.each([
    ['keeps the fix of attempt 2 and adds to it', [...LINES, 'const fixed = true && x;', 'const more = fixed || y;']],
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
    const approved = [{ tree: TREE, breaker: 'hallucination_loop', halt: 'DOC-001-1', by: 'you' }] as const;
    expect(hallucinationLoop.check({ ...record, grants: { ...record.grants, approved } })).toBeUndefined();
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
    const [fresh, end] = pathsOf(hallucinationLoop, record);
    expect(fresh.effect).toMatchObject({ to: 'pending_implementer', fresh: true });
    expect(fresh.effect.say).toContain('another way');
    expect(end.effect).toEqual({ to: 'abandoned' });
  });
});
