/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { AUTH_V1, aFactory, eventually, type Factory } from '../support/factory.ts';
import { NO_CAGE } from '../support/no-cage.ts';
import { stateOf } from '../support/places.ts';
import { mergePin } from '../../src/line/core/compute-merge-state.ts';
import { FINAL, judges, writes } from '../support/scenario.ts';
import { PATH } from '../support/versions.ts';

const CAGES = ['none', 'bubblewrap'] as const;
const SLOW = judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] });

/** A git that does something of its own just before the merge in the checkout. */
function beforeTheMerge(factory: Factory, script: string): void {
  const real = execFileSync('sh', ['-c', 'command -v git'], { env: factory.env }).toString().trim();
  const folder = join(factory.folder, 'bin');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\ncase "$*" in *"merge --ff-only"*) ${script.replaceAll('GIT', real)};; esac\nexec ${real} "$@"\n`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  factory.env['PATH'] = [folder, factory.env['PATH']].join(delimiter);
}

describe('a shared folder', () => {
  test.each(CAGES)('that is a link out of the checkout is not shown to a gate (cage: %s)', async (cage) => {
    if (cage === 'bubblewrap' && NO_CAGE !== '') return;
    const factory = await aFactory({
      cage,
      files: { '.gitignore': 'keys\n' },
      projectConfig: { share: ['keys'], gates: [{ name: 'leak', run: '! test -e keys/id_rsa' }] },
    });
    factory.write('../home/.ssh/id_rsa', 'TOPSECRET\n');
    symlinkSync(join(factory.folder, 'home/.ssh'), join(factory.repo, 'keys'));
    const { status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(factory.transitions()[0]?.['status_reason']).not.toContain('red');
    expect(readFileSync(join(factory.folder, 'home/.ssh/id_rsa'), 'utf8')).toBe('TOPSECRET\n');
  });

  test('that git tracks halts the line, because it would stand in front of the change', async () => {
    const factory = await aFactory({
      projectConfig: { share: ['docs'], gates: [{ name: 'no', run: `! test -f ${PATH}` }] },
    });
    const { status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
    expect(factory.paper('ERIK_HALT.md')).toContain('tracked in git');
    expect(factory.read('docs/auth_v1.md')).toBe(AUTH_V1);
    expect(factory.merges()).toEqual([]);
  });

  test('without a cage is shown, and what it holds is neither deleted nor moved', async () => {
    const factory = await aFactory({
      files: { '.gitignore': 'modules\n' },
      projectConfig: { share: ['modules'], gates: [{ name: 'there', run: 'test -f modules/thesis.txt' }] },
    });
    factory.write('modules/thesis.txt', 'precious\n');
    const { status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(factory.transitions()[0]?.['status_reason']).not.toContain('red');
    expect(factory.read('modules/thesis.txt')).toBe('precious\n');
  });

  test('without a cage never leads to a deletion behind a link that git tracks', async () => {
    const factory = await aFactory({
      projectConfig: { share: ['modules/cache'], gates: [{ name: 'ok', run: 'true' }] },
    });
    const victim = join(factory.folder, 'victim');
    mkdirSync(victim);
    symlinkSync('thesis.txt', join(victim, 'cache'));
    symlinkSync(victim, join(factory.repo, 'modules'));
    factory.git('add', 'modules');
    factory.git('commit', '--quiet', '--message=A link');
    rmSync(join(factory.repo, 'modules'));
    factory.write('modules/cache/x', '');
    await factory.run(aContract());
    expect(readlinkSync(join(victim, 'cache'))).toBe('thesis.txt');
    expect(readdirSync(victim)).toEqual(['cache']);
  });
});

describe('while andon merges', () => {
  test('somebody switches to another branch while git is locked: that branch stays where it is', async () => {
    const factory = await aFactory({ scenario: { judge: [SLOW] } });
    factory.git('branch', 'feature');
    const before = factory.git('rev-parse', 'feature');
    const dog = await factory.begin(aContract(), 'judging');
    factory.write('.git/index.lock', '');
    factory.signal.give('go');
    await dog.until(() => factory.git('for-each-ref', mergePin('DOC-001')) !== ''); // the last thing before the lock is seen
    factory.git('symbolic-ref', 'HEAD', 'refs/heads/feature');
    rmSync(join(factory.repo, '.git/index.lock'));
    const status = await factory.end(dog);
    expect(factory.git('rev-parse', 'feature')).toBe(before);
    expect(factory.merges()).toHaveLength(status === 'merged' ? 1 : 0);
    expect(factory.read('README.md')).toBe('# Project A\n');
  });

  test('somebody switches to another branch in the very moment: that branch stays where it is', async () => {
    const factory = await aFactory();
    factory.git('branch', 'feature');
    const before = factory.git('rev-parse', 'feature');
    beforeTheMerge(factory, 'GIT symbolic-ref HEAD refs/heads/feature');
    await factory.run(aContract());
    expect(factory.git('rev-parse', 'feature')).toBe(before);
  });

  test('somebody resets the branch in the very moment: what was dropped does not come back, and the change is built again', async () => {
    const factory = await aFactory();
    factory.write('dropped.txt', 'A thing of yesterday.\n');
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message', 'A thing of yesterday');
    const dropped = factory.git('rev-parse', 'HEAD');
    beforeTheMerge(factory, 'test -f "$HOME/once" || { touch "$HOME/once"; GIT reset --quiet --hard HEAD~1; }');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.has('../home/once')).toBe(true);
    expect(factory.git('rev-list', 'main').split('\n')).not.toContain(dropped);
    expect(factory.has('dropped.txt')).toBe(false);
    expect(factory.merges()).toHaveLength(1);
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('an edit of yours stands in the way: git is not even begun, so that nothing of the change can stay if it dies', async () => {
    const factory = await aFactory({ scenario: { judge: [SLOW] } });
    beforeTheMerge(factory, 'touch "$HOME/begun"');
    const dog = await factory.begin(aContract(), 'judging');
    factory.write(PATH, 'In the way.\n');
    factory.signal.give('go');
    await dog.until(() => factory.has('_handoff/ERIK_HALT.md'));
    expect(factory.has('../home/begun')).toBe(false);
    expect(factory.read(PATH)).toBe('In the way.\n');
    await dog.stop();
  });

  test('somebody abandons the task: when the merge has landed that is refused, and the task is merged', async () => {
    const factory = await aFactory();
    beforeTheMerge(factory, 'touch "$HOME/at"; until test -f "$HOME/go"; do sleep 0.05; done');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.has('../home/at'));
    const abandoning = factory.start(['abandon', 'DOC-001']);
    await dog.until(() => readdirSync(join(stateOf(factory), 'requests')).some((name) => name.endsWith('.ask.json')));
    // Every look makes this folder, and waits for its turn while the request is in hand: then it stays away.
    await dog.until(async () => {
      rmSync(join(factory.handoff, 'queue'), { recursive: true, force: true });
      await sleep(2500); // twice as long as it takes until somebody looks again
      return !factory.has('_handoff/queue');
    });
    factory.write('../home/go', '');
    const { code, stderr } = await abandoning.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('has been merged already') });
    expect(await factory.end(dog)).toBe('merged');
    expect((await factory.show('DOC-001')).status).toBe('merged');
    expect(factory.merges()).toHaveLength(1);
  });

  test('a file of the change that was only touched does not stand in the way', async () => {
    const factory = await aFactory({
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/auth_v1.md': `${AUTH_V1}One line more.\n` })] },
    });
    utimesSync(join(factory.repo, 'docs/auth_v1.md'), new Date(), new Date(Date.now() - 5_000_000));
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/auth_v1.md')).toContain('One line more.');
  });

  test.each(['none', 'one'])('and git refuses, ORIG_HEAD is as before (there was %s)', async (was) => {
    const factory = await aFactory();
    factory.git('commit', '--quiet', '--allow-empty', '--message=Second');
    if (was === 'one') factory.git('update-ref', 'ORIG_HEAD', 'main^');
    const before = origHeadOf(factory);
    factory.write(PATH, 'my own unfinished version\n');
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    expect(origHeadOf(factory)).toBe(before);
  });

  test('merge.autostash in the git configuration never stashes local edits', async () => {
    const factory = await aFactory();
    factory.git('config', 'merge.autostash', 'true');
    factory.write('README.md', '# Project A\n\nmine\n');
    factory.write('staged.txt', 'staged\n');
    factory.git('add', 'staged.txt');
    const at = (): number => statSync(join(factory.repo, 'README.md')).ino;
    const [before, status] = [at(), factory.git('status', '--porcelain')];
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(at()).toBe(before);
    expect(factory.git('status', '--porcelain')).toBe(status);
    expect(factory.git('stash', 'list')).toBe('');
    expect(factory.git('fsck', '--unreachable', '--no-reflogs')).not.toContain('commit');
  });
});

/** The commit that ORIG_HEAD names; empty when there is none. */
function origHeadOf(factory: Factory): string {
  const file = join(factory.repo, '.git/ORIG_HEAD');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

describe('the daemon', () => {
  test('lives exactly once after six starts at the moment in which its forerunner was killed', async () => {
    const factory = await aFactory({ apart: true });
    for (let round = 0; round < 3; round += 1) {
      const dog = round === 0 ? await factory.watch() : undefined;
      if (dog === undefined)
        for (const { pid, command } of factory.processes())
          if (command.includes('main.js')) process.kill(pid, 'SIGKILL');
      await dog?.kill9();
      const started = Array.from({ length: 6 }, () => factory.start(['watch']));
      let over = 0;
      for (const { ended } of started) void ended.then(({ code }) => (over += code === 1 ? 1 : 100));
      await eventually(() => over === 5, 'five daemons give up with exit code 1');
      await eventually(
        () => started.filter(({ output }) => output().includes('watches')).length === 1,
        'exactly one says that it watches',
      );
      await sleep(300);
      expect(over).toBe(5);
    }
  });

  test('goes on while somebody keeps deleting _handoff', async () => {
    const factory = await aFactory({ apart: true });
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.calls('implementer').length > 0);
    for (let time = 0; time < 150; time += 1) {
      try {
        rmSync(factory.handoff, { recursive: true, force: true });
      } catch {
        // andon was just writing into it
      }
      await sleep(10);
    }
    await dog.until(async () => ['merged', 'erik_consultation'].includes((await factory.show('DOC-001')).status));
    expect((await factory.status()).watchdog?.pid).toBe(dog.pid);
    expect((await factory.show('DOC-001')).status).toBe('merged');
    factory.drop(aContract({ task_id: 'DOC-003' }));
    await dog.until(() => factory.paper('TASK_CONTRACT.json')?.includes('DOC-003') ?? factory.isMerged('DOC-003'));
  });

  test('that is killed and started again leaves the judge of andon agents judge at work', async () => {
    const factory = await aFactory({ apart: true, projectConfig: { judge: 'external' }, scenario: { judge: [SLOW] } });
    const dog = await factory.watch();
    const judge = factory.start(['judge']);
    factory.drop(aContract());
    await dog.until(() => factory.signal.has('judging'));
    await dog.kill9();
    const next = await factory.watch();
    await sleep(300);
    factory.signal.give('go');
    expect((await judge.ended).stdout).toContain('report written');
    expect(await factory.end(next)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
  });
});

describe('a gate', () => {
  test.skipIf(NO_CAGE !== '')(`in the cage has a TMPDIR that is there${NO_CAGE}`, async () => {
    const factory = await aFactory({
      cage: 'bubblewrap',
      projectConfig: { gates: [{ name: 'tmp', run: `f=$(mktemp) && test -f "$f" && test -d "$TMPDIR"` }] },
    });
    factory.env['TMPDIR'] = '/tmp/nowhere';
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.transitions()[0]?.['status_reason']).not.toContain('red');
  });
});

describe('a command', () => {
  test.each(['show DOC-001', 'list', 'logs', 'diff DOC-001', 'show DOC-001 --prompt'])(
    '(%s) prints no stack when its reader has left',
    async (command) => {
      const factory = await aFactory();
      const { dog } = await factory.run(aContract());
      await dog.stop();
      const { child, ended } = factory.start(command.split(' '));
      child.stdout?.destroy();
      const { stderr } = await ended;
      expect(stderr).toBe('');
    },
  );

  test.each([
    ['at its head', 0],
    ['further on', 4096],
  ])('says that the journal is damaged, and what to do, when it was garbled %s', async (_, from) => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const journal = join(stateOf(factory), 'journal.sqlite');
    const bytes = readFileSync(journal);
    expect(bytes.length).toBeGreaterThan(from + 3000);
    for (let at = from; at < Math.max(from + 3000, from === 0 ? 0 : bytes.length); at += 1)
      bytes[at] = (at * 7919) % 251;
    writeFileSync(journal, bytes);
    for (const tail of ['-wal', '-shm']) rmSync(`${journal}${tail}`, { force: true });
    for (const args of [['status'], ['list'], ['show', 'DOC-001'], ['watch']]) {
      const { code, stderr } = await factory.andon(...args);
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: expect.stringContaining('journal') });
      expect(stderr).toContain('backup');
      expect(stderr).not.toContain('bug in andon');
    }
    expect(readFileSync(journal).equals(bytes)).toBe(true);
    expect(lstatSync(journal).isFile()).toBe(true);
  });
});
