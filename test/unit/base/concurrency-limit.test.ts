import { describe, expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../../src/base/concurrency-limit.ts';

const WANTED = new AbortController().signal;
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that says when it begins and ends when it is told to. */
function works(turns: ConcurrencyLimit) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string): void => ends.get(name)?.(),
    ask: (name: string, signal = WANTED): Promise<string | undefined> =>
      turns.take(signal, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
  };
}

describe('of what comes at once', () => {
  test('so much is under way as may be, and the rest begins in order', async () => {
    const { begun, end, ask } = works(new ConcurrencyLimit(2));
    for (const name of ['a', 'b', 'c', 'd']) void ask(name);
    await soon();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await soon();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a');
    await soon();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('what is called off while it waits never begins, and holds nobody up', async () => {
    const turns = new ConcurrencyLimit(1);
    const { begun, end, ask } = works(turns);
    const off = new AbortController();
    void ask('a');
    const second = ask('b', off.signal);
    const third = ask('c');
    off.abort();
    expect(await second).toBeUndefined();
    end('a');
    await soon();
    expect(begun).toEqual(['a', 'c']);
    end('c');
    expect(await third).toBe('c');
    expect(turns.isIdle).toBe(true);
  });

  test('what fails gives its place back', async () => {
    const turns = new ConcurrencyLimit(1);
    await expect(turns.take(WANTED, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    expect(turns.isIdle).toBe(true);
    expect(await turns.take(WANTED, () => Promise.resolve('well'))).toBe('well');
  });
});
