import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { HANDOFF_README, sealPage } from '../../src/app/setup/init-project.ts';
import { aFactory } from '../support/factory.ts';
import { HAS_TERMINAL, KEYS, inTerminal } from '../support/terminal.ts';

const CONFIG = '.andon/config.yaml';
const A_PACKAGE = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test', lint: 'true', start: 'x' } }),
  'package-lock.json': '{}',
};

/** The flags by which node:test writes results for programs beside those for people. */
const TEST_GATE = {
  name: 'test',
  run: "NODE_OPTIONS='--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=junit.xml' npm test",
  results: 'junit.xml',
};

describe('andon init with flags', () => {
  test('writes what it finds, and twice is as good as once', async () => {
    const factory = await aFactory({ files: A_PACKAGE });
    expect(await factory.andon('init')).toMatchObject({ code: 0, stdout: expect.stringContaining(`made  ${CONFIG}`) });
    const page = factory.read(CONFIG);
    expect(parse(page)).toEqual({
      setup: ['npm ci'],
      share: ['node_modules'],
      gates: [{ name: 'lint', run: 'npm run lint' }, TEST_GATE],
      require_gates: true,
    });
    expect(factory.paper('README.md')).toBe(HANDOFF_README);
    expect(factory.git('status', '--short')).toBe('?? .andon/');
    expect(await factory.andon('init', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('kept') });
    expect(factory.read(CONFIG)).toBe(page);
  });

  test('a configuration that is a link leads nowhere: nothing is written through it', async () => {
    const factory = await aFactory();
    const outside = join(factory.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(factory.repo, '.andon'));
    expect(await factory.andon('init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('.andon is a symbolic link, not a folder'),
    });
    expect(existsSync(join(outside, 'config.yaml'))).toBe(false);

    const other = await aFactory();
    mkdirSync(join(other.repo, '.andon'));
    symlinkSync(join(other.folder, 'nowhere.yaml'), join(other.repo, CONFIG));
    expect(await other.andon('init')).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read') });
    expect(existsSync(join(other.folder, 'nowhere.yaml'))).toBe(false);
  });
});

describe('andon init with flags', { tags: 'thorough' }, () => {
  test('leaves out what cannot run here, and says so', async () => {
    const files = {
      'package.json': JSON.stringify({ scripts: { test: 'node --test', eslint: 'eslint .', tsc: 'tsc --noEmit' } }),
      'node_modules/.bin/tsc': '',
      'composer.json': JSON.stringify({ scripts: { test: 'phpunit' } }),
      'composer.lock': '',
    };
    const factory = await aFactory({ files });
    const folders = (factory.env['PATH'] ?? '').split(delimiter);
    factory.env['PATH'] = folders
      .filter((folder) => !['composer', 'eslint', 'tsc'].some((program) => existsSync(join(folder, program))))
      .join(delimiter);
    const { code, stdout } = await factory.andon('init', '--yes', '--no-try');
    expect(code).toBe(0);
    expect(parse(factory.read(CONFIG))).toMatchObject({
      gates: [{ name: 'typecheck', run: 'npm run tsc' }, TEST_GATE],
    });
    const notes = stdout.split('\n').filter((row) => / is left out: /.test(row));
    expect(notes.map((note) => /^note {2}(.*) is left out: (.*) is not installed/.exec(note)?.slice(1))).toEqual([
      ['setup `composer install --no-interaction`', 'composer'],
      ['gate `lint` (npm run eslint)', 'eslint'],
      ['gate `composer test` (composer test)', 'composer'],
    ]);
    expect((await factory.andon('init', '--no-detect')).stdout).not.toContain('note  composer');
  });

  test('brings back a gate that it left out once its program is there, and doctor names it until then', async () => {
    const manifest = { scripts: { test: 'node --test', lint: 'checker .' } };
    const factory = await aFactory({ files: { 'package.json': JSON.stringify(manifest) } });
    await factory.andon('init', '--no-try');
    expect(factory.read(CONFIG)).toContain('# left out: ["lint","npm run lint","checker is not installed"]');
    expect((await factory.andon('doctor', '--no-gates')).stdout).toMatch(
      /^warn +gate lint +left out by `andon init` \(npm run lint\): checker is not installed\n +once that is changed: `andon init`$/m,
    );
    const page = factory.read(CONFIG);
    factory.write('node_modules/.bin/checker', '#!/bin/sh\n');
    factory.write(CONFIG, `${page}# edited\n`);
    expect((await factory.andon('init', '--no-try')).stdout).toContain(
      `note  gate \`lint\` can run now: add it to \`gates\` in ${CONFIG}: - {"name":"lint","run":"npm run lint"}`,
    );
    factory.write(CONFIG, page);
    expect((await factory.andon('init', '--no-try')).stdout).toContain(`new   ${CONFIG}`);
    expect(parse(factory.read(CONFIG))).toMatchObject({ gates: [TEST_GATE, { name: 'lint', run: 'npm run lint' }] });
    expect(factory.read(CONFIG)).not.toContain('# left out: ');
  });

  test('leaves a gate out that is red on the base, with its reason, and adds it once it is green', async () => {
    const manifest = { scripts: { test: 'node --version', lint: 'echo error: 3 problems; exit 1' } };
    const factory = await aFactory({ files: { 'package.json': JSON.stringify(manifest) } });
    const { stdout, stderr } = await factory.andon('init');
    expect(stderr).toMatch(/^… gate lint on the base\n/m);
    expect(stdout).toMatch(
      /^note {2}gate `lint` \(npm run lint\) is left out: red on the base \(exit 1\): error: 3 problems/m,
    );
    expect(stdout).not.toContain("andon init --gate 'test=npm test'");
    expect(parse(factory.read(CONFIG))).toMatchObject({ gates: [{ name: 'test', run: 'npm test' }] });
    factory.write('package.json', JSON.stringify({ scripts: { ...manifest.scripts, lint: 'true' } }));
    factory.git('commit', '--all', '--quiet', '--message=Mend lint');
    await factory.andon('init');
    expect(parse(factory.read(CONFIG))).toMatchObject({ gates: [{ name: 'test' }, { name: 'lint' }] });
    expect(factory.read(CONFIG)).not.toContain('# left out: ');
  });

  test('puts a gate that is red alone behind the build, if it is green there', async () => {
    const manifest = { scripts: { build: 'mkdir dist', test: 'test -d dist' } };
    const factory = await aFactory({ files: { 'package.json': JSON.stringify(manifest) } });
    const { stdout } = await factory.andon('init');
    const run = 'npm run build && npm test';
    expect(stdout).toContain(`note  gate \`test\` is red without the build, so it runs \`${run}\``);
    expect(parse(factory.read(CONFIG))).toMatchObject({ gates: [{ name: 'build' }, { name: 'test', run }] });
  });

  test('takes another way to the packages of Python where there is no uv', async () => {
    const files = { 'uv.lock': '', 'requirements.txt': 'pytest\n', 'pyproject.toml': '' };
    const factory = await aFactory({ files });
    const folders = (factory.env['PATH'] ?? '').split(delimiter);
    factory.env['PATH'] = folders.filter((folder) => !existsSync(join(folder, 'uv'))).join(delimiter);
    const { stdout } = await factory.andon('init', '--yes', '--no-try');
    expect(factory.read(CONFIG)).not.toContain('uv sync');
    expect(parse(factory.read(CONFIG))).toMatchObject({
      setup: ['python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt'],
      gates: [{ name: 'pytest' }],
    });
    expect(stdout).toContain('note  uv is not on PATH, so uv.lock is not used; requirements.txt is');
  });

  test('leaves out a setup that cannot run where the gates are green with what is installed here, and says why', async () => {
    const files = {
      'package.json': JSON.stringify({ scripts: { test: 'node --version' } }),
      'package-lock.json': '{ "no lock": ',
    };
    const factory = await aFactory({ files });
    const { stdout } = await factory.andon('init');
    expect(parse(factory.read(CONFIG))).toEqual({ gates: [{ name: 'test', run: 'npm test' }], require_gates: true });
    expect(stdout).toMatch(/^note {2}no setup: gates use what is installed here, because setup command `npm ci/m);
  });

  test('goes by every flag, and a later run keeps what an earlier one decided', async () => {
    const factory = await aFactory({ files: A_PACKAGE });
    factory.git('branch', 'develop');
    const flags = ['--gate', 'own=make it', '--gate', 'two=a=b', '--setup', 'make deps', '--share', 'deps/'];
    const more = ['--branch', 'develop', '--judge', 'external', '--implementer', 'llama3', '--reviewer', 'phi4'];
    expect((await factory.andon('init', '--no-detect', ...flags, ...more)).code).toBe(0);
    const decided = {
      target: 'develop',
      setup: ['make deps'],
      share: ['deps'],
      gates: [
        { name: 'own', run: 'make it' },
        { name: 'two', run: 'a=b' },
      ],
      require_gates: true,
      judge: 'external',
      roles: { implementer: 'llama3', local_reviewer: 'phi4' },
    };
    expect(parse(factory.read(CONFIG))).toEqual(decided);
    expect((await factory.andon('init', '--reviewer', 'gemma3')).stdout).toContain(`new   ${CONFIG}`);
    expect(parse(factory.read(CONFIG))).toEqual({ ...decided, roles: { local_reviewer: 'gemma3' } });
    const { stdout } = await factory.andon('new', '--id', 'A', '--allow', 'docs/', '--require', 'It is so', '--print');
    expect(JSON.parse(stdout)).toMatchObject({ roles: { implementer: 'qwen2.5-coder', local_reviewer: 'gemma3' } });
  });

  test('never writes over what a human wrote or edited, and says how to see what it would write', async () => {
    const factory = await aFactory({ files: A_PACKAGE });
    await factory.andon('init');
    factory.write(CONFIG, `${factory.read(CONFIG)}# mine\n`);
    factory.write('_handoff/README.md', 'mine\n');
    const { code, stdout } = await factory.andon('init', '--gate', 'other=true');
    expect(code).toBe(0);
    expect(stdout).toContain(`kept  ${CONFIG}`);
    expect(stdout).toContain('andon init --print');
    expect(factory.read(CONFIG)).toMatch(/# mine\n$/);
    expect(factory.paper('README.md')).toBe('mine\n');
    const printed = await factory.andon('init', '--print', '--gate', 'other=true');
    expect(parse(printed.stdout)).toMatchObject({ gates: [{ name: 'other', run: 'true' }] });
  });

  test('a checkout with other line ends is no edit', async () => {
    const factory = await aFactory();
    await factory.andon('init');
    factory.write(CONFIG, factory.read(CONFIG).replaceAll('\n', '\r\n'));
    expect((await factory.andon('init', '--gate', 'a=true')).stdout).toContain(`new   ${CONFIG}`);
  });

  test('refuses wrong flags in one sentence and writes nothing', async () => {
    const factory = await aFactory();
    for (const [flags, about] of [
      [['--gate', 'nonsense'], 'name=command'],
      [['--gate', 'a=b', '--gate', 'a=c'], 'two gates are called "a"'],
      [['--share', '../elsewhere'], 'cannot be shared'],
      [['--share', '.git'], 'cannot be shared'],
      [['--branch', 'no-such-branch'], 'no-such-branch'],
      [['--judge', 'nobody'], 'judge'],
      [['--implementer=-x'], 'implementer'],
    ] as const) {
      const { code, stdout, stderr } = await factory.andon('init', ...flags);
      expect({ code, stdout }, about).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(about);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect([factory.has('.andon'), factory.has('_handoff')]).toEqual([false, false]);
    }
  });

  test('a file where a folder belongs is named in one sentence', async () => {
    const factory = await aFactory();
    factory.write('_handoff/queue', 'a file where a folder belongs');
    const { code, stderr } = await factory.andon('init');
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 1,
      stderr: `andon: ${factory.repo}/_handoff/queue is a plain file, not a folder`,
    });
  });

  test('prints the configuration as JSON with --print --json, and writes nothing', async () => {
    const factory = await aFactory({ files: A_PACKAGE });
    const { code, stdout } = await factory.andon('init', '--print', '--json', '--gate', 'own=make it');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      repository: factory.repo,
      found: ['npm'],
      config: { setup: ['npm ci'], gates: [{ name: 'own', run: 'make it' }], require_gates: true },
    });
    expect([factory.has('.andon'), factory.has('_handoff')]).toEqual([false, false]);
  });
});

describe('the agents that andon init chooses', () => {
  /** A machine without ollama and without keys, on which only these programs are. */
  async function machine(agents: Readonly<Record<string, object>> = {}) {
    const factory = await aFactory();
    const programs = ['claude', 'ollama', 'codex', 'gemini', 'qwen', 'opencode', 'copilot'];
    const folders = (factory.env['PATH'] ?? '').split(delimiter);
    const bin = join(factory.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const others = folders.filter((folder) => !programs.some((program) => existsSync(join(folder, program))));
    factory.env['PATH'] = [bin, ...others].join(delimiter);
    const file = join(factory.folder, 'config/andon/config.yaml');
    const { agents: usual } = parse(readFileSync(file, 'utf8')) as {
      readonly agents: Readonly<Record<string, object>>;
    };
    writeFileSync(file, stringify({ agents: { claude: usual['claude'], ...agents } }));
    const claude = join(import.meta.dirname, '../../stand-ins/claude');
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${claude}' "$@"\n`, { mode: 0o755 });
    return factory;
  }
  const ROBO = {
    program: '/bin/cat',
    calls: { text: { args: [] }, review: { args: [] } },
    output: { format: 'text' },
  };

  test('are Claude Code by its login where it is alone and has no key', { tags: 'thorough' }, async () => {
    const factory = await machine();
    const { stdout } = await factory.andon('init', '--yes');
    expect(parse(factory.read(CONFIG))).toEqual({ roles: { implementer: 'claude', local_reviewer: 'claude' } });
    expect(parse(factory.read('.andon/agents/claude.yaml'))).toEqual({ driver: 'claude' });
    expect(stdout).toContain('note  implementer: claude, by the driver claude\n');
    expect(stdout).toContain('note  reviewer: claude, by the driver claude\n');
  });

  test('are those that have what they need before those that do not', { tags: 'thorough' }, async () => {
    const factory = await machine({ robo: ROBO });
    await factory.andon('init', '--yes');
    expect(parse(factory.read(CONFIG))).toEqual({ roles: { implementer: 'robo', local_reviewer: 'claude' } });
  });

  test('are named with a command where there is none', async () => {
    const factory = await machine({ claude: { program: '/nowhere/claude' } });
    writeFileSync(join(factory.folder, 'bin/claude'), '', { mode: 0o644 });
    const { stdout } = await factory.andon('init', '--yes');
    expect(stdout).toContain(
      'note  reviewer: no agent profile or driver is called deepseek-r1, so it is an ollama model; ollama is not installed: get it from https://ollama.com, then `ollama pull deepseek-r1`, or `andon init --reviewer NAME`\n',
    );
  });

  test('are drivers where a flag has the name of one, also without detection', { tags: 'thorough' }, async () => {
    const factory = await machine();
    await factory.andon('init', '--no-detect', '--implementer', 'codex', '--reviewer', 'claude');
    expect(parse(factory.read(CONFIG))).toEqual({ roles: { implementer: 'codex', local_reviewer: 'claude' } });
    expect(parse(factory.read('.andon/agents/codex.yaml'))).toEqual({ driver: 'codex' });
    expect(parse(factory.read('.andon/agents/claude.yaml'))).toEqual({ driver: 'claude' });
    const { code, stderr } = await factory.andon('init', '--reviewer', 'claude-code');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('claude-code cannot review') });
  });

  test('are warned of where a name means nothing here', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const { stdout } = await factory.andon('init', '--yes', '--implementer', 'cluade');
    expect(stdout).toContain(
      'note  implementer: no agent profile or driver is called cluade, so it is an ollama model; ',
    );
  });
});

describe.skipIf(!HAS_TERMINAL)('andon init at a terminal (needs `script` of util-linux)', () => {
  test('asks about the gates that were found, shows the page and writes it', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ files: A_PACKAGE });
    const talk = inTerminal(factory, ['init']);
    await talk.answer('Which gates run', ' ', KEYS.enter);
    await talk.answer('Write it', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(parse(factory.read(CONFIG))).toMatchObject({
      setup: ['npm ci'],
      share: ['node_modules'],
      gates: [TEST_GATE],
      require_gates: true,
    });
    expect(factory.read(CONFIG)).toContain('docs/configuration.md#settings-of-a-repository');
  });

  test.each([
    ['node --test', { name: 'test', run: 'node --test' }],
    ['unit=node --test', { name: 'unit', run: 'node --test' }],
  ])('asks for a command where no gate was found, and takes "%s"', { tags: 'thorough' }, async (line, gate) => {
    const factory = await aFactory({ files: { 'pyproject.toml': '[project]\nname = "x"\n' } });
    const talk = inTerminal(factory, ['init']);
    await talk.answer('Which command must pass', line, KEYS.enter);
    await talk.answer('Write it', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(talk.shown()).toContain('python3 -m pytest; leave it empty for none');
    expect(parse(factory.read(CONFIG))).toMatchObject({ gates: [gate] });
  });

  test.each([
    ['Ctrl-C', KEYS.ctrlC],
    ['Esc', KEYS.escape],
    ['Ctrl-D', KEYS.ctrlD],
  ])(
    '%s at any question leaves with one sentence and exit code 1, and nothing is written',
    { tags: 'thorough' },
    async (_, key) => {
      const factory = await aFactory({ files: A_PACKAGE });
      const talk = inTerminal(factory, ['init']);
      await talk.answer('Which gates run', key);
      expect(await talk.ended, talk.shown()).toBe(1);
      expect(talk.shown()).toContain('You left; nothing was written.');
      expect([factory.has('.andon'), factory.has('_handoff')]).toEqual([false, false]);
    },
  );

  test(
    'asks which agent implements where several are found, and gives a program its profile',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const ollama = join(factory.folder, 'ollama');
      const rows = [
        'NAME ID SIZE',
        'qwen2.5-coder:7b x 1',
        'phi4:latest x 1',
        'andon-phi4-32k:latest x 1',
        '--evil x 1',
      ];
      writeFileSync(ollama, `#!/bin/sh\nprintf '%s\\n' ${rows.map((row) => `'${row}'`).join(' ')}\n`, { mode: 0o755 });
      const codex = join(factory.folder, 'codex');
      writeFileSync(codex, '#!/bin/sh\necho codex-cli 0.169.0\n', { mode: 0o755 });
      const agents = { ollama: { program: ollama }, codex: { program: codex } };
      writeFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ agents }));
      const talk = inTerminal(factory, ['init']);
      await talk.answer('Which agent implements?');
      await talk.see('codex');
      talk.type(KEYS.down, KEYS.down, ...(talk.shown().includes('claude-code') ? [KEYS.down] : []), KEYS.enter);
      await talk.answer('Which command must pass', KEYS.enter);
      await talk.answer('Write it', KEYS.enter);
      expect(await talk.ended, talk.shown()).toBe(0);
      expect(parse(factory.read(CONFIG))).toEqual({
        roles: { implementer: 'codex', local_reviewer: 'qwen2.5-coder:7b' },
      });
      expect(parse(factory.read('.andon/agents/codex.yaml'))).toEqual({ driver: 'codex' });
      expect(talk.shown()).not.toMatch(/evil|andon-phi4/);
    },
  );

  test.each([
    [{ CI: 'true' }, []],
    [{ TERM: 'dumb' }, []],
    [{}, ['--yes']],
  ])('asks nothing with %j %j', { tags: 'thorough' }, async (env, flags) => {
    const factory = await aFactory({ files: A_PACKAGE });
    const talk = inTerminal(factory, ['init', ...flags], env);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(factory.has(CONFIG)).toBe(true);
  });

  test('what a repository brings cannot steer the terminal', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    factory.write(CONFIG, sealPage({ gates: [{ name: 'a', run: 'echo \u001b]0;owned\u0007' }] }));
    const talk = inTerminal(factory, ['init']);
    await talk.answer('Which gates run', KEYS.enter);
    await talk.answer('Write it', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(talk.raw()).not.toContain('\u001b]0;');
  });

  test('a terminal that is closed at a question leaves nothing behind', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ files: A_PACKAGE });
    const talk = inTerminal(factory, ['init']);
    await talk.answer('Which gates run');
    talk.hangUp();
    expect(await talk.ended, talk.shown()).not.toBe(0);
    expect(factory.has('.andon')).toBe(false);
  });
});
