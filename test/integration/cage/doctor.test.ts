import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noCage } from '../../../src/adapters/cage/no-cage.ts';
import { examineCage } from '../../../src/floor/examine/cage.ts';
import type { Place } from '../../../src/floor/open-floor.ts';
import type { World } from '../../../src/floor/world.ts';
import { aFolder, aRunner } from '../processes/a-runner.ts';

describe('what andon doctor says of the cage', () => {
  it('is red, and names everything that gets out, when a cage does not hold what it promises', async () => {
    const folder = aFolder();
    const at = (name: string): string => join(folder, name);
    for (const name of ['checkout/.git', 'state', 'home', 'tree']) mkdirSync(at(name), { recursive: true });
    writeFileSync(at('checkout/.git/HEAD'), 'ref: refs/heads/main\n');
    const environment = { PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'key' };
    const world = {
      cage: { ...noCage(aRunner().run, environment), name: 'sandbox-runtime' },
      settings: { cage: { read: [] } },
      folders: { empty: () => at('tree'), tidy: () => {} },
    } as unknown as World;
    const place = { facts: { root: at('checkout') }, state: at('state'), userConfig: '' } as unknown as Place;
    const { state, detail, remedy } = await examineCage(world, place, { HOME: at('home') });
    expect([state, remedy]).toEqual(['fail', 'do not run unattended here; update sandbox-runtime']);
    for (const name of ['checkout', 'state', 'home']) {
      expect(detail).toContain(`wrote ${at(name)}/.andon-cage-probe`);
      expect(existsSync(at(`${name}/.andon-cage-probe`))).toBe(false);
    }
    for (const leak of ['reads the checkout', 'sees processes outside', 'sees the key']) expect(detail).toContain(leak);
  });
});
