import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareShare } from '../../../src/line/gates/prepare-share.ts';
import { openLineServices } from '../../../src/line/services/configuration.ts';
import { openServices } from '../../../src/line/services/open-services.ts';
import { createRepository } from '../../../src/project/git/create-repository.ts';
import { loadWorkspace } from '../../../src/project/workspace/load-workspace.ts';

test('`setup` runs once for two runs of gates that need the same tree at the same time', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-share-')));
  const [root, config, ran] = ['project', 'config/andon', 'ran'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const setup = `echo x >> ${ran}; mkdir node_modules && sleep 0.5 && touch node_modules/a node_modules/b`;
  await createRepository(
    root,
    new Map([
      ['.gitignore', 'node_modules/\n'],
      ['.andon/config.yaml', `setup: [${JSON.stringify(setup)}]\nshare: [node_modules]\n`],
    ]),
  );
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yaml'), 'cage: none\n');
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') };
  const opened = await openServices(await loadWorkspace(root, env), env, () => {});
  const [services, journal] = [openLineServices(opened.services), opened.journal];
  onTestFinished(() => {
    journal.close();
    rmSync(folder, { recursive: true });
  });
  const base = (await services.repository.resolve('HEAD')) ?? '';
  const prepare = () => prepareShare(services, { taskId: 'A', base, gates: [] }, new AbortController().signal);
  for (const shared of await Promise.all([prepare(), prepare()])) {
    expect(shared).toMatchObject({ ok: true, value: [[expect.any(String), 'node_modules']] });
    if (shared.ok) expect(readdirSync(shared.value[0]?.[0] ?? '')).toEqual(expect.arrayContaining(['a', 'b']));
  }
  expect(readFileSync(ran, 'utf8')).toBe('x\n');
});
