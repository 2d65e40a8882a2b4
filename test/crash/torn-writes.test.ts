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
    const isOurs = (say: string): boolean => !/ agents\/|sqlite-shm|andon\.log/.test(say);
    expect(await restartAfter(name, life, 'whole lives', isOurs, POINTS)).toEqual([]);
  });

  test('costs no more where it takes a charge in the ledger', async () => {
    const [[name, life] = []] = NAMED;
    if (name === undefined || life === undefined) throw new Error('there is no life');
    const isCharge = (say: string): boolean => say.includes('ledger.sqlite-wal');
    expect(await restartAfter(name, life, 'ledger', isCharge, POINTS)).toEqual([]);
  });
});

/** What is wrong after restarts on some disks of a life that have lost some of these effects. */
async function restartAfter(
  name: string,
  life: (typeof LIVES)[number],
  what: string,
  matters: (say: string) => boolean,
  points: number,
): Promise<readonly string[]> {
  const recorded = await recordLife(life);
  const { recording } = recorded;
  const isLost = (at: number): boolean => matters(recording.effects[at]?.say ?? '');
  const losses = chosen(lossesOf(recording, isLost, 6), points, nameOf);
  expect(losses.length).toBeGreaterThan(0);
  const violations: string[] = [];
  for (const loss of losses) violations.push(...(await liveAfter(life, recorded, loss)));
  tell(`${what}, ${recording.effects.length} effects`, name, losses, violations);
  return violations;
}

function tell(what: string, name: string, losses: readonly PowerLoss[], violations: readonly string[]): void {
  const kinds = Map.groupBy(violations, (line) => line.slice(0, line.indexOf(', at "')));
  process.stdout.write(
    `power: ${what}: ${losses.length} losses, ${violations.length} violations: ${name}; ${again('test/crash/torn-writes.test.ts')}\n`,
  );
  for (const lines of kinds.values()) process.stdout.write(`  violation: ${lines.length} times: ${lines[0] ?? ''}\n`);
}
