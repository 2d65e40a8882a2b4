/** @module-tag thorough */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';

const NAMESPACES = ['-npf', '--mount-proc', '--kill-child=KILL'];
/** Whether this machine lets a test make what a container is made of. */
const CAN_CONTAIN = spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;

const builtCommand = (): readonly string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  inject('andon'),
];

/** The children of a process. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean);

/** andon in pid and network namespaces of its own, as in a container; with `state` it keeps its state in a folder of its own. */
function contain(factory: Factory, args: readonly string[], state?: string, command = builtCommand()) {
  const words = [...NAMESPACES, ...command, ...args];
  const env = { ...factory.env, ...(state === undefined ? {} : { XDG_STATE_HOME: join(factory.folder, state) }) };
  const child = spawn('unshare', words, { cwd: factory.repo, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const until = (text: string | RegExp) => expect.poll(() => output, { interval: 20 }).toMatch(text);
  return { child, until, output: () => output };
}

describe.skipIf(!CAN_CONTAIN)('a repository that a container works in', () => {
  test.each([
    ['with the same state folder', undefined],
    ['with a state folder of its own', 'other-state'],
  ])('is refused to a second container, and to the machine itself, %s', async (_, state) => {
    const factory = await aFactory({ through: () => [] });
    const first = contain(factory, ['watch']);
    await first.until(/andon watches/);
    const second = contain(factory, ['watch'], state);
    await second.until(/another andon \(pid 1, watch in another container\) works in this repository/);
    await expect.poll(() => second.child.exitCode).toBe(1);
    if (state !== undefined) factory.env['XDG_STATE_HOME'] = join(factory.folder, 'third-state');
    expect(await factory.andon('watch')).toMatchObject({ code: 1, stderr: expect.stringContaining('another andon') });
    expect(first.child.exitCode).toBeNull();
  });

  test('is worked on by the machine as soon as the container was killed', async () => {
    const factory = await aFactory({ through: () => [] });
    const first = contain(factory, ['watch']);
    await first.until(/andon watches/);
    first.child.kill('SIGKILL');
    const dog = await factory.watch();
    await dog.until('took over from an andon that died (pid 1)');
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
  });

  test('is not taken from a container that is frozen', async () => {
    const factory = await aFactory({ through: () => [] });
    const first = contain(factory, ['watch']);
    await first.until(/andon watches/);
    const [pid = ''] = readFileSync(`/proc/${first.child.pid}/task/${first.child.pid}/children`, 'utf8').split(' ');
    process.kill(Number(pid), 'SIGSTOP');
    expect(await factory.andon('watch')).toMatchObject({ code: 1, stderr: expect.stringContaining('another andon') });
    expect((await factory.status()).watchdog).not.toBeNull();
  });

  test('obeys commands that are typed on the machine where both use one state folder', async () => {
    const factory = await aFactory({ through: () => [] });
    const first = contain(factory, ['watch']);
    await first.until(/andon watches/);
    expect((await factory.status()).watchdog).toMatchObject({ pid: 1 });
    expect(await factory.andon('pause')).toMatchObject({ code: 0 });
    await first.until(/paused by/);
  });

  test('says where it is obeyed to commands that use another state folder', async () => {
    const factory = await aFactory({ through: () => [] });
    const first = contain(factory, ['watch'], 'other-state');
    await first.until(/andon watches/);
    expect((await factory.andon('status')).stdout).toContain(
      'the watchdog (pid 1 in another container) keeps its state',
    );
    const { code, stderr } = await factory.andon('pause');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot be asked from here') });
  });
});

describe.skipIf(!CAN_CONTAIN)('the first process of a container', () => {
  test('leaves no zombie of what gates and agents left behind, and ends cleanly at SIGTERM', async () => {
    const gates = [{ name: 'orphans', run: 'for i in 1 2 3 4 5; do (setsid sleep 0.1 &) ; done; sleep 0.3' }];
    const factory = await aFactory({ through: () => [], projectConfig: { gates } });
    const andon = [process.execPath, join(import.meta.dirname, '../../bin/andon.mjs')]; // what stands before the program
    const { child, until } = contain(factory, ['watch'], undefined, andon);
    await until(/andon watches/);
    factory.drop(aContract());
    await until(/merged into main/);
    const init = childrenOf(child.pid ?? 0)[0] ?? 0;
    const states = (): readonly string[] =>
      childrenOf(init).map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) (\w).*$/s, '$1'));
    await expect.poll(states).not.toContain('Z');
    process.kill(init, 'SIGTERM');
    await expect.poll(() => child.exitCode).toBe(0);
  });
});

test('a lock that another machine left is refused until it is broken by name', async () => {
  const factory = await aFactory({ through: () => [] });
  const dog = await factory.watch();
  const file = join(factory.repo, '.git/andon/holder.json');
  const record = JSON.parse(readFileSync(file, 'utf8')) as object;
  await dog.kill9();
  writeFileSync(file, JSON.stringify({ ...record, boot: 'another/1', host: 'elsewhere.example' }));
  const refused = await factory.andon('watch');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('on elsewhere.example) held this repository last'),
  });
  expect(refused.stderr).toContain('andon watch --break-lock');
  const broken = factory.andon('watch', '--break-lock');
  const holder = async (): Promise<number> => (await factory.status()).watchdog?.pid ?? dog.pid;
  await expect.poll(holder, { interval: 50 }).not.toBe(dog.pid); // the dead one is named until its lock is broken
  process.kill(await holder(), 'SIGINT');
  expect(await broken).toMatchObject({ code: 0, stdout: expect.stringContaining('andon watches') });
});
