import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/system/system-clock.ts';
import { describeStartFailure } from '../../../../src/sandbox/processes/describe-start-failure.ts';
import { processRunner } from '../../../../src/sandbox/processes/run.ts';
import { aFolder, aRunner, isAlive, pidIn, shell, until } from './a-runner.ts';

const SRC = join(import.meta.dirname, '../../../../src');
/** Long enough for a shell to start and to set its traps, on a busy machine too. */
const BEGUN_MS = 2000;
/** A loop that starts `sleep` again and again uses some CPU time; in so long a silence it is clearly too little for work. */
const SPUN_MS = 2500;

describe('a program', () => {
  it('that ends by itself gives back what it printed, on both streams, and its exit code', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toMatchObject({
      ended: 'exited',
      exit: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      utf8: true,
    });
  });

  it('is given its input and nothing of andon’s environment', async () => {
    process.env['ANDON_TEST_SECRET'] = 'secret';
    const ended = await shell('cat; env', { input: 'ü and more', env: { ONLY: 'this' } });
    delete process.env['ANDON_TEST_SECRET'];
    expect(ended.stdout).toContain('ü and more');
    expect(ended.stdout).toContain('ONLY=this');
    expect(ended.stdout).not.toContain('secret');
  });

  it('that does not read its input is no failure', async () => {
    expect(await shell('exit 0', { input: 'x'.repeat(5_000_000) })).toMatchObject({ ended: 'exited', exit: 0 });
  });

  it('that is not there is missing', async () => {
    expect(await shell('', { program: 'no-such-program-anywhere' })).toMatchObject({ ended: 'missing', exit: null });
    expect(await shell('', { program: '/etc/passwd' })).toMatchObject({ ended: 'missing' });
  });

  it('with a NUL in an argument is not started, and says so', async () => {
    expect(await shell('echo \0')).toMatchObject({
      ended: 'missing',
      notStarted: { kind: 'broken', why: expect.stringContaining('NUL') as string },
    });
  });

  it('that is killed by a signal has no exit code', async () => {
    expect(await shell('kill -9 $$')).toMatchObject({ ended: 'exited', exit: null, signal: 'SIGKILL' });
  });

  it('whose output is not UTF-8 says so', async () => {
    expect((await shell("printf 'a\\377b'")).utf8).toBe(false);
    expect((await shell("printf 'a' >&2; printf '\\303\\050' >&2")).utf8).toBe(false);
    expect((await shell("printf '\\303\\274'")).stdout).toBe('ü');
  });

  it('is registered while it lives, and only then', async () => {
    const { run, alive } = aRunner();
    const abort = new AbortController();
    const running = run({
      program: '/bin/sh',
      args: ['-c', 'sleep 60'],
      cwd: '/',
      env: {},
      input: '',
      signal: abort.signal,
      hardMs: 60_000,
    });
    expect(alive.size).toBe(1);
    abort.abort();
    expect((await running).ended).toBe('aborted');
    expect(alive.size).toBe(0);
  });
});

describe.concurrent('a limit', () => {
  it('ends a program that is silent for too long, and not one that says something', { tags: 'thorough' }, async () => {
    expect(await shell('sleep 60', { idleMs: 300 })).toMatchObject({ ended: 'idle' });
    const lively = await shell('for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.4; done', { idleMs: 2500 });
    expect(lively).toMatchObject({ ended: 'exited', exit: 0 });
  });

  it('ends a program that only says what is no progress', { tags: 'thorough' }, async () => {
    const ended = await shell('while :; do echo spin >&2; sleep 0.3; done', {
      idleMs: SPUN_MS,
      isLife: (_, stream) => stream === 'stdout',
    });
    expect(ended.ended).toBe('idle');
  });

  it('ends a program that takes too long, however lively it is', async () => {
    const ended = await shell('while :; do echo x; sleep 0.02; done', { idleMs: 5000, hardMs: 500 });
    expect(ended).toMatchObject({ ended: 'hard', signal: 'SIGTERM' });
  });

  it('kills a program that is deaf to SIGTERM, after a grace time', { tags: 'thorough' }, async () => {
    const ended = await shell("trap '' TERM; echo deaf; while :; do sleep 0.1; done", { hardMs: BEGUN_MS });
    expect(ended).toMatchObject({ ended: 'hard', signal: 'SIGKILL', stdout: 'deaf\n' });
    expect(ended.ms).toBeGreaterThan(BEGUN_MS + 3000);
  });

  it('lets a program end itself, and keeps what it says then', { tags: 'thorough' }, async () => {
    const ended = await shell("trap 'echo bye; exit 0' INT; while :; do sleep 0.05; done", {
      hardMs: BEGUN_MS,
      firstSignal: 'SIGINT',
    });
    expect(ended).toMatchObject({ ended: 'hard', exit: 0, stdout: 'bye\n' });
  });

  it('stays the first cause: what is aborted later is still a stall', { tags: 'thorough' }, async () => {
    const abort = new AbortController();
    const abortOnceTold = (): 'life' => {
      abort.abort();
      return 'life';
    };
    const ended = await shell("trap 'echo told' TERM; while :; do sleep 0.1; done", {
      hardMs: BEGUN_MS,
      signal: abort.signal,
      follow: abortOnceTold,
    });
    expect([ended.ended, abort.signal.aborted]).toEqual(['hard', true]);
  });

  it('that was reached before the start is kept: an aborted call does nothing for long', async () => {
    const ended = await shell('sleep 60', { signal: AbortSignal.abort() });
    expect(ended).toMatchObject({ ended: 'aborted', signal: 'SIGTERM' });
    expect(ended.ms).toBeLessThan(15_000);
  });
});

describe('what a program leaves behind', () => {
  it('is ended with it: children, and grandchildren in sessions of their own', async () => {
    const pid = join(aFolder(), 'pid');
    const ended = await shell(`setsid sh -c 'echo $$ > ${pid}; exec sleep 300' & sleep 300`, { hardMs: BEGUN_MS });
    expect(ended.ended).toBe('hard');
    expect(await until(() => !isAlive(pidIn(pid)))).toBe(true);
  });

  it('does not hold the call when it keeps the pipe open', { tags: 'thorough' }, async () => {
    const pid = join(aFolder(), 'pid');
    const ended = await shell(`setsid sh -c 'echo $$ > ${pid}; exec sleep 300' & sleep 1.5; echo done`);
    expect(ended).toMatchObject({ ended: 'exited', exit: 0, stdout: 'done\n' });
    expect(ended.ms).toBeLessThan(15_000);
    expect(await until(() => !isAlive(pidIn(pid)))).toBe(true);
  });

  it('is gone even when the program ended at once', async () => {
    const pid = join(aFolder(), 'pid');
    const ended = await shell(`sleep 300 & echo $! > ${pid}; echo done`);
    expect(ended.stdout).toBe('done\n');
    expect(existsSync(pid)).toBe(true);
    expect(await until(() => !isAlive(pidIn(pid)))).toBe(true);
  });
});

describe('too much output', () => {
  it('ends the program, keeps the beginning, and takes no memory for the rest', async () => {
    const before = process.memoryUsage().rss;
    const ended = await shell('yes 0123456789', { outputCap: 1024 * 1024 });
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    expect(ended.ended).toBe('too much output');
    expect(Buffer.byteLength(ended.stdout)).toBe(1024 * 1024);
    expect(ended.stdout.startsWith('0123456789\n')).toBe(true);
    expect(grown).toBeLessThan(200);
  });

  it('is counted for each stream by itself', async () => {
    const ended = await shell('head -c 900 /dev/zero; head -c 900 /dev/zero >&2', { outputCap: 1000 });
    expect(ended.ended).toBe('exited');
    expect(ended.stdout.length + ended.stderr.length).toBe(1800);
  });
});

describe('a program that cannot be started', () => {
  const file = (text: string, mode: number): string => {
    const path = join(aFolder(), 'program');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  it.each([
    ['is not on PATH', () => ({ program: 'no-such-program-anywhere' }), 'missing', 'not on PATH'],
    ['is not where it is said to be', () => ({ program: '/no/such/program' }), 'missing', '/no/such/program'],
    ['lies below a file', () => ({ program: '/etc/passwd/program' }), 'missing', '/etc/passwd/program'],
    ['is not executable', () => ({ program: file('#!/bin/sh\n', 0o644) }), 'broken', 'chmod +x'],
    ['is a folder', () => ({ program: aFolder() }), 'broken', 'a folder'],
    ['has no interpreter', () => ({ program: file('#!/no/such/shell\n', 0o755) }), 'broken', 'first line'],
    ['has no folder to work in', () => ({ cwd: '/no/such/folder' }), 'broken', '/no/such/folder'],
    ['is given too much', () => ({ args: ['x'.repeat(200_000)] }), 'broken', 'longer than the system takes'],
  ] as const)('because it %s says so', async (_, changes, kind, words) => {
    const ended = await shell('', changes());
    expect(ended).toMatchObject({ ended: 'missing', exit: null, notStarted: { kind } });
    expect(ended.notStarted?.why).toContain(words);
  });

  it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])('for lack of room on the machine (%s) may start later', (code) => {
    const command = { program: 'sh', cwd: '/', env: { PATH: '/bin' } };
    expect(describeStartFailure(command, code)).toMatchObject({
      kind: 'no room',
      why: expect.stringContaining(code) as unknown,
    });
  });

  it('for lack of file descriptors says so, and does not take andon down', async () => {
    const source = `
      import { openSync } from 'node:fs';
      import { systemClock } from '${SRC}/base/system/system-clock.ts';
      import { processRunner } from '${SRC}/sandbox/processes/run.ts';
      const run = processRunner(systemClock, { mark: {}, began() {}, ended() {} });
      const files = [];
      try { for (;;) files.push(openSync('/dev/null', 'r')); } catch {}
      const env = { PATH: process.env.PATH };
      const signal = new AbortController().signal;
      const ended = await run({ program: 'true', args: [], cwd: '/', env, input: 'x', signal, hardMs: 5000 });
      console.log(JSON.stringify(ended.notStarted));
    `;
    const ended = await shell('ulimit -n 64; exec "$NODE" --input-type=module -e "$SOURCE"', {
      env: { PATH: process.env['PATH'] ?? '', NODE: process.execPath, SOURCE: source },
    });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      kind: 'no room',
      why: expect.stringContaining('EMFILE') as unknown,
    });
  });

  it('is not left running when nobody can note that it runs', async () => {
    const pid = join(aFolder(), 'pid');
    const run = processRunner(systemClock, {
      mark: {},
      began: () => {
        throw new Error('the disk is full');
      },
      ended: () => undefined,
    });
    const started = run({
      program: '/bin/sh',
      args: ['-c', `echo $$ > ${pid}; exec sleep 300`],
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
      input: '',
      signal: new AbortController().signal,
      hardMs: 20_000,
    });
    await expect(started).rejects.toThrow('the disk is full');
    expect(await until(() => !existsSync(pid) || !isAlive(pidIn(pid)))).toBe(true);
  });
});

describe('a program whose end cannot be noted', () => {
  it('is watched no longer, so that andon can end', async () => {
    let isMeasured = false;
    const most = 1024 ** 4;
    const bounds = { memoryBytes: most, processes: 1000, bytes: most, files: most };
    const leftBehind = () => {
      isMeasured = true;
      return undefined;
    };
    const run = processRunner(systemClock, {
      mark: {},
      began: () => {},
      ended() {
        throw new Error('no file descriptor is free');
      },
    });
    const ending = run({
      program: '/bin/sh',
      args: ['-c', 'sleep 0.5'], // long enough to be named; one that has ended is not in the registry
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
      input: '',
      signal: new AbortController().signal,
      hardMs: 20_000,
      bounds: { ...bounds, leftBehind },
    });
    await expect(ending).rejects.toThrow('no file descriptor is free');
    expect(isMeasured).toBe(true); // the last act of the watch
  });
});

describe('a program whose output is followed', () => {
  it('is read piece by piece, and nothing of it is kept', async () => {
    let bytes = 0;
    const follow = (chunk: Uint8Array): 'life' => {
      bytes += chunk.length;
      return 'life';
    };
    const ended = await shell('head -c 100000000 /dev/zero; echo err >&2', { follow });
    expect(ended).toMatchObject({ ended: 'exited', exit: 0, stdout: '', stderr: 'err\n' });
    expect(bytes).toBe(100_000_000);
  });

  it('lives as long as who follows it says so', { tags: 'thorough' }, async () => {
    const loop = 'while :; do echo x; sleep 0.3; done';
    expect(await shell(loop, { idleMs: SPUN_MS, follow: () => 'no life' })).toMatchObject({ ended: 'idle' });
    const alive = await shell(loop, { idleMs: SPUN_MS, hardMs: 2 * SPUN_MS, follow: () => 'life' });
    expect(alive).toMatchObject({ ended: 'hard' });
  });

  it('is ended when that is too much', async () => {
    expect(await shell('yes', { follow: () => 'too much' })).toMatchObject({ ended: 'too much output' });
  });
});

describe('the ladder', { tags: 'thorough' }, () => {
  it('from SIGINT over SIGTERM to SIGKILL', async () => {
    const polite = "trap 'echo int' INT; trap 'echo term; exit 7' TERM; while :; do sleep 0.05; done";
    expect(await shell(polite, { hardMs: BEGUN_MS, firstSignal: 'SIGINT' })).toMatchObject({
      exit: 7,
      stdout: 'int\nterm\n',
    });
    const deaf = "trap 'echo int' INT; trap 'echo term' TERM; while :; do sleep 0.05; done";
    expect(await shell(deaf, { hardMs: BEGUN_MS, firstSignal: 'SIGINT' })).toMatchObject({
      exit: null,
      signal: 'SIGKILL',
      stdout: 'int\nterm\n',
    });
  });

  it('reaches what left its parent at once for a session of its own', async () => {
    const pid = join(aFolder(), 'pid');
    const escape = `(setsid sh -c 'echo $$ > ${pid}; exec sleep 300' >/dev/null 2>&1 &) ; while [ ! -s ${pid} ]; do sleep 0.01; done; exit 0`;
    expect(await shell(escape)).toMatchObject({ ended: 'exited', exit: 0 });
    expect(await until(() => !isAlive(pidIn(pid)))).toBe(true);
  });
});
