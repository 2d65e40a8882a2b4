import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { ledgerFaults } from '../../scripts/soak/ledger-agrees.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory, type Watchdog } from '../support/factory.ts';
import { isAlive } from '../support/processes.ts';
import { again, chanceOf } from '../support/seed.ts';
import { toldIn } from './look-at-life.ts';

/** Calls that two tasks need together; one less than that may be made. */
const NEEDED = 6;
const CEILING = NEEDED - 1;
const FAILPOINTS = [
  'ledger.reserve.before-commit',
  'ledger.reserve.after-commit',
  'ledger.settle.before-write',
  'ledger.settle.after-write',
];
/** Moments at which one of the two daemons dies: at each failpoint, at its first, second or third call. */
const MOMENTS = FAILPOINTS.flatMap((name) => [1, 2, 3].map((hit) => `${name}:kill#${hit}`));

/** Two repositories of one user, who allows so many calls in a night. */
async function two(calls: number) {
  const first = await aFactory({ apart: true });
  const second = await aFactory({ apart: true, repoName: 'Project-B' });
  second.env['XDG_STATE_HOME'] = first.env['XDG_STATE_HOME'] ?? '';
  for (const { folder } of [first, second]) {
    const file = join(folder, 'config/andon/config.yaml');
    const config = parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, stringify({ ...config, ceilings: { call: { usd: 0.5 }, night: { calls, usd: 100 } } }));
  }
  return [first, second] as const;
}

/** Whether a factory's line can do no more: it has merged, or a ceiling holds it. */
async function isAtRest(factory: Factory): Promise<boolean> {
  if (factory.isMerged()) return true;
  const { stdout } = await factory.andon('status', '--json');
  const { task, blocked } = JSON.parse(stdout) as {
    task: { hold: { own?: string } | null } | null;
    blocked: string | null;
  };
  return task === null ? blocked !== null : task.hold?.own === 'ceiling';
}

describe('two daemons of a user, one of which is killed while it sets aside or settles', () => {
  test.each(MOMENTS)('never make more calls than both may together, and count each once: %s', async (moment) => {
    const [first, second] = await two(CEILING);
    const dogs: Watchdog[] = [await second.watch()];
    first.env['ANDON_FAILPOINT'] = moment;
    const mortal = await first.watch();
    first.env['ANDON_FAILPOINT'] = '';
    const pause = chanceOf(moment)();
    first.drop(aContract());
    await new Promise((resolve) => {
      setTimeout(resolve, 200 * pause);
    });
    second.drop(aContract());
    const dies = async (): Promise<boolean> => !isAlive(mortal.pid) || (await isAtRest(first));
    await eventually(dies, `it dies, or is held before it comes to ${moment}`);
    if (isAlive(mortal.pid)) await mortal.stop();
    dogs.push(await first.watch());
    await eventually(async () => (await isAtRest(first)) && (await isAtRest(second)), 'both come to rest');
    const made = first.calls().length + second.calls().length;
    expect(made, again('test/crash/ledger.test.ts')).toBeLessThanOrEqual(CEILING);
    expect([first.isMerged(), second.isMerged()]).not.toEqual([true, true]);
    for (const dog of dogs) await dog.stop();
    // Each start settles what the one before has left; then ledger and journals say the same.
    for (const factory of [first, second]) await (await factory.watch()).stop();
    const home = join(first.folder, 'state/andon');
    const states = readdirSync(join(home, 'repositories')).map((name) => join(home, 'repositories', name));
    expect(ledgerFaults(home, states.map(toldIn))).toEqual([]);
  });
});
