/** @module-tag thorough */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { isAlive } from '../support/processes.ts';
import { HAS_TERMINAL, inTerminal } from '../support/terminal.ts';

const watchdogOf = async (factory: Factory): Promise<number | undefined> => (await factory.status()).watchdog?.pid;

const merged = (factory: Factory): Promise<void> =>
  eventually(() => factory.paper('archive/DOC-001/TASK_CONTRACT.json')?.includes('"merged"'), 'the task is merged');

/** A shell line that runs andon, for a process or a terminal of its own. */
const andonIn = (...words: readonly string[]): string =>
  [process.execPath, '--disable-warning=ExperimentalWarning', inject('andon'), ...words]
    .map((one) => `'${one}'`)
    .join(' ');

describe('andon start', () => {
  test.runIf(HAS_TERMINAL)('goes on when its terminal is closed, until andon stop', async () => {
    const factory = await aFactory();
    const terminal = inTerminal(factory, ['start']);
    await terminal.see('in the background (pid');
    expect(await terminal.ended).toBe(0); // the terminal is gone with it
    const pid = await watchdogOf(factory);
    factory.drop(aContract());
    await merged(factory);
    expect(await watchdogOf(factory)).toBe(pid);

    const again = await factory.andon('start');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`(pid ${pid}) already watches`) });

    const restarted = await factory.andon('start', '--restart');
    expect(restarted).toMatchObject({ code: 0, stderr: '' });
    expect(isAlive(pid ?? 0)).toBe(false);
    const next = await watchdogOf(factory);
    expect(next).not.toBe(pid);

    const stopped = await factory.andon('stop');
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining(`(pid ${next})`) });
    expect(isAlive(next ?? 0)).toBe(false);
    expect(await factory.andon('stop')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No watchdog is running'),
    });
  });

  test('says why it did not start, with the last lines of its output, and leaves no process', async () => {
    const factory = await aFactory();
    rmSync(factory.handoff, { recursive: true, force: true });
    symlinkSync(factory.folder, factory.handoff);
    const { code, stderr } = await factory.andon('start');
    expect(code).toBe(1);
    expect(stderr).toContain('did not start (exit code 1)');
    expect(stderr).toContain('is a symbolic link, not a folder');
    expect(factory.processes()).toEqual([]);
  });

  test('takes several repositories, which one stop ends together', async () => {
    const factory = await aFactory();
    const other = join(factory.folder, 'other');
    spawnSync('git', ['clone', '--quiet', factory.repo, other], { env: factory.env });
    expect((await factory.andon('start', '.', other)).stdout).toContain(`${factory.repo}, ${other}`);
    const { stdout } = await factory.andon('start', '--restart');
    expect(stdout).toContain(`watches ${factory.repo}, ${other}`);
    expect((await factory.andon('stop', other)).stdout).toContain('has ended');
    expect(await watchdogOf(factory)).toBeUndefined();
  });

  test('andon stop ends a watch in the foreground too, and a task under way goes on at the next start', async () => {
    const factory = await aFactory({ apart: true });
    const dog = await factory.watch();
    expect((await factory.andon('stop')).stdout).toContain(`(pid ${dog.pid})`);
    factory.drop(aContract());
    await factory.andon('start');
    await merged(factory);
    await factory.andon('stop');
  });
});

describe('a hang-up', () => {
  const ways = {
    'nohup of a shell': (line: string) => ['bash', '-c', `nohup ${line} > "$OUT" 2>&1 < /dev/null & wait`],
    'a shell that ignores it': (line: string) => ['bash', '-c', `trap '' HUP; ${line} > "$OUT" 2>&1; true`],
    'a session of its own': (line: string) => ['setsid', 'bash', '-c', `exec ${line} > "$OUT" 2>&1 < /dev/null`],
  };
  test.runIf(process.platform === 'linux').each(Object.entries(ways))('does not end one under %s', async (_, words) => {
    const factory = await aFactory();
    const [program = '', ...args] = words(andonIn('watch'));
    const out = join(factory.folder, 'out');
    const shell = spawn(program, args, { cwd: factory.repo, env: { ...factory.env, OUT: out }, stdio: 'ignore' });
    onTestFinished(() => void shell.kill('SIGKILL'));
    await eventually(async () => (await watchdogOf(factory)) !== undefined, 'it watches');
    const pid = (await watchdogOf(factory)) ?? 0;
    process.kill(pid, 'SIGHUP');
    factory.drop(aContract());
    await merged(factory);
    expect(await watchdogOf(factory)).toBe(pid);
    expect((await factory.andon('stop')).code).toBe(0);
  });

  test.runIf(HAS_TERMINAL)('of a terminal that is closed ends a watch in its foreground cleanly', async () => {
    const factory = await aFactory();
    const terminal = inTerminal(factory, ['watch']);
    await eventually(async () => (await watchdogOf(factory)) !== undefined, 'it watches');
    const pid = (await watchdogOf(factory)) ?? 0;
    terminal.hangUp();
    for (const { pid: one, command } of factory.processes())
      if (command.includes('script')) process.kill(one, 'SIGKILL');
    await eventually(() => !isAlive(pid), 'it has ended');
    expect(await factory.andon('status')).toMatchObject({ stdout: expect.stringContaining('no watchdog is running') });
  });
});

test.runIf(HAS_TERMINAL).each(['tostop', '-tostop'])(
  'a watch in the background of a terminal works with stty %s and draws nothing',
  async (tostop) => {
    const factory = await aFactory();
    const job = `stty ${tostop}; set -m; ${andonIn('watch')} & sleep 60`;
    const child = spawn('script', ['--quiet', '--flush', '--command', `bash -c "${job}"`, '/dev/null'], {
      cwd: factory.repo,
      env: { ...factory.env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    await eventually(async () => (await watchdogOf(factory)) !== undefined, 'it watches');
    factory.drop(aContract());
    await merged(factory);
    expect(shown.includes('watches')).toBe(tostop === '-tostop');
    expect(shown).not.toContain('\u001b[?'); // no board, no title
    expect((await factory.andon('stop')).code).toBe(0);
  },
);

describe('andon start --service', () => {
  /** A `systemctl` that writes down what it is asked, and starts and ends what a unit names. */
  const SYSTEMCTL = `#!/bin/bash
echo "$*" >> "$XDG_STATE_HOME/asked"
[ "$1" = --user ] || exit 1
P="$XDG_STATE_HOME/service.pid"
case "$2" in
  show-environment) [ -z "$NO_BUS" ] || { echo 'Failed to connect to bus'; exit 1; } ;;
  is-active) kill -0 "$(cat "$P" 2>/dev/null)" 2>/dev/null && { [ "$3" = --quiet ] || echo active; } || { echo inactive; exit 3; } ;;
  enable) L=$(sed -n 's/^ExecStart=://p' "$XDG_CONFIG_HOME/systemd/user/$4"); eval "setsid $L >/dev/null 2>&1 </dev/null &"; echo $! > "$P" ;;
  disable) kill "$(cat "$P")"; while kill -0 "$(cat "$P")" 2>/dev/null; do sleep .05; done; rm "$P" ;;
esac
`;
  const withSystemctl = async (): Promise<Factory> => {
    const factory = await aFactory();
    const folder = join(factory.folder, 'bin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'systemctl'), SYSTEMCTL);
    chmodSync(join(folder, 'systemctl'), 0o755);
    factory.env['PATH'] = `${folder}:${factory.env['PATH']}`;
    return factory;
  };

  test('installs a unit that watches, tells its state, and is removed with it', async () => {
    const factory = await withSystemctl();
    expect(await factory.andon('start', '--service', 'status')).toMatchObject({ code: 1 });
    const { code, stdout } = await factory.andon('start', '--service', 'install');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('.service (pid ') });
    factory.drop(aContract());
    await merged(factory);
    expect(await factory.andon('start', '--service', 'status')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('active'),
    });
    expect((await factory.andon('start', '--service', 'remove')).stdout).toContain('is removed');
    await eventually(async () => (await watchdogOf(factory)) === undefined, 'it has ended');
    expect((await factory.andon('start', '--service', 'remove')).stdout).toContain('No service is installed');
  });

  test('writes nothing and shows the unit where no bus answers', async () => {
    const factory = await withSystemctl();
    factory.env['NO_BUS'] = '1';
    const { code, stdout, stderr } = await factory.andon('start', '--service', 'install');
    expect(code).toBe(1);
    expect(stderr).toContain('no user bus of systemd is reachable: Failed to connect to bus');
    expect(stdout).toContain('ExecStart=');
    expect((await factory.andon('start', '--service', 'remove')).stdout).toContain('No service is installed');
    expect(stateOf(factory)).toContain(factory.folder);
  });
});
