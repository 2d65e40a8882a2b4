import { array, assert, integer, json, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countEventUsage, findFirstValue, matchesEvent } from '../../../../src/agents/drivers/event-rules.ts';
import { followProgram } from '../../../../src/agents/drivers/follow-program.ts';
import { isOlder, findVersion } from '../../../../src/base/find-version.ts';
import { listDriverNames, readDriver } from '../../../../src/project/config/read-driver.ts';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import type { WrittenDriver } from '../../../../src/project/config/driver-schema.ts';
import { DRIVEN, aDriver, sourcesWith } from '../../../support/drivers.ts';

const MINE: WrittenDriver = { calls: { text: { args: [] } }, output: { format: 'text' } };
const faultsOf = (own: WrittenDriver, name = 'mine'): string => {
  const read = readDriver(name, sourcesWith({ [name]: own }));
  return read.ok ? '' : read.why.join('\n');
};
const settingsOf = (text: string) =>
  readSettings({ name: 'project', text: undefined }, { name: 'user.yaml', text }, '/repo');

describe('a driver', () => {
  test.each(DRIVEN)('of %s is brought along whole: it takes both calls and knows what a version looks like', (name) => {
    const driver = aDriver(name);
    expect(driver.calls.text).toBeDefined();
    expect(driver.calls.review).toBeDefined();
    expect(driver.version?.from).toMatch(/^\d+\.\d+\.\d+$/);
    expect(driver.billing).toBe('unpriced');
    expect(driver.output.only_output).toBe(true);
  });

  test.each(DRIVEN)('of %s never asks for a mode that edits or runs', (name) => {
    const words = [aDriver(name).calls.text ?? [], aDriver(name).calls.review ?? []].flat(2);
    for (const word of ['yolo', 'danger-full-access', 'workspace-write', '--auto', '--allow-all-tools', 'auto-edit'])
      expect(words).not.toContain(word);
  });

  test('that andon brings along takes what the user says of it, and keeps the rest', () => {
    const driver = aDriver('codex', { program: '/opt/codex', env: { A: 'b' }, usd_per_million: { in: 1, out: 2 } });
    expect(driver).toMatchObject({ program: '/opt/codex', env: { A: 'b' }, billing: 'metered' });
    expect(driver.calls).toEqual(aDriver('codex').calls);
  });

  test('that asks for a key in a fresh home asks for none in the home of the user', () => {
    expect(aDriver('gemini').login).toMatchObject({ env: ['GEMINI_API_KEY'] });
    expect(aDriver('gemini', { home: 'own' }).login).toBeUndefined();
    expect(aDriver('gemini', { home: 'own', login: { env: ['MINE'], remedy: 'set MINE' } }).login).toMatchObject({
      env: ['MINE'],
    });
    expect(aDriver('codex', { home: 'own' }).login).toEqual(aDriver('codex').login);
  });

  test('that andon brings along hides the settings of agents unless the user names others', () => {
    for (const name of [...DRIVEN, 'claude-code'])
      expect(aDriver(name).calls.edit?.hide).toEqual(expect.arrayContaining(['.env', '.claude', '.github/hooks']));
    const edit = { hide: ['secrets'] };
    expect(aDriver('codex', { calls: { edit } }).calls.edit?.hide).toEqual(['secrets']);
    const own = { args: ['go'] };
    const mine = aDriver('mine', { ...MINE, calls: { edit: own }, door: { to: 'http://127.0.0.1:1' } });
    expect(mine.calls.edit?.hide).toEqual([]);
  });

  test('that knows a login works with it only where the user consents, and as it says then', () => {
    const login = { file: '.mine/auth.json', hosts: ['example.org'], env: { HTTPS_PROXY: '{door}' } };
    const door = { to: 'https://example.org/v1' };
    const edit = { args: ['a'], env: { KEY: '{key}' }, login };
    const usual = aDriver('mine', { ...MINE, door, calls: { edit } }).calls.edit;
    expect(usual).toMatchObject({ env: { KEY: '{key}' }, login: undefined });
    const consented = aDriver('mine', { ...MINE, door, calls: { edit: { ...edit, with_login: true } } }).calls.edit;
    const { file, hosts } = login;
    expect(consented).toMatchObject({ args: ['a'], env: { HTTPS_PROXY: '{door}' }, login: { file, hosts } });
    expect(aDriver('codex').calls.edit?.login).toBeUndefined();
    expect(aDriver('codex', { calls: { edit: { with_login: true } } }).calls.edit?.login?.file).toBe(
      '.codex/auth.json',
    );
  });

  test.each([
    ['b:65535', true],
    ['b:65536', false],
  ])('may lead a login to %s: %s', (host, may) => {
    const read = settingsOf(`agents: {codex: {calls: {edit: {login: {file: a, hosts: ['${host}']}}}}}\n`);
    expect(read.ok ? 'a port of at most 65535' : read.why.join()).toContain('a port of at most 65535');
    expect(read.ok).toBe(may);
  });

  test('of the user’s own needs a call and the format of its answer', () => {
    expect(aDriver('mine', MINE)).toMatchObject({ name: 'mine', program: 'mine', home: 'own', billing: 'unpriced' });
    expect(faultsOf({})).toMatch(/agents\.mine: calls: expected text, review or edit.*\n.*agents\.mine: output/);
  });

  test('whose name is nearly one that is known was probably mistyped', () => {
    expect(faultsOf({ program: '/opt/codex' }, 'codx')).toContain('did you mean agents.codex?');
    expect(faultsOf({ program: '/opt/ollama' }, 'olama')).toContain('did you mean agents.ollama?');
  });

  test.each<[string, WrittenDriver, string]>([
    ['a placeholder that nobody fills', { calls: { text: { args: ['{promt}'] } } }, '{promt} is not known'],
    ['a schema for a text call', { calls: { text: { args: ['{schema}'] } } }, 'only calls.review has a schema'],
    ['an argument without the prompt', { prompt: { via: 'argument' } }, 'prompt.via argument needs {prompt}'],
    ['a prompt on stdin and in a file', { calls: { text: { args: ['{prompt_file}'] } } }, 'stdin has no {prompt_file}'],
    ['a placeholder before every call', { args: ['{model}'] }, 'placeholders belong into calls'],
    [
      'a file of usage that nobody reads',
      { calls: { text: { args: ['{usage_file}'] } } },
      'usage.file: true go together',
    ],
    ['a consent to no login', { calls: { edit: { args: [], with_login: true } } }, 'its driver knows no login'],
    [
      'a placeholder of a login that nobody fills',
      { calls: { edit: { args: [], login: { file: 'a', hosts: ['b'], args: ['{promt}'], env: { A: '{prompt}' } } } } },
      'calls.edit.login.args: {promt} is not known',
    ],
    ['a prompt in the environment', { env: { A: '{prompt}' } }, 'only {home} and {model}'],
    ['events without a place of the answer', { output: { format: 'jsonl' } }, 'output.answer.take'],
    ['a pattern that looks back', { causes: [{ match: '(?<=a)b', kind: 'refused' }] }, 'causes[0].match: '],
    ['a version that is no pattern', { version: { args: [], match: '(' } }, 'version.match: '],
  ])('with %s is a fault with its place', (_, more, words) => {
    const fault = faultsOf({ ...MINE, ...more });
    expect(fault).toContain('config.yaml: agents.mine: ');
    expect(fault).toContain(words);
  });

  test('that nobody knows is refused with the list', () => {
    const read = readDriver('codexx', sourcesWith());
    expect(read.ok ? '' : read.why[0]).toMatch(/there is no driver codexx; did you mean codex\?.*opencode, qwen/);
    expect(listDriverNames(sourcesWith({ mine: MINE }))).toEqual([
      'claude',
      'codex',
      'copilot',
      'gemini',
      'mine',
      'ollama',
      'opencode',
      'qwen',
    ]);
  });
});

describe('a server', () => {
  const LOCAL = { url: 'http://127.0.0.1:8080/v1' };

  test.each(['http://127.0.0.1:8080/v1', 'http://localhost:1/v1/', 'http://[::1]:1/v1'])(
    'at %s is on this machine',
    (url) => {
      expect(readDriver('mine', sourcesWith({ mine: { server: { url } } })).ok).toBe(true);
    },
  );

  test.each<[string, WrittenDriver, string]>([
    ['elsewhere', { server: { url: 'https://example.org/v1' } }, 'not this machine'],
    [
      'whose name only looks like this machine',
      { server: { url: 'http://127.0.0.1.example.org/v1' } },
      'not this machine',
    ],
    [
      'with a key in its address',
      { server: { url: 'http://a:b@127.0.0.1/v1' } },
      'a key does not belong into an address',
    ],
    ['that is also a program', { server: LOCAL, program: '/bin/sh' }, 'program: a server takes only'],
    ['with variables', { server: LOCAL, env: { A: 'b' } }, 'env: a server takes only'],
  ])('%s is a fault', (_, own, words) => {
    expect(faultsOf(own)).toContain(words);
  });

  test('elsewhere may be meant', () => {
    expect(faultsOf({ server: { url: 'https://example.org/v1', remote: true } })).toBe('');
  });
});

describe('the user’s configuration', () => {
  test('may name drivers beside ollama', () => {
    const read = settingsOf('agents: { codex: { model: m }, claude: { model: sonnet } }');
    expect(read).toMatchObject({ ok: true, value: { drivers: { codex: { model: 'm' } } } });
    expect(read.ok && Object.keys(read.value.drivers)).toEqual(['codex', 'claude']);
  });

  test.each([
    ['agents: { codex: { modle: m } }', 'agents.codex: ', 'did you mean model?'],
    ['agents: { codex: { output: { format: xml } } }', 'agents.codex.output.format', 'xml'],
    ['agents: { codex: { home_files: { ../x: a } } }', 'agents.codex.home_files', ''],
    ['agents: { codex: { output: { format: json, answer: { take: "a b" } } } }', 'answer.take', ''],
    ['agents: { ollama: { calls: {} } }', 'agents.ollama', 'calls'],
  ])('%s is a fault with its place', (text, place) => {
    const read = settingsOf(text);
    expect(read.ok ? '' : read.why.join('\n')).toContain(place);
  });

  test('is the only one that may: a repository that names programs is told so', () => {
    const read = readSettings(
      { name: 'project', text: 'agents: { codex: { program: /tmp/evil } }' },
      { name: 'user', text: undefined },
      '/repo',
    );
    expect(read.ok && read.value.notices.join()).toContain('a repository may not decide');
    expect(read.ok && read.value.drivers).toEqual({});
  });
});

describe('a rule over events', () => {
  const event = { type: 'item.completed', item: { type: 'agent_message', text: 'x' }, n: 3, ok: false };

  test('holds where every name leads to what it says', () => {
    expect(matchesEvent(event, { type: 'item.completed', 'item.type': ['a', 'agent_message'], ok: false })).toBe(true);
    expect(matchesEvent(event, { 'item.type': 'error' })).toBe(false);
    expect(matchesEvent(event, { 'item.nothing': 'x' })).toBe(false);
    expect(matchesEvent(event, {})).toBe(true);
  });

  test.each(['constructor', '__proto__', 'toString', 'item.constructor.name'])('%s leads nowhere', (path) => {
    expect(findFirstValue(event, path)).toBeUndefined();
  });

  test('adds up amounts, also over every key of a map; what is no amount is unknown', () => {
    const usage = { stats: { a: { in: 2 }, b: { in: 3 }, c: { in: -4 } } };
    expect(countEventUsage(usage, { in: 'stats.*.in' }).tokensIn).toBe(5);
    expect(countEventUsage(usage, { in: ['stats.a.in', 'stats.b.in'] }).tokensIn).toBe(5);
    expect(countEventUsage(usage, { in: 'stats.d.in', out: 'stats' })).toMatchObject({
      tokensIn: null,
      tokensOut: null,
    });
  });
});

describe('a stream of events', () => {
  const { output } = aDriver('codex');
  const lines = [
    { type: 'error', message: 'Reconnecting… ü' },
    { type: 'item.completed', item: { type: 'agent_message', text: 'ä final answer' } },
    { type: 'turn.completed', usage: { input_tokens: 7, output_tokens: 2 } },
  ];
  const bytes = Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));

  test('is understood alike however its bytes are cut', () => {
    const whole = followProgram(output);
    whole.follow(bytes);
    assert(
      property(array(integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const story = followProgram(output);
        let from = 0;
        for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          story.follow(bytes.subarray(from, to));
          from = to;
        }
        expect(story.story()).toEqual(whole.story());
      }),
    );
    expect(whole.story()).toMatchObject({ isDone: true, answer: 'ä final answer', counted: { tokensIn: 7 } });
  });

  test.each(['json-array', 'jsonl'] as const)('reads the events of a list, as %s', (format) => {
    const story = followProgram({ ...output, format });
    story.follow(Buffer.from(`${JSON.stringify(lines)}\n`));
    expect(story.story()).toMatchObject({ isDone: true, answer: 'ä final answer', unreadable: undefined });
  });

  test('never breaks on anything at all', () => {
    assert(
      property(uint8Array({ maxLength: 400 }), json(), (noise, text) => {
        for (const format of ['jsonl', 'json', 'json-array', 'text'] as const) {
          const story = followProgram({ ...output, format });
          story.follow(noise);
          story.follow(Buffer.from(`\n${text}\n`));
          expect(typeof story.story().answer).toBe('string');
        }
      }),
    );
  });

  test('tells of life by progress alone: not by trouble, nor by what is no event', () => {
    const story = followProgram(output);
    expect(story.follow(Buffer.from('{"type":"error","message":"x"}\n'))).toBe('no life');
    expect(story.follow(Buffer.from('hello\n'))).toBe('no life');
    expect(story.follow(Buffer.from('{"type":"turn.started"}\n'))).toBe('life');
  });
});

describe('versions', () => {
  test.each([
    ['0.168.9', '0.169.0', true],
    ['0.169.0', '0.169.0', false],
    ['0.169', '0.169.0', false],
    ['1.0.0', '0.169.0', false],
    ['0.15.10', '0.24.4', true],
  ])('%s before %s: %s', (one, other, older) => {
    expect(isOlder(one, other)).toBe(older);
  });

  test('are found in a line', () => {
    expect(findVersion('codex-cli 0.169.0')).toBe('0.169.0');
    expect(findVersion('no version')).toBeUndefined();
  });
});

describe('the files that a judge has opened', () => {
  const openedBy = (name: (typeof DRIVEN)[number], events: readonly object[]): readonly string[] => {
    const program = followProgram(aDriver(name).output);
    program.follow(Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
    return program.story().opened;
  };
  const asks = { type: 'tool_use', tool_name: 'read_file', tool_id: 'a', parameters: { file_path: 'change.diff' } };
  const reads = (tool: string, status: string, filePath: string) => ({
    type: 'tool_use',
    part: { tool, state: { status, input: { filePath } } },
  });

  test('count for gemini once the tool has ended well', () => {
    expect(openedBy('gemini', [asks])).toEqual([]);
    expect(openedBy('gemini', [asks, { type: 'tool_result', tool_id: 'a', status: 'error' }])).toEqual([]);
    expect(openedBy('gemini', [asks, { type: 'tool_result', tool_id: 'b', status: 'success' }])).toEqual([]);
    expect(openedBy('gemini', [asks, { type: 'tool_result', tool_id: 'a', status: 'success' }])).toEqual([
      'change.diff',
    ]);
  });

  test('count for opencode where its reading tool has completed', () => {
    expect(openedBy('opencode', [reads('read', 'error', 'a')])).toEqual([]);
    expect(openedBy('opencode', [reads('grep', 'completed', 'a')])).toEqual([]);
    expect(openedBy('opencode', [reads('read', 'completed', 'a'), reads('read', 'completed', 'a')])).toEqual(['a']);
  });

  test('are unknown of a program whose driver does not say where it tells them', () => {
    expect(openedBy('codex', [asks, reads('read', 'completed', 'a')])).toEqual([]);
  });
});
