import { describe, expect, it } from 'vitest';
import { computeHardLimit, computeStallLimit } from '../../../../src/line/breakers/stalled.ts';
import { listTrips } from '../../../../src/line/core/step.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aRecord, aStep, withLimits } from '../../../support/records.ts';
import { simulatedClock } from '../../../support/simulated-clock.ts';
import { createCallFailureOutcome } from '../../../../src/line/calls/call-agent.ts';
import { watchSilence } from '../../../../src/sandbox/processes/watch-silence.ts';

const MINUTE = 60_000;

/** A call of the implementer on a simulated clock; `look` is what there is to see of a program that prints nothing. */
function aCall(look: (anew: boolean) => string | undefined, record = aRecord()) {
  const clock = simulatedClock();
  let over = false;
  const limit = computeStallLimit(record, 'implementer') * MINUTE;
  const silence = watchSilence(
    clock,
    limit,
    async (anew) => look(anew),
    () => (over = true),
  );
  return { clock, silence, isOver: () => over };
}
const halts = (record: TaskRecord): string | undefined => {
  const why = { by: 'agent', failure: { kind: 'stall', detail: 'silence', ms: 0, exit: null } } as const;
  const unknown = { tokensIn: null, tokensOut: null, usd: null };
  const { event, facts } = createCallFailureOutcome('implementer', { ...why, failure: { ...why.failure, ...unknown } });
  return listTrips(record, aStep(event, facts))[0]?.breaker;
};

describe('an agent that shows nothing', () => {
  it('for ten minutes exactly is not stalled; for ten minutes and a second it is, and the line halts', async () => {
    const { clock, isOver } = aCall(() => undefined);
    await clock.advance(10 * MINUTE);
    expect(isOver()).toBe(false);
    await clock.advance(1000);
    expect(isOver()).toBe(true);
    expect(halts(aRecord())).toBe('stalled');
  });

  it('is not stalled because the machine slept, or because somebody set the clock', async () => {
    const { clock, isOver } = aCall(() => undefined);
    await clock.advance(MINUTE);
    clock.jump(180 * MINUTE);
    await clock.advance(9 * MINUTE);
    clock.jump(-600 * MINUTE);
    expect(isOver()).toBe(false);
    await clock.advance(1000);
    expect(isOver()).toBe(true);
  });

  it('may show itself at the very end: then the ten minutes begin again', async () => {
    const { clock, silence, isOver } = aCall(() => undefined);
    await clock.advance(10 * MINUTE);
    silence.touch('output');
    await clock.advance(10 * MINUTE);
    expect(isOver()).toBe(false);
    expect(silence.last()).toEqual({ what: 'output', at: '2026-01-16T12:10:00.000Z' });
    await clock.advance(1000);
    expect(isOver()).toBe(true);
  });
});

describe('an agent that prints nothing', () => {
  it('is not stalled for as long as it is seen to work, and is ten minutes after that', async () => {
    let works = true;
    const { clock, silence, isOver } = aCall((anew) => (works && !anew ? '3.0 s of CPU time' : undefined));
    await clock.advance(45 * MINUTE);
    expect(isOver()).toBe(false);
    expect(silence.last().what).toBe('3.0 s of CPU time');
    works = false;
    const last = Date.parse(silence.last().at);
    const passed = Date.parse(clock.now()) - last;
    await clock.advance(10 * MINUTE - passed);
    expect(isOver()).toBe(false);
    await clock.advance(1000);
    expect(isOver()).toBe(true);
  });

  it('is looked at ten times in ten minutes and no more often, and not at all while it prints', async () => {
    let looks = 0;
    const { clock, silence } = aCall(() => void (looks += 1));
    for (let at = 0; at < 20; at += 1) {
      await clock.advance(MINUTE / 2);
      silence.touch('output');
    }
    expect(looks).toBe(0);
    await clock.advance(10 * MINUTE);
    expect(looks).toBeGreaterThan(7);
    expect(looks).toBeLessThan(12);
  });

  it('is stalled when whoever should look at it fails', async () => {
    const { clock, isOver } = aCall(() => {
      throw new Error('no /proc');
    });
    await clock.advance(10 * MINUTE + 1000);
    expect(isOver()).toBe(true);
  });

  it('waits for nobody once it has ended', async () => {
    const { clock, silence, isOver } = aCall(() => undefined);
    silence.stop();
    await clock.advance(60 * MINUTE);
    expect(isOver()).toBe(false);
  });
});

describe('the longest that a call may take', () => {
  it.each([
    ['an hour, where the contract says nothing', {}, 60],
    [
      'six stall limits, where those are more',
      { timeoutMinutes: { implementer: 20, localReview: 10, judge: 10 } },
      120,
    ],
    ['what the contract says', { hardLimitMinutes: 15 }, 15],
  ])('is %s', (_, limits, minutes) => {
    expect(computeHardLimit(aRecord({ contract: withLimits(limits) }), 'implementer')).toBe(minutes);
  });

  it('grows by the time that a human granted', () => {
    const record = aRecord({ contract: withLimits({ hardLimitMinutes: 15 }) });
    const granted = { ...record, grants: { ...record.grants, timeoutMinutes: 10 } };
    expect(computeHardLimit(granted, 'judge')).toBe(25);
  });
});
