/** @module-tag thorough */
import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isDiskTrouble } from '../../src/base/disk-trouble.ts';
import type { Effect } from '../support/every-write.ts';
import { LiveFloor } from '../support/live-floor.ts';
import { SEED, chanceOf, chosen } from '../support/seed.ts';

const TASK = 'PLAIN-1';
/** Writes of each life that are refused in turn; `ANDON_RUNS=1000` refuses every one of them, on both sides. */
const RUNS = Number(process.env['ANDON_RUNS'] ?? 5);

/** How a life ended, in terms that do not depend on its times. */
interface End {
  readonly status: string;
  readonly breaker: string | undefined;
  readonly reason: string | undefined;
  readonly asked: Readonly<Record<string, number>>;
  readonly merges: number;
  readonly transitions: readonly string[];
  readonly papers: readonly string[];
}

describe('a disk that is full at any write of a paper, or of the state folder, before or after it', () => {
  test.each(['CRITICAL_HALT', 'PASS'])(
    'changes nothing of how a task ends whose judge says %s first: nobody is asked twice, no verdict is forgotten',
    async (verdict) => {
      const writes: string[] = [];
      const whole = await live(verdict, (what, side) => writes.push(`${side} ${what}`));
      expect(whole).toMatchObject(verdict === 'PASS' ? { merges: 1 } : { merges: 0, breaker: 'judge_halt' });
      const chance = chanceOf(verdict);
      const wrong: unknown[] = [];
      for (const { at } of chosen(named(writes), RUNS, ({ name }) => name)) {
        const times = 1 + Math.floor(chance() * 3);
        let count = 0;
        const refusing: Effect = (what, side) => {
          const isRefused = count >= at && count < at + times;
          count += 1;
          if (isRefused) throw Object.assign(new Error(`ENOSPC: no space left, ${side} ${what}`), { code: 'ENOSPC' });
        };
        const where = `${times} from write ${at} (${writes[at]}), ANDON_SEED=${SEED}`;
        const end = await live(verdict, refusing).catch((error: unknown) => String(error));
        if (!isDeepStrictEqual(end, whole)) wrong.push({ where, end });
      }
      expect({ wrong, whole }).toEqual({ wrong: [], whole });
    },
    3_600_000,
  );
});

/** Each write by what it is, and which of its kind. */
function named(writes: readonly string[]): readonly { readonly at: number; readonly name: string }[] {
  const seen = new Map<string, number>();
  return writes.map((write, at) => {
    const number = (seen.get(write) ?? 0) + 1;
    seen.set(write, number);
    return { at, name: `${write} #${number}` };
  });
}

/** Lives a task to its end or halt; what breaks andon because the disk is full starts it again, as the watchdog does. */
async function live(verdict: string, disk: Effect): Promise<End> {
  const one = await LiveFloor.make([{ 'one.txt': 'one\n' }]);
  const asked: Record<string, number> = {};
  const hook = (): void => {
    one.meanwhile = {
      disk,
      answers(answer, record) {
        const station = record?.openCall?.station ?? '';
        asked[station] = (asked[station] ?? 0) + 1;
        const isFirst = station === 'judge' && asked[station] === 1;
        return isFirst ? { ...answer, structured: { ...Object(answer.structured), verdict } } : answer;
      },
    };
  };
  const unlessFull = async (work: () => Promise<unknown>): Promise<void> => {
    for (;;)
      try {
        await work();
        return;
      } catch (error) {
        if (!isDiskTrouble(String(error))) throw error;
        await one.rest();
        await one.start();
      } finally {
        hook();
      }
  };
  try {
    await one.start();
    hook();
    one.drop(TASK);
    await unlessFull(() => one.untilEnd());
    await unlessFull(() => one.line.poll());
    one.kill();
    await one.start();
    const { record } = one;
    return {
      status: record?.status ?? '',
      breaker: record?.halt?.trip.breaker,
      reason: record?.halt?.trip.reason,
      asked,
      merges: one.merges(TASK).length,
      transitions: one
        .read('_handoff/transition.ndjson')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { new_status: string }).new_status),
      papers: readdirSync(one.path('_handoff'), { recursive: true, encoding: 'utf8' }).toSorted(),
    };
  } finally {
    await one.close();
  }
}
