/** @module-tag thorough */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aFactory, type Factory, type Options } from '../support/factory.ts';
import { NO_CAGE } from '../support/no-cage.ts';

/** A program that prints a version, as `node --version` does. */
function putProgram(file: string, version: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
}

const putNode = ({ folder }: Factory, place: string, version: string): void =>
  putProgram(join(folder, 'home', place, 'node'), version);

/** The lines of doctor about the tools and the gate `shows`, which is red so that its last line is shown. */
async function examine(factory: Factory): Promise<readonly string[]> {
  const { stdout } = await factory.andon('doctor', '--json');
  const { checks } = JSON.parse(stdout) as {
    checks: { name: string; state: string; detail: string; remedy?: string }[];
  };
  return checks
    .filter(({ name }) => / of gates$|^gate/.test(name))
    .map(({ state, name, detail, remedy = '' }) =>
      [state, name, detail, name.startsWith('gate') ? '' : remedy].filter((part) => part !== '').join(' '),
    );
}

const shows = (run: string, more: object = {}): Options => ({
  projectConfig: { gates: [{ name: 'shows', run: `${run}; false` }], ...more },
});
const gateShows = (text: string): string => `warn gate shows red on the base (exit 1): ${text}`;

describe('the tools of gates', () => {
  test("use the user's PATH where the wanted version is not installed, and doctor says how to install it", async () => {
    const factory = await aFactory({ ...shows('node --version'), files: { '.nvmrc': '16\n' } });
    putNode(factory, '.nvm/versions/node/v18.20.4/bin', 'v18.20.4');
    putNode(factory, 'bin', 'v21.7.3');
    factory.env['PATH'] = [join(factory.folder, 'home/bin'), factory.env['PATH']].join(delimiter);
    expect(await examine(factory)).toEqual([
      'warn node of gates .nvmrc asks for 16, which is not installed here; gates use v21.7.3 of PATH install it: `nvm install 16`',
      gateShows('v21.7.3'),
    ]);
  });

  test('are content with a version on PATH that fits', async () => {
    const factory = await aFactory({ ...shows('node --version'), files: { '.node-version': '21\n' } });
    putNode(factory, 'bin', 'v21.7.3');
    factory.env['PATH'] = [join(factory.folder, 'home/bin'), factory.env['PATH']].join(delimiter);
    expect((await examine(factory))[0]).toBe('ok node of gates v21.7.3 on PATH (.node-version)');
  });

  test("never find andon's own Node.js first, when npm or the bootstrap puts it on PATH", async () => {
    const root = join(import.meta.dirname, '../..');
    // As `npm start` and bin/andon.mjs start andon.
    const command = [process.execPath, join(root, 'scripts/run.mjs'), 'node', inject('andon')];
    const factory = await aFactory({ ...shows('node --version'), command });
    putNode(factory, 'bin', 'v21.7.3');
    const own = [join(root, 'node_modules/.bin'), join(root, 'tools/runtime/node_modules/.bin')];
    const users = [join(factory.folder, 'home/bin'), factory.env['PATH'] ?? ''];
    factory.env['PATH'] = [...own, ...users].join(delimiter);
    expect((await examine(factory)).at(-1)).toBe(gateShows('v21.7.3'));
  });

  test.skipIf(NO_CAGE !== '')(
    `come first in the cage for gates and setup, certificates come along, and proxies only where there is network${NO_CAGE}`,
    async () => {
      const seen = 'echo "$(node --version) $(cat "$REQUESTS_CA_BUNDLE") ${HTTPS_PROXY:-none} ${no_proxy:-none}"';
      const setup = { setup: [`mkdir -p out && { ${seen}; } > out/seen`], share: ['out'] };
      const factory = await aFactory({
        ...shows(`echo "setup: $(cat out/seen); gate: $(${seen})"`, setup),
        files: { '.nvmrc': '18\n' },
        cage: 'bubblewrap',
      });
      const own = mkdtempSync('/var/tmp/andon-tools-'); // the cage never shows the files of the tests in /dev/shm
      onTestFinished(() => rmSync(own, { recursive: true }));
      putProgram(join(own, 'nvm/versions/node/v18.20.4/bin/node'), 'v18.20.4');
      writeFileSync(join(own, 'company.pem'), 'certificate\n');
      Object.assign(factory.env, {
        NVM_DIR: join(own, 'nvm'),
        REQUESTS_CA_BUNDLE: join(own, 'company.pem'),
        SSL_CERT_DIR: factory.folder, // it holds the home folder, so it stays hidden
        HTTPS_PROXY: 'http://proxy.example:3128',
        no_proxy: '.example',
      });
      expect((await examine(factory)).at(-1)).toBe(
        gateShows(
          'setup: v18.20.4 certificate http://proxy.example:3128 .example; gate: v18.20.4 certificate none none',
        ),
      );
    },
  );
});

describe('a service', () => {
  test("gets the user's PATH, without andon's own Node.js", async () => {
    const factory = await aFactory();
    factory.env['ANDON_PATH'] = '/home/erik/bin:/usr/bin:/bin';
    const { stdout, stderr } = await factory.andon('start', '--service', 'install');
    const page = stdout + stderr;
    expect(page).toMatch(/\/home\/erik\/bin:\/usr\/bin:\/bin/);
    expect(page).not.toMatch(/PATH=.*node_modules\/\.bin/);
  });
});
