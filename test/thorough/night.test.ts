/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';

/** Adds to the user's own configuration. */
function configure({ folder }: Factory, more: object): void {
  const file = join(folder, 'config/andon/config.yaml');
  writeFileSync(file, stringify({ ...(parse(readFileSync(file, 'utf8')) as object), ...more }));
}

/** Another repository of the same user: the same state home, and the same limits. */
async function aSecond(first: Factory, limits: object): Promise<Factory> {
  const second = await aFactory({ repoName: 'Project-B', apart: true });
  second.env['XDG_STATE_HOME'] = first.env['XDG_STATE_HOME'] ?? '';
  configure(second, limits);
  return second;
}

interface Held {
  readonly blocked: string | null;
  readonly task: {
    readonly hold: { readonly own: string; readonly until: string | null; readonly reason: string } | null;
  } | null;
  readonly night: { readonly ceilings: readonly { readonly at_least: number; readonly set_aside: number }[] } | null;
}
const statusOf = async (factory: Factory): Promise<Held> =>
  JSON.parse((await factory.andon('status', '--json')).stdout) as Held;
const holdOf = async (factory: Factory) => (await statusOf(factory)).task?.hold;

/** A local time of day, so many minutes from now. */
function fromNow(minutes: number): string {
  const at = new Date(Date.now() + minutes * 60_000);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

describe('hours', () => {
  test('let nothing begin while they are closed, and status says until when', async () => {
    const factory = await aFactory();
    configure(factory, { hours: { closed: [`${fromNow(-60)}-${fromNow(60)}`] } });
    const dog = await factory.begin(aContract());
    await dog.until(/`hours` are closed; nothing new starts until \S/);
    const { blocked, task } = await statusOf(factory);
    expect(blocked).toContain('`hours` are closed');
    expect(task).toBeNull();
    expect(factory.calls()).toEqual([]);
    const said = (await factory.andon('status')).stdout;
    expect(said).toMatch(/hours: closed until/);
    await dog.stop();
  });

  test('let no step begin that could not be over before they close; what is too long for them ever says so', async () => {
    const factory = await aFactory();
    configure(factory, { hours: { open: [`${fromNow(-20)}-${fromNow(20)}`] } }); // a call may take an hour
    const dog = await factory.begin(aContract());
    await dog.until(/implementer: waits: no time of `hours` is as long as the next step may take/);
    expect(await holdOf(factory)).toMatchObject({ own: 'hours', until: null });
    expect(factory.calls()).toEqual([]);
    await dog.stop();
  });
});

describe('a ceiling', () => {
  test('holds the next call when it is reached, until it begins anew; a higher one lets the line go on where it stood', async () => {
    const factory = await aFactory();
    configure(factory, { ceilings: { day: { calls: 1 } } });
    const dog = await factory.begin(aContract());
    await dog.until(/local-reviewer: waits: the ceiling per day of 1 call is reached/);
    const hold = await holdOf(factory);
    const midnight = new Date();
    midnight.setHours(24, 0, 0, 0);
    expect(hold).toMatchObject({ own: 'ceiling', until: midnight.toISOString() });
    expect((await factory.andon('status')).stdout).toContain('ceiling per day: 1 call of 1 call');
    const digest = (await factory.andon('digest')).stdout.replaceAll(/\s+/g, ' ');
    expect(digest).toContain('the ceiling per day of 1 call is reached');
    await dog.stop();
    configure(factory, { ceilings: { day: { calls: 10 } } });
    const again = await factory.watch();
    expect(await factory.end(again)).toBe('merged');
    expect(again.output()).toContain('the line goes on: what it waited for has come');
    expect(factory.calls()).toHaveLength(3);
  });

  test('is shared by the daemons of two repositories', async () => {
    const limits = { ceilings: { night: { calls: 4 } } };
    const first = await aFactory({ apart: true });
    configure(first, limits);
    const second = await aSecond(first, limits);
    const both = [first, second];
    const dogs = await Promise.all(both.map((factory) => factory.watch()));
    for (const factory of both) factory.drop(aContract());
    const isEnded = async (factory: Factory) => factory.isMerged() || (await holdOf(factory))?.own === 'ceiling';
    await eventually(async () => (await isEnded(first)) && (await isEnded(second)), 'both end');
    expect(both.filter((factory) => factory.isMerged()).length).toBeLessThan(2);
    expect(first.calls().length + second.calls().length).toBe(4);
    for (const dog of dogs) await dog.stop();
  });
});

describe('an andon that is killed', () => {
  test.each([
    ['after it has set aside for a call, before the call is written down', 'ledger.reserve.after-commit:kill#1', 0],
    ['after a call has come back, before the ledger knows what it came to', 'ledger.settle.before-write:kill#1', 1],
  ])(
    '%s: it counts until the next start has read in the journal what became of it',
    async (_title, failpoint, made) => {
      const limits = { ceilings: { night: { calls: 1 } } };
      const first = await aFactory({ apart: true });
      configure(first, limits);
      first.env['ANDON_FAILPOINT'] = failpoint;
      const killed = await first.watch();
      first.drop(aContract());
      await eventually(() => !first.processes().some(({ pid }) => pid === killed.pid), 'it dies');
      first.env['ANDON_FAILPOINT'] = '';
      expect((await statusOf(first)).night?.ceilings).toMatchObject([{ at_least: 1, set_aside: 1 }]);
      expect(first.calls()).toHaveLength(made);

      const second = await aSecond(first, limits);
      const dog = await second.begin(aContract());
      if (made === 0) {
        // The journal of the first one says that its call was never made: it is not held against the second.
        await eventually(() => second.calls().length === 1, 'the second calls');
      } else {
        await dog.until(/the ceiling per night of 1 call is reached/);
        expect(second.calls()).toEqual([]);
      }
      await dog.stop();
      const again = await first.watch();
      await again.until(/the ceiling per night of 1 call/);
      expect((await statusOf(first)).night?.ceilings).toMatchObject([{ at_least: 1, set_aside: 0 }]);
      await again.stop();
    },
  );
});

describe('a ledger that cannot be read', () => {
  test('keeps andon from starting, says where it lies and what to do; moved away, a new one is begun', async () => {
    const factory = await aFactory({ apart: true });
    expect((await factory.run(aContract())).status).toBe('merged');
    const file = join(factory.folder, 'state/andon/ledger/ledger.sqlite');
    for (const beside of ['-wal', '-shm']) writeFileSync(`${file}${beside}`, '');
    writeFileSync(file, 'not a database'.repeat(500));
    const ended = await factory.start(['watch']).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/the ledger .*ledger\.sqlite, which every ceiling rests on, cannot be read/);
    expect(ended.stderr).toContain('mv ');
  });
});

test('a judge that a ceiling cuts off waits until the ceiling allows what it takes; it is no unreadable report', async () => {
  const factory = await aFactory();
  configure(factory, { ceilings: { night: { usd: 0.012 } } });
  const dog = await factory.begin(aContract());
  await dog.until(/judge: waits: the ceiling per night of \$0\.0120 /);
  expect(factory.calls('judge')).toHaveLength(1);
  configure(factory, { ceilings: { night: { usd: 1 } } });
  expect(await factory.end(dog)).toBe('merged');
  expect(factory.calls('judge')).toHaveLength(2);
});
