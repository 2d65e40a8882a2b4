/** @module-tag thorough */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { aFactory } from '../support/factory.ts';

const CONFIG = '.andon/config.yaml';

/** A project, and stand-ins for programs of this machine by name, first on PATH. */
async function aProject(files: Record<string, string>, programs: Record<string, string>) {
  const factory = await aFactory({ files });
  const bin = join(factory.folder, 'home/bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  factory.env['PATH'] = [bin, factory.env['PATH']].join(delimiter);
  /** What `andon init` writes: it runs every gate that it finds. */
  const init = async () => {
    rmSync(join(factory.repo, CONFIG), { force: true });
    const { stdout } = await factory.andon('init', '--yes');
    const { gates = [], setup } = parse(factory.read(CONFIG)) as { gates?: { name: string }[]; setup?: string[] };
    return { stdout, setup, gates: gates.map(({ name }) => name) };
  };
  const change = (path: string, text: string): void => {
    factory.write(path, text);
    factory.git('commit', '--all', '--quiet', '--message=Change');
  };
  return { factory, init, change };
}

describe('the gates that andon init finds in a prepared project', () => {
  test.each(['uv', 'poetry'])(
    'test the sources of their own tree, although %s installs those of the base in place',
    async (program) => {
      const { init, change } = await aProject(
        {
          'pyproject.toml': '[project]\nname = "shop"\n',
          [`${program}.lock`]: '',
          'src/shop/__init__.py': 'PRICE = 1\n',
          'tests/test_shop.py':
            'import unittest, shop\nclass T(unittest.TestCase):\n  def test_price(self): self.assertEqual(shop.PRICE, 1)\n',
        },
        {
          [program]: `python3 -m venv --without-pip .venv || exit 1
for folder in .venv/lib/python*/site-packages; do echo "$PWD/src" > "$folder/shop.pth"; done`,
        },
      );
      expect(await init()).toMatchObject({ gates: ['unittest'], setup: [expect.stringContaining(`${program} `)] });
      change('src/shop/__init__.py', 'PRICE = 2\n');
      const { gates, stdout } = await init();
      expect(gates).toEqual([]);
      expect(stdout).toContain('is left out: red on the base');
    },
  );

  test('let tools write their caches into packages that setup installed', async () => {
    const { init } = await aProject(
      { 'package.json': JSON.stringify({ scripts: { test: 'mocha' } }), 'package-lock.json': '{}' },
      { npm: 'case $1 in ci) mkdir node_modules ;; *) mkdir node_modules/.cache/nyc ;; esac' },
    );
    expect(await init()).toMatchObject({ gates: ['test'], setup: ['npm ci'] });
  });

  test('let tools write their caches into packages that you installed', async () => {
    const { factory, init } = await aProject(
      { 'package.json': JSON.stringify({ scripts: { test: 'node test.js' } }), '.gitignore': 'node_modules\n' },
      { npm: 'mkdir node_modules/.cache/nyc' },
    );
    mkdirSync(join(factory.repo, 'node_modules'));
    expect(await init()).toMatchObject({ gates: ['test'] });
  });

  test('give go a build cache that setup filled and that it can write', async () => {
    const { init } = await aProject(
      { 'go.mod': 'module shop\n', 'go.sum': '' },
      {
        go: `case "$1 $2" in
'mod vendor') mkdir vendor ;;
'test -run') mkdir -p "$GOCACHE" && echo compiled > "$GOCACHE/a" ;;
*) test "$(cat "$GOCACHE/a")" = compiled && echo more > "$GOCACHE/b" && test -d vendor ;;
esac`,
      },
    );
    expect(await init()).toMatchObject({ gates: ['go vet', 'go test'] });
  });

  test('give cargo the packages that setup fetched', async () => {
    const { init } = await aProject(
      { 'Cargo.toml': '', 'Cargo.lock': '' },
      {
        cargo: `case "$1" in
fetch) mkdir -p "$CARGO_HOME/registry" ;;
*) test -d "$CARGO_HOME/registry" ;;
esac`,
        'cargo-clippy': '',
      },
    );
    expect(await init()).toMatchObject({ gates: ['cargo clippy', 'cargo test'] });
  });

  test('see the changed package of a workspace, not the one that setup linked', async () => {
    const { init, change } = await aProject(
      {
        'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
        'package-lock.json': '{}',
        '.gitignore': 'node_modules\n',
        'packages/a/package.json': JSON.stringify({ name: 'a' }),
        'packages/a/index.js': 'module.exports = 1;\n',
        'packages/b/package.json': JSON.stringify({ name: 'b', scripts: { test: 'node test.js' } }),
        'packages/b/test.js': "process.exit(require('a') === 1 ? 0 : 1);\n",
      },
      {
        npm: `case "$1" in
ci) mkdir node_modules && ln -s ../packages/a node_modules/a ;;
*) cd packages/b && node test.js ;;
esac`,
      },
    );
    expect(await init()).toMatchObject({ gates: ['test'] });
    change('packages/a/index.js', 'module.exports = 2;\n');
    expect(await init()).toMatchObject({ gates: [] });
  });
});
