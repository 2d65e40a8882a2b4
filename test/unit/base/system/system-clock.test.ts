import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../../src/base/system/system-clock.ts';

/** A wall clock that shows this much more than the real one, from now on. */
function setClock(byMs: number): void {
  const real = Date.now.bind(Date);
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
  onTestFinished(() => spy.mockRestore());
}

describe('waiting for a moment', () => {
  it('ends when the clock shows it', async () => {
    const moment = new Date(Date.now() + 20).toISOString();
    await systemClock.until(moment, new AbortController().signal);
    expect(new Date().toISOString() >= moment).toBe(true);
  });

  it('ends when the clock is set back meanwhile, so that whoever waits looks again', async () => {
    const waits = systemClock.until(new Date(Date.now() + 100).toISOString(), new AbortController().signal);
    setClock(-24 * 3_600_000);
    expect(await waits).toBeUndefined();
  });

  it('ends at once when whoever waits is told to stop', async () => {
    const stop = new AbortController();
    const waits = systemClock.until(new Date(Date.now() + 3_600_000).toISOString(), stop.signal);
    stop.abort();
    expect(await waits).toBeUndefined();
  });
});
