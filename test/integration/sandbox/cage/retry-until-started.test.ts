import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CagedCommand } from '../../../../src/sandbox/cage.ts';
import { SETUP_IS_REFUSED } from '../../../support/setup-network.ts';
import { aFolder } from '../processes/a-runner.ts';
import { ENVIRONMENT } from './attacks.ts';
import { cageDrivers, WORLD } from './cage-drivers.ts';

const realBwrap = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'bwrap'))
  .find((file) => existsSync(file));

for (const { name, make, why } of cageDrivers) {
  const tags = name === 'bubblewrap' ? [] : 'thorough';
  describe(`a cage of ${name} on a machine that changes meanwhile`, { tags }, () => {
    const caged = it.skipIf(why !== undefined);

    /** A machine on which `script` happens whenever bwrap is about to begin, and a cage around a tree of it. */
    function aMachine(script: string) {
      const folder = aFolder();
      const at = (path: string): string => join(folder, path);
      for (const path of ['home', 'tree', 'bin', 'read/service']) mkdirSync(at(path), { recursive: true });
      const note = 'case "$*" in *its.sock*) echo covers ;; *) echo begun ;; esac >> begun';
      writeFileSync(at('bin/bwrap'), `#!/bin/sh\ncd ${folder} && ${note}\n${script}\nexec ${realBwrap} "$@"\n`);
      chmodSync(at('bin/bwrap'), 0o755);
      const environment = { ...ENVIRONMENT, PATH: `${at('bin')}:${ENVIRONMENT.PATH}` };
      const cage = make({ ...WORLD, home: at('home'), environment, read: [at('read')] });
      const run = (command: string, more: Partial<CagedCommand> = {}) =>
        cage.run({
          run: command,
          tree: at('tree'),
          network: false,
          share: [],
          timeoutMs: 20_000,
          signal: new AbortController().signal,
          ...more,
        });
      /** Every bwrap that began, in order, and whether it was told to cover the socket. */
      const begun = (): readonly string[] => readFileSync(at('begun'), 'utf8').trimEnd().split('\n');
      return { at, cage, run, begun };
    }

    async function listensAt(place: string): Promise<void> {
      const server = createServer();
      await new Promise<void>((done) => server.listen(place, done));
      onTestFinished(() => void server.close());
    }

    caged('runs the command when a socket that it was about to cover is gone with its folder', async () => {
      for (const more of [
        {},
        ...(SETUP_IS_REFUSED ? [] : [{ network: true }]),
        ...(name === 'bubblewrap' ? [{ discards: true }] : []),
      ]) {
        const { at, run, begun } = aMachine('rm -rf read/service');
        await listensAt(at('read/service/its.sock'));
        expect(await run('echo ran; exit 3', more)).toMatchObject({ ended: 'exited', exit: 3, output: 'ran\n' });
        // The first alone is told to cover it; a machine that is short of something else for a moment begins one more.
        const [first, next, ...others] = begun();
        expect([first, next, others.includes('covers')]).toEqual(['covers', 'begun', false]);
      }
    });

    caged('says that the command was not started where no cage can be built, however often it is tried', async () => {
      const { at, run, begun } = aMachine('set -- --ro-bind /nowhere/at-all /nowhere "$@"');
      const result = await run('echo ran > ran');
      expect(result).toMatchObject({ ended: 'not started', exit: null });
      expect(result.output).toMatch(/cage.*: bwrap: .*\/nowhere\/at-all/);
      expect([existsSync(at('tree/ran')), begun().length]).toEqual([false, 5]);
    });

    caged('takes no command for one that was not started because it says so itself', async () => {
      const { run, begun } = aMachine('');
      expect(
        await run(`echo "bwrap: Can't mkdir parents for /opt/x: Read-only file system" >&2; exit 1`),
      ).toMatchObject({
        ended: 'exited',
        exit: 1,
      });
      expect(begun()).toEqual(['begun']);
    });

    caged('runs no command twice, however its cage is taken down', async () => {
      const { at, run, begun } = aMachine(
        '{ until test -e tree/ran; do sleep 0.05; done; kill -9 $$; } > /dev/null 2>&1 &',
      );
      const result = await run('echo ran >> ran; sleep 20', { timeoutMs: 60_000 });
      expect(result.ended).toBe('not started');
      expect([readFileSync(at('tree/ran'), 'utf8'), begun().length]).toEqual(['ran\n', 1]);
    });

    caged('is there although such a socket went while it was asked', async () => {
      const { at, cage } = aMachine('rm -rf read/service');
      await listensAt(at('read/service/its.sock'));
      expect(await cage.unavailable()).toBeUndefined();
    });
  });
}

it.skipIf(process.getuid?.() !== 0)('no cage covers a secret folder that is gone since it was found', async () => {
  const folder = mkdtempSync('/etc/andon-test-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  vi.resetModules();
  const { findSystemSecrets: secretsOfSystem } = await import('../../../../src/sandbox/cage/system-secrets.ts');
  const before = secretsOfSystem().folders.includes(folder);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'a file has its name now');
  expect([before, secretsOfSystem().folders.includes(folder)]).toEqual([true, false]);
});
