import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import { systemClock } from '../../../../src/base/system/system-clock.ts';
import { processRunner } from '../../../../src/sandbox/processes/run.ts';
import type { CageLimits } from '../../../../src/sandbox/cage-limits.ts';
import type { CagedCommand } from '../../../../src/sandbox/cage.ts';
import { SETUP_IS_REFUSED } from '../../../support/setup-network.ts';
import { aFolder } from '../processes/a-runner.ts';
import { ENVIRONMENT, NOBODY } from './attacks.ts';
import { USERS } from './users.ts';

const registry = { mark: {}, began: () => {}, ended: () => {} };
const WATCHED = processRunner(systemClock, registry);
const LIMITS: CageLimits = { memoryMb: 128, processes: 60, diskMb: 64, files: 1000, openFiles: 1024 };
const why = await createBubblewrap(WATCHED, {
  home: '/root',
  environment: ENVIRONMENT,
  hide: [],
  read: [],
}).unavailable();

const [MEMFD, INOTIFY] = process.arch === 'x64' ? [319, 294] : [279, 26];
const inPerl = (script: string): string => `perl -e '${script}; sleep 60'`;
/** Keeps what it opens as long as it runs. */
const TAKES = {
  memfd: inPerl(
    `$n = "x"; $f = syscall(${MEMFD}, $n, 0); open($h, ">&=", $f); $b = "x" x 1e6; for (1..400) { syswrite($h, $b) }`,
  ),
  loopback: inPerl(
    `use IO::Socket::INET; $b = "x" x 65536; $s = IO::Socket::INET->new(Listen => 200, LocalAddr => "127.0.0.1"); for (1..150) { $a = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport); $a->blocking(0); 1 while syswrite($a, $b); push @all, $a }`,
  ),
  threads: `node -e 'const { Worker } = require("node:worker_threads"); for (let i = 0; i < 15; i++) new Worker("setInterval(() => {}, 1000)", { eval: true })'`,
  inotify: inPerl(`for (1..1000) { last if syscall(${INOTIFY}, 0) < 0 }`),
  unlinked: 'exec 3> gone; rm gone; head -c 200000000 /dev/zero >&3; sleep 60',
};

describe.skipIf(why !== undefined).each(USERS)('in the cage of %s', (name, as) => {
  // The watcher, which is the same, counts for both.
  const tags = name === 'nobody' ? 'thorough' : [];
  function run(script: string, changes: Partial<CagedCommand> = {}) {
    const folder = aFolder();
    const tree = join(folder, 'state/tree');
    for (const path of [tree, join(folder, 'home')]) mkdirSync(path, { recursive: true });
    if (name === 'nobody') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
    if (name === 'nobody') execFileSync('chmod', ['755', folder]);
    const world = {
      home: join(folder, 'home'),
      environment: { ...ENVIRONMENT, HOME: join(folder, 'home') },
      hide: [],
      read: [],
      limits: LIMITS,
    };
    const signal = new AbortController().signal;
    const asked = { tree, network: false, share: [], discards: true, timeoutMs: 40_000, signal };
    return createBubblewrap(as(WATCHED), world).run({ ...asked, run: script, ...changes });
  }

  it.each([
    ['files in memory without a name', TAKES.memfd, /of memory, 128 MB/],
    ['data in connections of its loopback', TAKES.loopback, /of memory, 128 MB/],
    ['threads', TAKES.threads, /processes and threads, 20/],
    ['inotify instances', TAKES.inotify, /inotify instances/],
  ])('ends what takes too much by %s', { tags }, async (what, script, limit) => {
    expect(await run(script, what === 'threads' ? { limits: { memoryMb: 2048, processes: 20 } } : {})).toMatchObject({
      ended: 'limit',
      limit: expect.stringMatching(limit),
    });
  });

  it('ends what writes too much to a file that has lost its name, also on the disk', { tags }, async () => {
    const ending = await run(TAKES.unlinked, { discards: false });
    expect(ending).toMatchObject({ ended: 'limit', limit: expect.stringMatching(/^it wrote \d+ MB, 64 MB/) });
  });

  it('refuses a segment of System V that would outlast its programs unseen, and makes small ones', async () => {
    const { output } = await run(
      `perl -e 'for (32 << 20, 1 << 40, 4096) { print defined shmget(0, $_, 0600 | 01000) ? "made " : "refused " }'`,
    );
    expect(output).toBe('refused refused made ');
  });

  // The network of setup is made by whoever runs the tests, who may more than nobody.
  it.skipIf(name === 'nobody' || SETUP_IS_REFUSED).each(['/run', '/tmp', '/var/tmp', '/dev/shm'])(
    'counts what setup writes to %s as memory',
    { tags: 'thorough' },
    async (path) => {
      const script = `head -c 90000000 /dev/zero > ${path}/one && head -c 90000000 /dev/zero > ${path}/two; sleep 60`;
      const ending = await run(script, { network: true, discards: false });
      expect(ending).toMatchObject({ ended: 'limit', limit: expect.stringMatching(/of memory, 128 MB/) });
    },
  );

  it('gives every place in memory a size, and lets nobody write to the folder of devices', async () => {
    const { output } = await run(
      'for f in /run /tmp /dev/shm; do df -k $f | tail -1; done; ( : > /dev/file ); : > /dev/null && echo written',
      { discards: false },
    );
    const sizes = output.match(/^tmpfs +(\d+)/gm) ?? [];
    expect(sizes.map((row) => Number(row.split(/ +/)[1]) <= (64 + 1024) * 1024)).toEqual([true, true, true]);
    expect(output).toMatch(/\/dev\/file: Read-only file system/);
    expect(output).toContain('written');
  });

  it('stays the first that the kernel ends, whatever it says', async () => {
    const { output } = await run(
      'cat /proc/self/oom_score_adj; echo 0 > /proc/$$/oom_score_adj; echo 300 > /proc/self/oom_score_adj; cat /proc/$$/oom_score_adj',
    );
    expect(output.match(/^\d+$/gm)).toEqual(['500', '500']);
  });

  it('lets a program use what it may of all of these', { tags: 'thorough' }, async () => {
    const { exit, ended } = await run(
      `perl -e 'use Socket; for (1..100) { socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0); push @all, $a, $b } syswrite($all[0], "x" x 100000); $n = "x"; $f = syscall(${MEMFD}, $n, 0); open($h, ">&=", $f); syswrite($h, "x" x 2e7); sleep 2'; head -c 20000000 /dev/zero > /dev/shm/f; exit 3`,
    );
    expect([exit, ended]).toEqual([3, 'exited']);
  });
});
