/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { killGit } from '../crash/dying-git.ts';
import { LIVES } from '../crash/lives.ts';
import { lossesOf, say } from '../crash/power/fates.ts';
import { lookAt } from '../crash/power/look.ts';
import type { Recording } from '../crash/power/recording.ts';
import { recordLife } from '../crash/power/record-life.ts';

/** The same effects, had nobody waited for the disk. */
const unsynced = (recording: Recording): Recording => ({
  ...recording,
  effects: recording.effects.map((one) => (one.effect.kind === 'sync' ? { ...one, effect: NOTHING } : one)),
});
const NOTHING = { kind: 'names', names: [] } as const;

const STRACE = spawnSync('strace', ['-V']).status === 0;
const LIFE = LIVES.at(-1);

/** A few of the points that `npm run test:crash` tries. */
describe.skipIf(!STRACE)('git that dies in the middle of fast-forwarding your checkout, and andon with it', () => {
  test('is put right by the next start, wherever it died', () => {
    expect(killGit(5)).toMatchObject({ points: 5, violations: [] });
  });
});

/** A few of the power losses that `npm run test:crash` tries. */
describe.skipIf(!STRACE)('a power loss at any effect on papers and journal', () => {
  test('leaves them old or new, never a mixture, and no lock without its report', async () => {
    if (LIFE === undefined) throw new Error('there is no life');
    const { recording } = await recordLife(LIFE);
    const look = lookAt(recording);
    const losses = lossesOf(recording, look.matters, 5);
    expect(losses.length).toBeGreaterThan(500);
    const isFound = lossesOf(unsynced(recording), look.matters, 5).some((loss) => look.faults(loss).length > 0);
    expect(isFound, 'without a sync there is something to find').toBe(true);
    expect(losses.flatMap((loss) => look.faults(loss).map((fault) => `${fault}, ${say(recording, loss)}`))).toEqual([]);
  });
});
