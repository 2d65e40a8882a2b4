/** @module-tag thorough */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { waits } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';

describe('a folder that cannot be watched well', () => {
  test.each([['max_inotify_watches'], ['max_inotify_instances']])(
    'because the limit %s is 0 is looked at all the same (case 39)',
    async (limit) => {
      const factory = await aFactory();
      const said = daemonIn(factory, `echo 0 > /proc/sys/user/${limit} || exit 99`);
      await eventually(() => said().includes('watches'), 'the daemon watches');
      const dropped = performance.now();
      factory.drop(aContract());
      await eventually(() => said().includes('contract admitted'), 'the contract is picked up');
      expect(performance.now() - dropped).toBeLessThan(15_000);
      await eventually(() => factory.isMerged(), 'it is merged');
    },
  );

  test('because 30,000 files came while nobody could look still shows the contract within seconds (case 40)', async () => {
    const factory = await aFactory({ apart: true });
    const dog = await factory.watch();
    await dog.until(() => existsSync(join(factory.handoff, 'queue')));
    process.kill(dog.pid, 'SIGSTOP');
    const folder = join(factory.handoff, 'storm');
    mkdirSync(folder);
    for (let number = 0; number < 30_000; number += 1) writeFileSync(join(factory.handoff, `storm-${number}.tmp`), '');
    factory.drop(aContract());
    expect((await factory.andon('status')).stdout).toContain(
      `the watchdog gives no answer (it is stopped, or very busy)\n  kill -CONT ${dog.pid}`,
    );
    process.kill(dog.pid, 'SIGCONT');
    const began = performance.now();
    await dog.until('contract admitted');
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

describe('a repository in which', () => {
  test('git gc --prune=now runs while a task is in work loses nothing (case 58)', async () => {
    const factory = await aFactory({ scenario: { judge: [judges('PASS', {}, waits)] } });
    const dog = await factory.begin(aContract(), 'at');
    factory.git('reflog', 'expire', '--expire=now', '--all');
    factory.git('gc', '--prune=now', '--quiet');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    factory.git('fsck', '--strict');
    expect((await factory.andon('verify')).code).toBe(0);
  });

  test('everything that git can be told to run is a trap sees none of them fire in a whole task (case 81)', async () => {
    const factory = await aFactory();
    const fired = join(factory.folder, 'fired');
    const trap = join(factory.folder, 'trap');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${fired}'\ncat\n`);
    chmodSync(trap, 0o755);
    for (const hook of HOOKS) {
      factory.write(`.git/hooks/${hook}`, `#!/bin/sh\necho 'hook ${hook}' >> '${fired}'\n`);
      chmodSync(join(factory.repo, '.git/hooks', hook), 0o755);
    }
    factory.write('.git/info/attributes', '*.md diff=trap merge=trap\n');
    factory.write('.git/more', `[diff "trap"]\n\ttextconv = ${trap} textconv\n`);
    for (const [key, value] of Object.entries(CONFIGURED)) factory.git('config', key, `${trap} ${value}`);
    factory.git('config', 'commit.gpgSign', 'true');
    factory.git('config', 'url.ssh://evil.invalid/.insteadOf', 'https://');
    factory.git('config', 'include.path', join(factory.repo, '.git/more'));
    factory.git('config', 'alias.update-ref', `!${trap} alias`);
    const { dog, status } = await factory.run(aContract());
    await dog.stop();
    expect([status, existsSync(fired) ? readFileSync(fired, 'utf8') : '']).toEqual(['merged', '']);
    expect(factory.merges()).toHaveLength(1);
  });
});

describe('a halt', () => {
  test('wins over a contract that lies beside its lock at the start: nothing runs (case 12)', async () => {
    const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const lock = factory.paper('TASK_CONTRACT.json.lock') ?? '';
    writeFileSync(join(factory.handoff, 'beside'), lock);
    renameSync(join(factory.handoff, 'beside'), join(factory.handoff, 'TASK_CONTRACT.json'));
    const calls = factory.calls().length;
    const again = await factory.watch();
    await sleep(2500); // longer than the daemon takes to look again
    expect([factory.calls().length, (await factory.show('DOC-001')).status]).toEqual([calls, 'erik_consultation']);
    expect(factory.paper('TASK_CONTRACT.json.lock')).toBe(lock);
    await again.stop();
  });
});

const HOOKS = [
  'commit-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'reference-transaction',
];

const CONFIGURED = {
  'core.fsmonitor': 'fsmonitor',
  'core.pager': 'pager',
  'core.editor': 'editor',
  'core.sshCommand': 'ssh',
  'core.alternateRefsCommand': 'alternates',
  'diff.external': 'external',
  'diff.trap.textconv': 'textconv',
  'diff.trap.command': 'command',
  'merge.trap.driver': 'driver',
  'gpg.program': 'gpg',
  'credential.helper': 'credentials',
  'trailer.x.command': 'trailer',
} as const;

/** A daemon in a user namespace of its own, after a preparation that only counts there; what it prints so far. */
function daemonIn(factory: Factory, preparation: string): () => string {
  const script = `${preparation}; exec "$@"`;
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', inject('andon'), 'watch'];
  const child = spawn('unshare', ['--user', '--map-root-user', 'sh', '-c', script, 'sh', ...command], {
    cwd: factory.repo,
    env: factory.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  onTestFinished(() => void child.kill('SIGKILL'));
  return () => said;
}
