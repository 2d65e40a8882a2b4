import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import { createNoCage } from '../../../../src/sandbox/cage/cage.ts';
import type { Cage, CagedCommand, CagedResult } from '../../../../src/sandbox/cage.ts';
import { aPort, connecting } from './a-port.ts';
import { aFolder, aRunner, isAlive, pidIn, until } from '../processes/a-runner.ts';

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };

/** A world with a home, a checkout and a state folder, and a cage around a tree in the state folder. */
function aPlace() {
  const folder = aFolder();
  const at = (name: string): string => join(folder, name);
  for (const name of ['home/.ssh', 'checkout/.git', 'state/trees/t', 'shared/node_modules'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('home/.ssh/id'), 'private key');
  writeFileSync(at('checkout/.git/config'), 'config');
  writeFileSync(at('state/journal.sqlite'), 'journal');
  writeFileSync(at('shared/node_modules/x'), 'shared');
  const world = { home: at('home'), environment: ENVIRONMENT, hide: [at('checkout'), at('state')], read: [] };
  const caged = createBubblewrap(aRunner().run, world);
  const tree = at('state/trees/t');
  const run = (script: string, changes: Partial<CagedCommand> = {}, cage: Cage = caged): Promise<CagedResult> =>
    cage.run({
      run: script,
      tree,
      network: false,
      share: [],
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { at, tree, run, cage: caged };
}

const why = await createBubblewrap(aRunner().run, {
  home: '/root',
  environment: ENVIRONMENT,
  hide: [],
  read: [],
}).unavailable();

describe.skipIf(why !== undefined)(`the cage${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  it.each([
    [0, 'true'],
    [1, 'false'],
    [42, 'exit 42'],
    [126, '/etc/passwd'],
    [127, 'no-such-program-anywhere'],
    [143, 'kill -TERM $$'],
  ])('gives back the exit code %i', async (exit, script) => {
    expect(await aPlace().run(script)).toMatchObject({ exit, ended: 'exited' });
  });

  it('gives back what was printed on both streams', async () => {
    expect((await aPlace().run('echo out; echo err >&2')).output).toBe('out\n\nerr\n');
  });

  it('works in the tree, and writes there and nowhere else', async () => {
    const { at, tree, run } = aPlace();
    const result = await run(
      `pwd; echo x > made; for f in ${at('out')} ${at('state/out')} /etc/out /out /usr/out; do echo x > $f; done; true`,
    );
    expect(result.output).toContain(tree);
    expect(readFileSync(join(tree, 'made'), 'utf8')).toBe('x\n');
    for (const out of [at('out'), at('state/out'), '/etc/out', '/out', '/usr/out']) expect(existsSync(out)).toBe(false);
  });

  it('hides the home folder, the checkout, the state and what lies beside the tree', async () => {
    const { at, run } = aPlace();
    const { output } = await run(
      `cat ${at('home/.ssh/id')} ${at('checkout/.git/config')} ${at('state/journal.sqlite')}; ls -A ${at('home')} ${at('checkout')} ${at('state')}`,
    );
    for (const secret of ['private key', 'journal.sqlite\n', 'config\n']) expect(output).not.toContain(`\n${secret}`);
    expect(output).not.toContain('private key');
    expect(output).toContain('trees');
  });

  it('has no network, not even to this machine', async () => {
    const { run } = aPlace();
    const connect = connecting(await aPort());
    expect(await run(connect)).toMatchObject({ exit: 7 });
    expect(await run('cat /proc/net/dev | grep -c :')).toMatchObject({ output: '1\n' });
  });

  it('shows nothing of andon’s environment, nor of any process outside', async () => {
    process.env['ANDON_TEST_SECRET'] = 'sesame-secret';
    onTestFinished(() => {
      delete process.env['ANDON_TEST_SECRET'];
    });
    const { output } = await aPlace().run(`env; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'`);
    expect(output).not.toContain('sesame-secret');
    expect(output).toContain('LANG=C.UTF-8');
    expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(12);
    const first = await aPlace().run("tr '\\0' '\\n' < /proc/1/environ | grep -v '^PWD=' | wc -c");
    expect(first.output.trim()).toBe('0');
  });

  it('cannot make a user namespace of its own, nor gain anything', async () => {
    const { output } = await aPlace().run(
      'unshare -U true && echo made; grep CapEff /proc/self/status; umount /tmp && echo gone',
    );
    expect(output).not.toContain('made');
    expect(output).toContain('CapEff:\t0000000000000000');
    expect(output).not.toContain('gone');
  });

  it('shows everything of rustup that its programs look for, so that they make nothing in the home folder', async () => {
    const { at, run } = aPlace();
    for (const name of ['toolchains', 'update-hashes']) mkdirSync(at(`home/.rustup/${name}`), { recursive: true });
    writeFileSync(at('home/.rustup/settings.toml'), '');
    expect((await run(`ls ${at('home')}/.rustup`)).output).toBe('settings.toml\ntoolchains\nupdate-hashes\n');
  });

  it('shows shared folders, and does not let them be changed', async () => {
    const { at, run } = aPlace();
    const share = [[at('shared/node_modules'), 'node_modules']] as const;
    const result = await run('cat node_modules/x; echo y > node_modules/x; rm node_modules/x', { share });
    expect(result.output).toContain('shared');
    expect(result.exit).not.toBe(0);
    expect(readFileSync(at('shared/node_modules/x'), 'utf8')).toBe('shared');
  });

  it('gives tools an empty, writable cache in shared packages, and keeps nothing of it', async () => {
    const { at, run } = aPlace();
    mkdirSync(at('shared/node_modules/.cache'));
    writeFileSync(at('shared/node_modules/.cache/old'), 'old');
    const share = [[at('shared/node_modules'), 'node_modules']] as const;
    const result = await run('ls node_modules/.cache; mkdir node_modules/.cache/nyc && echo made', { share });
    expect([result.exit, result.output.trim()]).toEqual([0, 'made']);
    expect(existsSync(at('shared/node_modules/.cache/nyc'))).toBe(false);
  });

  it('is ended at its time limit, with everything in it', { tags: 'thorough' }, async () => {
    const { run, tree } = aPlace();
    const before = performance.now();
    const result = await run("trap '' TERM; setsid sleep 987654 & echo begun > begun; sleep 987654", {
      timeoutMs: 2500,
    });
    expect(result).toMatchObject({ ended: 'timeout', exit: null });
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(existsSync(join(tree, 'begun'))).toBe(true);
    expect(await until(() => !someoneRuns('sleep\u0000987654'))).toBe(true);
  });

  it('leaves nothing running when the command is done', async () => {
    const result = await aPlace().run('setsid sleep 876543 & echo done');
    expect(result).toMatchObject({ ended: 'exited', exit: 0, output: 'done\n' });
    expect(await until(() => !someoneRuns('sleep\u0000876543'))).toBe(true);
  });

  it('ends when andon says so', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    expect(await aPlace().run('sleep 60', { signal: abort.signal })).toMatchObject({ ended: 'aborted' });
  });

  it('says in one sentence what to do when bwrap is not there', async () => {
    const cage = createBubblewrap(aRunner().run, {
      home: '/root',
      environment: { PATH: '/nowhere' },
      hide: [],
      read: [],
    });
    expect(await cage.unavailable()).toContain('apt-get install bubblewrap');
  });
});

describe('no cage', () => {
  it('runs in the tree with the given environment, and shares by links', async () => {
    const { at, tree, run } = aPlace();
    const cage = createNoCage(aRunner().run, { environment: { ...ENVIRONMENT, NAME: 'value' } });
    const share = [[at('shared/node_modules'), 'node_modules']] as const;
    const result = await run('pwd; echo $NAME; cat node_modules/x; exit 5', { share }, cage);
    expect(result).toMatchObject({ exit: 5, ended: 'exited', output: `${tree}\nvalue\nshared` });
    expect(await cage.unavailable()).toBeUndefined();
  });

  it('ends a command that only waits, and not one that works without a word', { tags: 'thorough' }, async () => {
    const { run } = aPlace();
    const cage = createNoCage(aRunner().run, { environment: ENVIRONMENT });
    expect(await run('echo begun; sleep 300', { idleMs: 1000 }, cage)).toMatchObject({
      ended: 'idle',
      output: 'begun\n',
    });
    const busy = 'end=$(($(date +%s) + 3)); while [ $(date +%s) -lt $end ]; do :; done';
    expect(await run(busy, { idleMs: 1000 }, cage)).toMatchObject({ ended: 'exited', exit: 0 });
  });

  it('shows the packages of a workspace from its own tree, not from the prepared one', async () => {
    const { at, tree, run } = aPlace();
    for (const [folder, text] of [
      [at('shared'), 'base'],
      [tree, 'change'],
    ] as const) {
      mkdirSync(join(folder, 'packages/a'), { recursive: true });
      writeFileSync(join(folder, 'packages/a/index.js'), `module.exports = '${text}';`);
    }
    mkdirSync(at('shared/node_modules/@shop'));
    for (const [name, target] of [
      ['a', '../packages/a'],
      ['@shop/a', '../../packages/a'],
    ] as const)
      symlinkSync(target, at(`shared/node_modules/${name}`));
    const cage = createNoCage(aRunner().run, { environment: ENVIRONMENT });
    const share = [[at('shared/node_modules'), 'node_modules']] as const;
    const { output } = await run(
      `node -p "require('a') + ' ' + require('@shop/a')"; cat node_modules/x`,
      { share },
      cage,
    );
    expect(output).toBe('change change\nshared');
  });

  it('ends what was started at the time limit', { tags: 'thorough' }, async () => {
    const { tree, run } = aPlace();
    const result = await run(
      'sleep 300 & echo $! > pid; wait',
      { timeoutMs: 2000 },
      createNoCage(aRunner().run, { environment: ENVIRONMENT }),
    );
    expect(result.ended).toBe('timeout');
    expect(await until(() => !isAlive(pidIn(join(tree, 'pid'))))).toBe(true);
  });
});

/** Whether any process on this machine has this command line. */
function someoneRuns(commandLine: string): boolean {
  return processes().some((text) => text.startsWith(commandLine));
}

function processes(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}
