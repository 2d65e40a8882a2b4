/** @module-tag thorough */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PLACES, caughtAt, expectMergedOnce, goOn } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory, type Watchdog } from '../support/factory.ts';
import { FINAL, createReply, writes } from '../support/scenario.ts';

/** Waits until nothing else runs; who was killed may take a moment to be gone, and nobody here would go by himself. */
const expectOnly = (factory: Factory, ...pids: readonly number[]): Promise<void> =>
  eventually(() => factory.processes().every(({ pid }) => pids.includes(pid)), 'nothing else runs');

describe('Ctrl-C', () => {
  test.each(PLACES)('at %s ends daemon and children within seconds, and a restart finishes', async (place, options) => {
    const factory = await aFactory(options);
    const dog = await caughtAt(place, factory);
    const { code, ms } = await dog.stop('SIGINT');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(15_000);
    await expectOnly(factory);
    const again = await factory.watch();
    goOn(factory);
    await expectMergedOnce(factory, again);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'sent as %s does the same, to an agent that is deaf and has children',
    async (signal) => {
      const nasty = { does: ['ignore-term', 'ignore-int', 'grandchild', { touch: 'at' }, { 'wait-for': 'go' }] };
      const factory = await aFactory({ scenario: { implementer: [writes({ 'docs/auth_final.md': FINAL }, nasty)] } });
      const dog = await caughtAt('pending_implementer', factory);
      const { code, ms } = await dog.stop(signal);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(15_000);
      await expectOnly(factory);
    },
  );

  describe('twice', () => {
    const deaf = { does: ['ignore-term', 'ignore-int', { touch: 'at' }, { 'wait-for': 'go' }] };
    const scenario = { implementer: [writes({ 'docs/auth_final.md': FINAL }, deaf)] };

    test('within a moment is the same request, as when a group is ended and npm or the bootstrap passes it on', async () => {
      const factory = await aFactory({ scenario });
      const dog = await caughtAt('pending_implementer', factory);
      for (let times = 0; times < 3; times += 1) dog.send('SIGTERM');
      expect(await dog.stop('SIGTERM')).toMatchObject({ code: 0 });
      await expectOnly(factory);
    });

    test('is a hard end: nothing is waited for, and nothing runs on', async () => {
      const factory = await aFactory({ apart: true, scenario });
      const dog = await caughtAt('pending_implementer', factory);
      process.kill(dog.pid, 'SIGTERM');
      await sleep(600);
      expect(await dog.stop('SIGTERM')).toMatchObject({ code: 130 });
      await expectOnly(factory);
    });
  });

  test('on an idle line ends at once', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    expect(await dog.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' });
    expect((await factory.status()).watchdog).toBeNull();
  });
});

describe('one daemon per repository', () => {
  test('a second one ends with exit code 1 and names the holder, whichever way it came in', async () => {
    const factory = await aFactory({ apart: true });
    const dog = await factory.watch();
    symlinkSync(factory.repo, join(factory.folder, 'link'));
    factory.git('worktree', 'add', '--quiet', '-b', 'side', join(factory.folder, 'side'));
    for (const place of [
      factory.repo,
      join(factory.repo, 'docs'),
      join(factory.folder, 'link'),
      join(factory.folder, 'side'),
    ]) {
      const second = await factory.andonIn(place, 'watch');
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(`pid ${dog.pid}`);
    }
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
  });

  test('of six that start at once exactly one works', async () => {
    const factory = await aFactory();
    const started = Array.from({ length: 6 }, () => factory.start(['watch']));
    let over = 0;
    for (const { ended } of started) void ended.then(({ code }) => (over += code === 1 ? 1 : 100));
    await eventually(() => over === 5, 'five daemons give up with exit code 1');
    const working = () => started.filter(({ output }) => output().includes('watches'));
    await eventually(() => working().length > 0, 'the sixth watches');
    expect(working()).toHaveLength(1);
  });

  test('a new one takes over from one that died', async () => {
    const factory = await aFactory({ apart: true });
    await (await factory.watch()).kill9();
    const dog = await factory.watch();
    expect(dog.output()).toContain('took over');
  });
});

describe('a human at a halt', () => {
  const halted = async (): Promise<{ factory: Factory; dog: Watchdog; id: string }> => {
    const factory = await aFactory();
    const { dog, status } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    expect(status).toBe('erik_consultation');
    return { factory, dog, id: (await factory.show('DOC-001')).halt?.id ?? '' };
  };

  test.each([true, false])(
    'cannot make an outdated or a double choice, daemon or not, and nothing moves (daemon: %s)',
    async (running) => {
      const { factory, dog, id } = await halted();
      if (!running) await dog.stop();
      const papers = (): unknown =>
        ['ERIK_HALT.md', 'TASK_CONTRACT.json.lock', 'TASK_CONTRACT.json', 'transition.ndjson'].map((name) =>
          factory.paper(name),
        );
      const before = papers();
      const outdated = await factory.andon('resume', 'DOC-001', '--path', '1', '--halt', 'DOC-001-1000');
      expect(outdated.code).toBe(2);
      expect(outdated.stderr).toContain(id);
      const wrong = await factory.andon('resume', 'DOC-001', '--path', '3');
      expect(wrong.code).toBe(2);
      const side = await factory.andon('resume', 'DOC-001', '--decision', 'claude');
      expect(side).toMatchObject({ code: 2, stderr: expect.stringContaining('do not disagree at this halt') });
      expect(papers()).toEqual(before);
      expect((await factory.andon('resume', 'DOC-001', '--path', '1', '--halt', id)).code).toBe(0);
      const second = await factory.andon('resume', 'DOC-001', '--path', '2', '--halt', id);
      expect(second.code).toBe(2);
    },
  );
});

describe('abandon in mid-run', () => {
  const busy = {
    scenario: {
      implementer: [createReply('', { does: ['ignore-term', 'grandchild', { touch: 'at' }, { 'wait-for': 'go' }] })],
    },
  };

  test('ends the agent and everything it started', async () => {
    const factory = await aFactory({ apart: true, ...busy });
    const dog = await caughtAt('pending_implementer', factory);
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    await expectOnly(factory, dog.pid);
    expect((await factory.show('DOC-001')).status).toBe('abandoned');
  });

  test('also ends what a dead daemon left running', async () => {
    const factory = await aFactory({ apart: true, ...busy });
    const dog = await caughtAt('pending_implementer', factory);
    await dog.kill9();
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    await expectOnly(factory);
    expect(await factory.show('DOC-001')).toMatchObject({ status: 'abandoned', working: null });
  });
});
