import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNoCage } from '../../../../src/sandbox/cage/cage.ts';
import { examineCage } from '../../../../src/app/setup/doctor/examine-cage.ts';
import type { Workspace } from '../../../../src/project/workspace/load-workspace.ts';
import type { Services } from '../../../../src/line/services/services.ts';
import { aFolder, aRunner } from '../processes/a-runner.ts';

describe('what andon doctor says of the cage', () => {
  it('is red, and names everything that gets out, when a cage does not hold what it promises', async () => {
    const folder = aFolder();
    const at = (name: string): string => join(folder, name);
    for (const name of ['checkout/.git', 'state', 'home', 'tree']) mkdirSync(at(name), { recursive: true });
    writeFileSync(at('checkout/.git/HEAD'), 'ref: refs/heads/main\n');
    const environment = { PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'key' };
    const services = {
      cage: { ...createNoCage(aRunner().run, { environment }), name: 'sandbox-runtime' },
      settings: { cage: { read: [] }, setup: ['true'] },
      folders: { empty: () => at('tree'), tidy: () => {} },
    } as unknown as Services;
    const place = { facts: { root: at('checkout') }, state: at('state'), userConfig: '' } as unknown as Workspace;
    const { state, detail, remedy } = await examineCage(services, place, { HOME: at('home') });
    expect([state, remedy]).toEqual([
      'fail',
      'do not run unattended here; update it: `npm install -g @anthropic-ai/sandbox-runtime@latest`',
    ]);
    for (const name of ['checkout', 'state', 'home']) {
      expect(detail).toContain(`wrote ${at(name)}/.andon-cage-probe`);
      expect(existsSync(at(`${name}/.andon-cage-probe`))).toBe(false);
    }
    const doors = ['a server on this machine', 'a Unix socket of this machine', 'an abstract socket of this machine'];
    const leaks = [...doors.map((what) => `a gate reaches ${what}`), ...doors.map((what) => `setup reaches ${what}`)];
    for (const leak of ['reads the checkout', 'sees processes outside', 'sees the key', ...leaks])
      expect(detail).toContain(leak);
    if (process.getuid?.() === 0)
      expect(detail).toMatch(
        /writes \d+ settings of the kernel.*makes namespaces of its own|makes namespaces of its own.*writes \d+ settings/,
      );
  });

  it('warns where setup has the network of the machine, with what to install; not where there is no setup', async () => {
    const ran = { exit: 0, ms: 1, ended: 'exited' } as const;
    const cage = {
      name: 'bubblewrap',
      unavailable: () => Promise.resolve(undefined),
      sharesNetwork: () => 'pasta is not installed: install it',
      run: ({ run }: { run: string }) =>
        Promise.resolve({ ...ran, output: run.includes('door: ') ? 'door: done\n' : '' }),
    };
    const examine = (setup: readonly string[]) => {
      const folders = { empty: () => aFolder(), tidy: () => {} };
      const services = { cage, settings: { cage: { read: [] }, setup }, folders } as unknown as Services;
      const place = { facts: { root: aFolder() }, state: aFolder(), userConfig: '' } as unknown as Workspace;
      return examineCage(services, place, { HOME: aFolder() });
    };
    const warned = await examine(['npm ci']);
    expect([warned.state, warned.remedy]).toEqual(['warn', expect.stringContaining('apt-get install passt')]);
    expect(warned.detail).toContain('`setup` has the network of this machine');
    expect((await examine([])).state).toBe('ok');
  });
});
