import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { LIVES } from './lives.ts';
import { lossesOf, nameOf, say, type PowerLoss } from './power/fates.ts';
import { liveAfter } from './power/live-after.ts';
import { lookAt } from './power/look.ts';
import { recordLife } from './power/record-life.ts';
import { again, chosen } from '../support/seed.ts';

const STRACE = spawnSync('strace', ['-V']).status === 0;
const ALL = process.env['CRASH_FULL'] === '1';
/** Power losses that are tried after each effect on papers or journal, where not all fit in. */
const MOST = ALL ? 256 : 24;
/** Power losses of each life after which the real andon is started again. */
const POINTS = ALL ? 400 : Number(process.env['CRASH_POINTS'] ?? 12);
const NAMED = LIVES.map((life) => [life.name, life] as const);

describe.skipIf(!STRACE)('a power loss that takes or tears what was not synced', () => {
  test.each(NAMED)('leaves papers and journal old or new, never a mixture: %s', async (name, life) => {
    const { recording } = await recordLife(life);
    const look = lookAt(recording);
    const losses = chosen(lossesOf(recording, look.matters, MOST), Infinity, nameOf);
    const violations = losses.flatMap((loss) => look.faults(loss).map((fault) => `${fault}, ${say(recording, loss)}`));
    tell(`papers and journal, ${recording.effects.length} effects`, name, losses, violations);
    expect(violations).toEqual([]);
  });

  test.each(NAMED)('costs a restart, and nothing else: %s', async (name, life) => {
    const recorded = await recordLife(life);
    const { recording } = recorded;
    const isOurs = (at: number): boolean => !/ agents\/|sqlite-shm|andon\.log/.test(recording.effects[at]?.say ?? '');
    const losses = chosen(lossesOf(recording, isOurs, 6), POINTS, nameOf);
    const violations: string[] = [];
    for (const loss of losses) violations.push(...(await liveAfter(life, recorded, loss)));
    tell(`whole lives, ${recording.effects.length} effects`, name, losses, violations);
    expect(violations).toEqual([]);
  });
});

function tell(what: string, name: string, losses: readonly PowerLoss[], violations: readonly string[]): void {
  const kinds = Map.groupBy(violations, (line) => line.slice(0, line.indexOf(', at "')));
  process.stdout.write(
    `power: ${what}: ${losses.length} losses, ${violations.length} violations: ${name}; ${again('test/crash/torn-writes.test.ts')}\n`,
  );
  for (const lines of kinds.values()) process.stdout.write(`  violation: ${lines.length} times: ${lines[0] ?? ''}\n`);
}
