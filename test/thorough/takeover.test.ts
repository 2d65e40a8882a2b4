/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { scriptModels } from '../support/models.ts';
import { FINAL, answerOnce, answerTimes, writes, type Call, type Stations } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
const by = (model: string, call: Call): Call => ({ ...call, when: { model } });
const good = (model: string, more: Call = {}): Call => by(model, writes({ [PATH]: FINAL }, more));
const crash = (model: string): Call => by(model, { reply: '', does: [{ exit: 1 }] });
const LIST = aContract({ 'roles.implementer': ['small', 'large'] });
/** Green for the document as it should be. */
const GATES = { gates: [{ name: 'tokens', run: 'grep -q "## Tokens" docs/auth_final.md' }] };

async function aFactoryWith(stations: Stations, options: Parameters<typeof aFactory>[0] = {}): Promise<Factory> {
  const factory = await aFactory(options);
  scriptModels(factory, { small: 32_768, large: 32_768 }, stations);
  return factory;
}

/** Which models were asked to implement, in order. */
const asked = (factory: Factory): readonly string[] =>
  factory.calls('implementer').map(({ argv }) => argv[argv.indexOf('run') + 1] ?? '');

describe('of two implementers in a list', () => {
  test.each([
    ['crashes', [answerTimes(2, crash('small'))], 'crash: '],
    ['says nothing', [answerTimes(2, by('small', { reply: '', does: ['empty'] }))], 'empty: '],
    ['is not understood', [answerTimes(2, by('small', { reply: 'I would rather talk.' }))], 'unreadable: '],
  ])('the first %s, the second does it, and it is merged', async (_what, calls, why) => {
    const factory = await aFactoryWith({ implementer: [...calls, good('large')] });
    const { status, dog } = await factory.run(LIST);
    expect(status).toBe('merged');
    expect(asked(factory)).toEqual(['small', 'large']);
    expect(await factory.show('DOC-001')).toMatchObject({
      implementer: 'large',
      attempt: 2,
      takeovers: [{ from: 'small', to: 'large', why: expect.stringContaining(why) }],
    });
    expect(dog.output()).toContain('implementer: large takes over from small');
    const { stdout } = await factory.andon('show', 'DOC-001');
    expect(stdout).toContain(`implementer: large takes over from small (${why}`);
    expect(factory.calls('implementer').at(-1)?.prompt).not.toContain('your last try failed');
    // The contract goes to the archive as it was written.
    expect(JSON.parse(factory.paper('archive/DOC-001/TASK_CONTRACT.json') ?? '')).toMatchObject({
      roles: { implementer: ['small', 'large'] },
    });
  });

  test('the first leaves a gate red twice, the second gets what the gate said, and the report tells of it', async () => {
    const factory = await aFactoryWith(
      {
        implementer: [
          answerOnce(by('small', writes({ [PATH]: '# Nothing\n' }))),
          answerOnce(by('small', writes({ [PATH]: '# Nothing of it either\n\nBut longer.\n' }))),
          good('large'),
        ],
      },
      { projectConfig: GATES, files: { [PATH]: '## Tokens\n' } },
    );
    expect((await factory.run(LIST)).status).toBe('merged');
    expect(asked(factory)).toEqual(['small', 'small', 'large']);
    expect(factory.calls('implementer').at(-1)?.prompt).toContain('gate tokens');
    const { stdout } = await factory.andon('report', 'DOC-001');
    expect(stdout).toMatch(/<td[^>]*>large<\/td><td[^>]*>small<\/td>.*gates red 2 times in a row, at last tokens/);
    expect(stdout).toContain('taken over by large');
  });

  test('the list may be that of the project, for contracts that name nobody', async () => {
    const projectConfig = { roles: { implementer: ['small', 'large'] } };
    const factory = await aFactoryWith({ implementer: [crash('small'), good('large')] }, { projectConfig });
    expect((await factory.run(aContract({ 'roles.implementer': undefined }))).status).toBe('merged');
    expect(asked(factory)).toEqual(['small', 'large']);
  });
});

describe('kill -9 of the daemon', () => {
  test.each([
    ['after the takeover is noted and before the call: the second is asked', 'after', ['small', 'large']],
    [
      'before it is noted: the first is asked again, as if the call had broken off',
      'before',
      ['small', 'small', 'large'],
    ],
  ])('%s', async (_what, when, models) => {
    const factory = await aFactoryWith(
      { implementer: [answerTimes(2, crash('small')), good('large')] },
      { apart: true },
    );
    // Its entries are: admitted, started, called, moved.
    factory.env['ANDON_FAILPOINT'] =
      when === 'after' ? 'journal.append.after-commit:kill#4' : 'journal.append.before-commit:kill#4';
    const dog = await factory.begin(LIST);
    await expect(dog.until(() => false)).rejects.toThrow('the daemon ended (SIGKILL)');
    delete factory.env['ANDON_FAILPOINT'];
    const again = await factory.watch();
    expect(await factory.end(again)).toBe('merged');
    expect(asked(factory)).toEqual(models);
    expect(await factory.show('DOC-001')).toMatchObject({ takeovers: [{ from: 'small', to: 'large' }] });
    expect(factory.merges()).toHaveLength(1);
  });
});

describe('a list of implementers', () => {
  test.each([
    [
      ['small', 'larg'],
      '$.roles.implementer[1]',
      '"larg"',
      'a model that ollama has: qwen2.5-coder, deepseek-r1, small, large',
    ],
    [['small', 'claude-code-cli'], '$.roles.implementer[1]', '"claude-code-cli"', 'a model that ollama has: '],
    [['small', 'large', 'small'], '$.roles.implementer[2]', '"small"', 'name each once'],
    [[], '$.roles.implementer', '[]', 'a list of 1 to 5 names'],
  ])('%j is refused with path, what was found, what is expected and an example', async (names, ...said) => {
    const factory = await aFactoryWith({});
    const dog = await factory.begin(aContract({ 'roles.implementer': names }));
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    const page = (factory.paper('CONTRACT_REJECTED.md') ?? '').replaceAll('\\', '');
    for (const text of said) expect(page).toContain(text);
    expect(page).toMatch(/## 1\. Line \d/);
    expect(page).toMatch(/example: +\S/);
    expect(factory.calls()).toEqual([]);
  });

  test('whose names nobody can look up, because the server is down, is admitted all the same', async () => {
    const factory = await aFactoryWith({});
    const file = join(factory.folder, 'agents/scenario.json');
    writeFileSync(
      file,
      JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ollama_server: false }),
    );
    const dog = await factory.begin(LIST);
    await dog.until('contract admitted');
  });

  test('can be written with flags, each name by itself, and doctor looks at every one', async () => {
    const factory = await aFactoryWith({});
    const flags = ['--id', 'DOC-001', '--allow', 'docs/', '--require', 'x'];
    const names = ['--implementer', 'small', '--implementer', 'large'];
    const { stdout } = await factory.andon('new', ...flags, ...names, '--print');
    expect(JSON.parse(stdout)).toMatchObject({ roles: { implementer: ['small', 'large'] } });
    factory.drop(aContract({ 'roles.implementer': ['small', 'gone'] }));
    const { checks } = JSON.parse((await factory.andon('doctor', '--json')).stdout) as {
      readonly checks: readonly { readonly name: string; readonly state: string; readonly detail: string }[];
    };
    const implementers = checks.filter(({ name }) => name === 'implementer');
    expect(implementers.map(({ state, detail }) => [state, detail.split(':')[0]])).toEqual([
      ['ok', 'small'],
      ['fail', 'ollama has no model gone'],
      ['ok', 'qwen2.5-coder'], // the default of the next contract
    ]);
  });
});
