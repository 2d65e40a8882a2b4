import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createToolFinder, fitsVersion } from '../../../../src/sandbox/cage/tool-finder.ts';
import { aFolder } from '../processes/a-runner.ts';

/** What is found for a file of a repository, in a home folder with these programs. */
function find(file: string, text: string, programs: readonly string[], env: Record<string, string> = {}) {
  const home = aFolder();
  for (const program of programs) {
    mkdirSync(dirname(join(home, program)), { recursive: true });
    writeFileSync(join(home, program), '#!/bin/sh\n', { mode: 0o755 });
  }
  const found = createToolFinder(home, env).find(new Map([[file, Buffer.from(text)]]));
  return found.map(({ folder, ...tool }) => ({ ...tool, folder: folder?.slice(home.length + 1) }));
}

describe('the tools that a repository asks for', () => {
  it.each([
    ['.nvmrc', 'v18\n', '.nvm/versions/node/v18.20.4/bin'],
    ['.nvmrc', '# comment\nlts/hydrogen', '.nvm/versions/node/v18.20.4/bin'],
    ['.node-version', '18.20\n', '.local/share/fnm/node-versions/v18.20.4/installation/bin'],
    ['package.json', '{"volta": {"node": "18.20.4"}}', '.volta/tools/image/node/18.20.4/bin'],
    [
      'mise.toml',
      '[env]\nnode = "1"\n\n[tools]\npython = "3"\nnode = "18"\n',
      '.local/share/mise/installs/node/18.20.4/bin',
    ],
    ['mise.toml', '[tools]\nnode = { version = "18" }\n', '.local/share/mise/installs/node/18.20.4/bin'],
    ['.tool-versions', 'ruby 3.3.0\nnodejs 18.20.4\n', '.asdf/installs/nodejs/18.20.4/bin'],
  ])('are in the newest fitting installation, by %s (%j)', (file, text, place) => {
    const versions = ['18.3.0', '18.20.4', '20.1.0'].map((version) => `${place.replace('18.20.4', version)}/node`);
    const [node] = find(file, text, versions);
    expect(node).toMatchObject({ name: 'node', source: file, installed: '18.20.4', folder: place });
  });

  it('include Python, also one that uv installed', () => {
    const place = '.local/share/uv/python/cpython-3.12.4-linux-x86_64-gnu/bin';
    expect(find('.python-version', '3.12\n', [`${place}/python`])).toEqual([
      { name: 'python', version: '3.12', source: '.python-version', installed: '3.12.4', manager: 'uv', folder: place },
    ]);
  });

  it('have no folder where no fitting version is installed', () => {
    expect(find('.nvmrc', '16', ['.nvm/versions/node/v18.20.4/bin/node'])).toEqual([
      { name: 'node', version: '16', source: '.nvmrc', manager: 'nvm', folder: undefined },
    ]);
  });

  it.each(['system', '', '$(touch x)', `v${'1'.repeat(100)}`])('do not exist for the text %j', (text) => {
    expect(find('.nvmrc', text, [])).toEqual([]);
  });

  it.each([
    ['22.1.0', '22', true],
    ['22.1.0', 'v22.1.0', true],
    ['22.1.0', '22.x', true],
    ['22.1.0', '2', false],
    ['22.1.0', '22.10', false],
    ['22.1.0', 'lts/jod', true],
    ['22.1.0', 'lts/*', true],
    ['21.1.0', 'lts/*', false],
    ['21.1.0', 'node', true],
    ['22.1.0', '>=20', false],
    ['22.1.0', 'toString', false],
  ])('accept version %s for %j: %s', (version, wanted, fits) => {
    expect(fitsVersion(version.split('.').map(Number), wanted)).toBe(fits);
  });
});
