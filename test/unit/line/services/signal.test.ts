import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Signal } from '../../../../src/line/services/signal.ts';

describe('a bell', () => {
  test('wakes whoever waits, and lets go of whoever gives up', async () => {
    const bell = new Signal();
    const stop = new AbortController();
    const waits = [bell.next(new AbortController().signal), bell.next(stop.signal)];
    stop.abort();
    await waits[1];
    bell.notifyAll();
    await waits[0];
    await bell.next(stop.signal); // it was given up before it began
  });

  test('that rings every second of a wait of days leaves nothing behind', async () => {
    const bell = new Signal();
    const { signal } = new AbortController();
    for (let second = 0; second < 1000; second += 1) {
      const next = bell.next(signal);
      bell.notifyAll();
      await next;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('that never rings forgets whoever gives up', async () => {
    const bell = new Signal();
    for (let hold = 0; hold < 1000; hold += 1) {
      const stop = new AbortController();
      const next = bell.next(stop.signal);
      stop.abort();
      await next;
    }
    expect(bell.waiters).toBe(0);
  });
});
