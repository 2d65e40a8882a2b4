/** @module-tag thorough */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { aFactory, type Options } from '../support/factory.ts';
import { aScenario, writes, FINAL } from '../support/scenario.ts';

interface Examined {
  readonly repository: string;
  readonly well: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly detail: string;
    readonly remedy?: string;
  }[];
  readonly repairs: readonly { readonly done: boolean; readonly text: string }[];
}

const QWEN = 'qwen2.5-coder';

/** A repository whose agents play this scenario, and the doctor's words about it. */
async function aClinic(scenario: object = {}, options: Options = {}) {
  const factory = await aFactory(options);
  const config = join(factory.folder, 'config/andon/config.yaml');
  writeFileSync(join(factory.folder, 'agents/scenario.json'), JSON.stringify({ ...aScenario(), ...scenario }));
  /** Changes the user's own configuration. */
  const configure = (change: (settings: Record<string, any>) => void): void => {
    const settings = parse(readFileSync(config, 'utf8')) as Record<string, any>;
    change(settings);
    writeFileSync(config, stringify(settings));
  };
  const examine = async (...args: string[]) => {
    const { code, stdout, stderr } = await factory.andon('doctor', '--json', ...args);
    const examined = JSON.parse(stdout) as Examined;
    const named = (name: string) => examined.checks.filter((check) => check.name === name);
    return { ...examined, code, stderr, named, of: (name: string) => named(name)[0] };
  };
  return { factory, config, configure, examine, models: join(factory.folder, 'agents/scenario.json.models') };
}

describe('andon doctor', () => {
  test('tells what it does while it does it, and what it prepared is not prepared again by watch', async () => {
    const setup = ['echo once >> "$HOME/setup.log" && mkdir -p node_modules'];
    const gates = [{ name: 'test', run: 'test -d node_modules' }];
    const factory = await aFactory({ projectConfig: { setup, share: ['node_modules'], gates } });
    const { code, stderr, stdout } = await factory.andon('doctor');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('gate test') as string });
    expect(stderr).toMatch(/^… the cage\n(?:….*\n)*… gate test on the base\n… setup: preparing .*\n/m);
    await factory.andon('doctor', '--json');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(readFileSync(join(factory.folder, 'home/setup.log'), 'utf8')).toBe('once\n');
  });

  test('says one line for each thing that is well, and ends with 0', async () => {
    const { factory } = await aClinic({}, { projectConfig: { gates: [{ name: 'test', run: 'true' }] } });
    await factory.andon('init');
    const { code, stdout } = await factory.andon('doctor');
    for (const row of [
      /^ok +node +\d+\.\d+\.\d+$/m,
      /^ok +git +2\.\d+/m,
      /^ok +target branch +main at [0-9a-f]{12}$/m,
      /^\w+ +disk .*free in /m,
      /^\w+ +watcher /m,
      /^ok +ollama +0\.33\.0$/m,
      /^ok +implementer +qwen2\.5-coder: window 32768 \(allocated\), 32768 needed$/m,
      /^ok +local reviewer +deepseek-r1: window 32768 \(allocated\), 16384 needed$/m,
      /^ok +judge +claude 2\.1\.330/m,
      /^warn +cage +none: /m,
      /^ok +gate test +green on the base in /m,
    ])
      expect(stdout).toMatch(row);
    expect(stdout).not.toContain('FAIL');
    expect(code).toBe(0);
  });

  test('warns of everything in the repository that would stop a task only after agents were paid', async () => {
    const files = { '.gitattributes': '*.psd filter=lfs\n', 'logo.psd': 'x' };
    const { factory, examine } = await aClinic({}, { files, projectConfig: { target: 'main' } });
    factory.git('branch', 'task');
    const hook = join(factory.repo, '.git/hooks/commit-msg');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    writeFileSync(join(factory.repo, 'README.md'), 'mine\n');
    const { code, named } = await examine();
    expect(code).toBe(0);
    const warned = (name: string) => named(name).map(({ state, detail }) => `${state} ${detail}`);
    expect(warned('branches')).toEqual([expect.stringContaining('warn a branch is called `task`')]);
    expect(warned('edits')).toEqual([expect.stringContaining('warn README.md in ')]);
    expect(warned('filters')).toEqual([expect.stringContaining("warn git's filter lfs changes logo.psd")]);
    expect(warned('hooks')).toEqual([expect.stringContaining('(here: commit-msg)')]);
  });

  test('prints facts for programs: every check with its state, and a remedy for every one that is not well', async () => {
    const { factory, examine } = await aClinic({ models: {} });
    const examined = await examine();
    expect(Object.keys(examined)).toEqual(expect.arrayContaining(['repository', 'well', 'checks', 'repairs']));
    expect(examined).toMatchObject({ repository: factory.repo, well: false, repairs: [], code: 1 });
    for (const { name, state, detail, remedy } of examined.checks) {
      expect(['ok', 'warn', 'fail']).toContain(state);
      expect(detail, name).not.toBe('');
      if (state !== 'ok') expect(remedy, name).toMatch(/\w/);
      if (state === 'fail') expect(remedy, name).toMatch(/`[^`]+`|https:/);
    }
  });

  test('changes nothing, asks no model and loads none', async () => {
    const { factory, config, models } = await aClinic({ models: { [QWEN]: { context: 2048 } } });
    const before = { files: factory.snapshot(), config: readFileSync(config, 'utf8') };
    await factory.andon('doctor');
    expect({ files: factory.snapshot(), config: readFileSync(config, 'utf8') }).toEqual(before);
    expect(existsSync(models)).toBe(false);
    expect(existsSync(factory.handoff)).toBe(false);
    expect(factory.calls()).toEqual([]);
  });

  test('outside a repository, or with a broken configuration, it says what to do and ends with 2', async () => {
    const { factory, config } = await aClinic();
    mkdirSync(join(factory.folder, 'elsewhere'));
    const outside = await factory.andonIn(join(factory.folder, 'elsewhere'), 'doctor');
    expect(outside).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('git init') });
    writeFileSync(config, 'agents: { ollama: { models: { qwen2.5-coder: "--help" } } }\n');
    const misread = await factory.andon('doctor');
    expect(misread).toMatchObject({ code: 2, stderr: expect.stringContaining('agents.ollama.models.qwen2.5-coder') });
    expect((await factory.andon('doctor', '--nonsense')).code).toBe(2);
  });

  test('names a gate that is green only after another one, and proves the limits of gates', async () => {
    const gates = [
      { name: 'build', run: 'mkdir -p out && echo x > out/made' },
      { name: 'test', run: 'test -f out/made' },
      { name: 'never', run: 'test -f out/never' },
    ];
    const { examine } = await aClinic({}, { projectConfig: { gates } });
    const { of } = await examine();
    expect(of('gate test')).toEqual({
      name: 'gate test',
      state: 'warn',
      detail: 'red on the base by itself, green after build: no gate sees what another one made',
      remedy: 'let it make what it needs: `mkdir -p out && echo x > out/made && test -f out/made`',
    });
    expect(of('gate never')).toMatchObject({
      detail: expect.stringMatching(/^red on the base/),
      remedy: expect.stringContaining('in a fresh clone'),
    });
    // Without a cage a gate shares the network of the machine: its connections are not told from those of others.
    expect(of('limits')).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(/^not held here: data in connections\. .* 2048 processes/),
    });
  });

  test('explains a setup that fails at the network, with the line to paste', async () => {
    const setup = ['echo "npm error code SELF_SIGNED_CERT_IN_CHAIN"; : npm ci; exit 1'];
    const { examine } = await aClinic({}, { projectConfig: { setup, gates: [{ name: 'test', run: 'true' }] } });
    expect((await examine()).of('gates')).toEqual({
      name: 'gates',
      state: 'fail',
      detail: expect.stringMatching(
        /^gate test cannot be run on the base: setup command .* the certificate of the server is not trusted/,
      ),
      remedy: expect.stringContaining('`export NODE_EXTRA_CA_CERTS=/path/to/company.pem`'),
    });
  });

  test('runs the gates on the base: red is a warning, one that cannot be run is red', async () => {
    const red = await aClinic({}, { projectConfig: { gates: [{ name: 'test', run: 'echo no; exit 3' }] } });
    const examined = await red.examine();
    expect(examined.of('gate test')).toMatchObject({ state: 'warn', detail: expect.stringContaining('exit 3') });
    expect(examined.code).toBe(0);
    expect((await red.examine('--no-gates')).of('gate test')).toBeUndefined();
    const none = await aClinic({}, { projectConfig: { setup: ['exit 4'], gates: [{ name: 'test', run: 'true' }] } });
    expect(await none.examine()).toMatchObject({ code: 1, well: false });
  });
});

describe('andon doctor and the programs', () => {
  test.each([
    ['is not installed', {}, { program: '/nowhere/ollama' }, 'not there', 'ollama.com/download'],
    ['has no server', { ollama_server: false }, {}, 'not running', 'ollama serve'],
    ['prints without end', { ollama_does: { version: [{ megabytes: 100 }] } }, {}, 'printed more', 'ollama'],
  ])('ollama that %s is red, and the rest is examined all the same', async (_, scenario, program, why, remedy) => {
    const { examine, configure } = await aClinic(scenario);
    configure(({ agents }) => Object.assign(agents.ollama, program));
    const examined = await examine();
    expect(examined.of('ollama')).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining(why),
      remedy: expect.stringContaining(remedy),
    });
    expect(examined.of('judge')).toMatchObject({ state: 'ok' });
    expect(examined.code).toBe(1);
  });

  test('a judge who is not logged in is red, but not where somebody outside judges', async () => {
    const here = await aClinic({ claude_auth: false });
    expect((await here.examine()).of('judge')).toMatchObject({ state: 'fail', detail: expect.stringContaining('log') });
    const outside = await aClinic({ claude_auth: false }, { projectConfig: { judge: 'external' } });
    expect(await outside.examine()).toMatchObject({ code: 0 });
  });
});

describe('andon doctor and the models', () => {
  test('looks at the models that contracts name, on the line and in the queue, each once per role', async () => {
    const { factory, examine } = await aClinic({ models: { mine: { context: 65_536 }, theirs: { context: 65_536 } } });
    const roles = { implementer: 'mine', local_reviewer: 'theirs', judge: 'opus' };
    factory.drop(aContract({ roles }));
    factory.drop(aContract({ task_id: 'DOC-002', roles }), 'queue/2.json');
    factory.drop(
      aContract({ task_id: 'DOC-003', 'roles.implementer': 'theirs', 'roles.local_reviewer': 'gone' }),
      'queue/3.json',
    );
    factory.drop('{', 'queue/4.json');
    const { named, of, code } = await examine();
    expect(named('implementer')).toMatchObject([
      { state: 'ok', detail: 'mine: window 65536 (its num_ctx), 32768 needed' },
      { state: 'ok', detail: 'theirs: window 65536 (its num_ctx), 32768 needed' },
      { state: 'warn', detail: expect.stringContaining('no model qwen2.5-coder') },
    ]);
    expect(named('local reviewer')).toMatchObject([
      { state: 'ok' },
      { state: 'fail', detail: 'ollama has no model gone', remedy: 'get it with `ollama pull gone`' },
      { state: 'warn' },
    ]);
    expect(of('judge')?.detail).toContain('opus');
    expect(of('contract')).toMatchObject({ state: 'warn', detail: expect.stringContaining('queue/4.json') });
    expect(code).toBe(1);
  });

  test('a name from a contract does not become a command of its own where it is shown', async () => {
    const { factory } = await aClinic();
    factory.drop(aContract({ 'roles.implementer': "x'; rm -rf ~ #" }));
    const { stdout } = await factory.andon('doctor');
    expect(stdout).toContain("`ollama pull 'x'\\''; rm -rf ~ #'`");
  });

  test.each([
    [{ context: 32_768 }, 'ok', '32768 (its num_ctx)', undefined],
    [{ context: 16_384, loaded: true }, 'warn', '16384 (allocated)', '--fix'],
    [{ context: 4096 }, 'fail', '4096 (its num_ctx)', '--fix'],
    [{}, 'warn', '4096 (assumed until it is loaded)', '--load'],
    [{ context: 131_072, largest: 16_384 }, 'warn', '16384 (its num_ctx)', 'made for 16384'],
    [{ context: 32_768, loaded: true, loaded_as: 2048 }, 'ok', '32768 (its num_ctx)', undefined],
  ])('a window is judged by what is known of it: %j', async (model, state, window, remedy) => {
    const { examine } = await aClinic({ models: { [QWEN]: model, 'deepseek-r1': { context: 32_768 } } });
    const { of } = await examine();
    expect(of('implementer')).toMatchObject({ state, detail: expect.stringContaining(`window ${window}`) });
    if (remedy !== undefined) expect(of('implementer')?.remedy).toContain(remedy);
  });

  test('--load loads what is there, and shows the window that was really allocated', async () => {
    const { examine, factory } = await aClinic({ models: { [QWEN]: {}, 'deepseek-r1': { context: 32_768 } } });
    const { of } = await examine('--load');
    expect(of('implementer')).toMatchObject({
      state: 'fail',
      detail: `${QWEN}: window 4096 (allocated), 32768 needed`,
    });
    expect(of('local reviewer')?.detail).toContain('(allocated)');
    expect(factory.calls()).toEqual([]);
  });
});

describe('andon doctor --fix', () => {
  const SMALL = { [QWEN]: { context: 4096 }, 'deepseek-r1': {} };

  test('makes models with the window their roles need, and the line works with them from then on', async () => {
    const { examine, factory, config } = await aClinic({ models: SMALL });
    const commented = `# my own words\n${readFileSync(config, 'utf8')}`;
    writeFileSync(config, commented);
    const fixed = await examine('--fix');
    expect(fixed.repairs.map(({ done, text }) => [done, text.split(':')[0]])).toEqual([
      [true, `made ${factory.handoff} with a .gitignore of its own`],
      [true, 'made the model andon-qwen2.5-coder-32k from qwen2.5-coder'],
      [true, `wrote into ${config}`],
      [true, 'made the model andon-deepseek-r1-16k from deepseek-r1'],
      [true, `wrote into ${config}`],
    ]);
    expect(fixed.of('implementer')).toMatchObject({
      state: 'ok',
      detail: 'qwen2.5-coder (asked as andon-qwen2.5-coder-32k): window 32768 (its num_ctx), 32768 needed',
    });
    expect(fixed.of('local reviewer')).toMatchObject({ state: 'ok', detail: expect.stringContaining('16384') });
    const written = readFileSync(config, 'utf8');
    expect(written).toContain('# my own words\n');
    expect(parse(written)).toMatchObject({
      ...(parse(commented) as object),
      agents: {
        ollama: { models: { [QWEN]: 'andon-qwen2.5-coder-32k', 'deepseek-r1': 'andon-deepseek-r1-16k' } },
        claude: { program: expect.any(String) },
      },
    });

    const again = await examine('--fix');
    expect(again).toMatchObject({ repairs: [], code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(written);

    const derived = { when: { model: 'andon-qwen2.5-coder-32k' } };
    const { structured } = (aScenario() as { ollama: { structured?: unknown }[] }).ollama[1] ?? {};
    const ollama = [
      writes({ 'docs/auth_final.md': FINAL }, derived),
      { when: { model: 'andon-deepseek-r1-16k' }, structured },
    ];
    writeFileSync(
      join(factory.folder, 'agents/scenario.json'),
      JSON.stringify({ ...aScenario(), models: SMALL, ollama }),
    );
    expect((await factory.run(aContract())).status).toBe('merged');
    const asked = factory.calls().filter(({ program }) => program === 'ollama');
    expect(asked.map(({ argv }) => argv[1])).toEqual(['andon-qwen2.5-coder-32k', 'andon-deepseek-r1-16k']);
  });

  test('makes a missing stand-in anew, and never pulls', async () => {
    const { examine, configure } = await aClinic({ models: { [QWEN]: { context: 4096 } } });
    configure(({ agents }) => {
      agents.ollama.models = { [QWEN]: 'andon-qwen2.5-coder-32k', 'deepseek-r1': 'andon-deepseek-r1-16k' };
    });
    const before = await examine();
    expect(before.of('implementer')).toMatchObject({
      state: 'fail',
      detail:
        'ollama has no model andon-qwen2.5-coder-32k, which your own configuration puts in the place of qwen2.5-coder',
    });
    const fixed = await examine('--fix');
    expect(fixed.of('implementer')).toMatchObject({ state: 'ok' });
    expect(fixed.repairs).toContainEqual({ done: false, text: expect.stringContaining('ollama pull deepseek-r1') });
  });

  test('leaves a configuration alone that it cannot add to, and says what to write', async () => {
    const { examine, config } = await aClinic({
      models: { [QWEN]: { context: 4096 }, 'deepseek-r1': { context: 32_768 } },
    });
    const { cage, agents } = parse(readFileSync(config, 'utf8')) as { cage: string; agents: object };
    const text = `cage: ${cage}\nprojects:\n  /else:\n    agents: &programs ${JSON.stringify(agents)}\nagents: *programs\n`;
    writeFileSync(config, text);
    const { repairs } = await examine('--fix');
    expect(repairs).toContainEqual({
      done: false,
      text: expect.stringContaining('write `agents: {ollama: {models: {qwen2.5-coder: andon-qwen2.5-coder-32k}}}`'),
    });
    expect(readFileSync(config, 'utf8')).toBe(text);
  });

  test('tells that a running watchdog has to be started again', async () => {
    const { examine, factory } = await aClinic({ models: SMALL });
    const dog = await factory.watch();
    const { repairs } = await examine('--fix');
    expect(repairs.map(({ text }) => text).join('\n')).toContain('when it is started again');
    await dog.stop();
  });

  test('says what failed when ollama cannot make a model, and writes nothing', async () => {
    const { examine, config } = await aClinic({ models: SMALL, ollama_does: { create: [{ exit: 9 }] } });
    const before = readFileSync(config, 'utf8');
    const { repairs, code } = await examine('--fix');
    expect(repairs.filter(({ done }) => !done)).toHaveLength(2);
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect(code).toBe(1);
  });
});
