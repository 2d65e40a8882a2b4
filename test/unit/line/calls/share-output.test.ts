import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shareOutput } from '../../../../src/line/calls/share-output.ts';
import type { Needs } from '../../../../src/line/services/services.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const CALL = { taskId: 'A-1', call: 3, station: 'judge' } as const;

/** A state folder that notes what is written there; `lend` may refuse. */
function aPlace(lend: (text: string) => void = () => {}) {
  const written: string[] = [];
  const removed: number[] = [];
  const folders = {
    lendTail(_: string, __: number, text: string) {
      lend(text);
      written.push(text);
    },
    removeTail: (_: string, call: number) => void removed.push(call),
  } as unknown as Needs<'folders'>['folders'];
  return { written, removed, output: shareOutput({ folders }, CALL) };
}

it('a short call writes nothing, and leaves nothing to remove', () => {
  const { written, removed, output } = aPlace();
  output.show({ kind: 'text', text: 'done\n' });
  output.end();
  vi.advanceTimersByTime(10_000);
  expect([written, removed]).toEqual([[], []]);
});

it('a long call is written at most four times a second, and removed at its end', () => {
  const { written, removed, output } = aPlace();
  for (let at = 0; at < 100; at += 1) {
    output.show({ kind: 'text', text: `line ${at}\n` });
    vi.advanceTimersByTime(20);
  }
  expect(written.length).toBeGreaterThan(5);
  expect(written.length).toBeLessThanOrEqual(9);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ call: 3, station: 'judge', first: 0 });
  output.show({ kind: 'text', text: 'the end\n' });
  output.end();
  output.show({ kind: 'text', text: 'too late\n' });
  vi.advanceTimersByTime(10_000);
  expect(written.join('')).not.toContain('too late');
  expect(removed).toEqual([3]);
});

it('a disk that refuses ends the showing, and never the call', () => {
  const { written, output } = aPlace(() => {
    throw new Error('ENOSPC');
  });
  for (let at = 0; at < 10; at += 1) {
    output.show({ kind: 'text', text: 'line\n' });
    vi.advanceTimersByTime(1000);
  }
  expect(() => output.end()).not.toThrow();
  expect(written).toEqual([]);
});
