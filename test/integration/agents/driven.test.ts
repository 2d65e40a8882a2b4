import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDrivenAgent } from '../../../src/agents/drivers/driven-agent.ts';
import { createEnclosure } from '../../../src/sandbox/cage/enclose.ts';
import type { WrittenDriver } from '../../../src/project/config/driver-schema.ts';
import type { AgentCall } from '../../../src/agents/agent.ts';
import { DRIVEN, KEYS, aDriver, aScript, type Driven } from '../../support/drivers.ts';
import { aRunner, until } from '../sandbox/processes/a-runner.ts';
import { STAND_INS, aWorld } from '../stand-ins/stand-in.ts';
import { makePrivateFolder } from '../../../src/agents/drivers/private-folder.ts';

type Call = Record<string, unknown>;

const SCHEMA = { type: 'object', properties: { verdict: { enum: ['PASS', 'FAIL'] } }, required: ['verdict'] };
const NOW = { at: new Date('2026-11-23T18:00:00.000Z'), zone: 'UTC' };
const UNUSED = { tokensIn: 0, tokensOut: 0, usd: 0 };
const OPINION = { verdict: 'PASS', critical_security_flaw: false, findings: [] };

/** A program behind its stand-in, which plays these calls. */
async function aDriven(
  name: Driven | 'mine',
  calls: readonly Call[],
  own: WrittenDriver = {},
  more: object = {},
  privateFolder?: () => never,
) {
  const world = await aWorld({ models: {}, [name === 'mine' ? 'codex' : name]: calls, ...more });
  mkdirSync(world.path('work'), { recursive: true });
  const program = name === 'mine' ? {} : { program: join(STAND_INS, name) };
  const agent = createDrivenAgent(aDriver(name, { ...program, ...own }), {
    run: aRunner().run,
    env: {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: world.path('home'),
      ANDON_SCENARIO: world.scenario,
      ...KEYS,
    },
    privateFolder: privateFolder ?? (() => makePrivateFolder(world.path('state'))),
    now: () => NOW,
    enclosure: createEnclosure('none', aRunner().run, {
      home: world.path('home'),
      environment: {},
      hide: [],
      read: [],
    }),
  });
  const run = (changes: Partial<AgentCall> = {}) =>
    agent.run({
      prompt: 'Write the file.',
      model: 'm1',
      folder: world.path('work'),
      idleMs: 30_000,
      hardMs: 40_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { world, agent, run };
}

const left = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

for (const name of DRIVEN) {
  describe(name, { tags: ['codex', 'gemini'].includes(name) ? [] : 'thorough' }, () => {
    test('gives back its last words as the answer, what it used, and its exit code', async () => {
      const { run, world } = await aDriven(name, [{ reply: 'FILE: a.md', usage: { in: 120, out: 30 } }]);
      const result = await run();
      expect(result).toMatchObject({
        ok: true,
        value: { text: 'FILE: a.md', exit: 0, tokensIn: 120, usd: null },
      });
      expect(result.ok && result.value.tokensOut).toBe(name === 'gemini' ? 33 : 30);
      expect(left(world.path('state/homes'))).toEqual([]);
      expect(world.log().at(-1)).toMatchObject({ prompt: 'Write the file.', files: [] });
    });

    test('answers by a schema as a reviewer, also in a fence', async () => {
      const { run } = await aDriven(name, [{ structured: OPINION, does: ['fenced'] }]);
      const result = await run({ schema: SCHEMA });
      expect(result.ok && result.value.text).toContain('"verdict":"PASS"');
    });

    test('an answer of nothing is empty, or a failure it owns up to, and never an answer', async () => {
      const { run } = await aDriven(name, [{ reply: 'x', does: ['empty'] }]);
      expect(await run()).toMatchObject({ ok: false, why: { kind: name === 'qwen' ? 'crash' : 'empty' } });
    });

    test('401 needs a human, and says what to do', async () => {
      const { run } = await aDriven(name, [{ reply: 'x', does: [{ 'api-error': 401 }] }]);
      const result = await run();
      expect(result).toMatchObject({ ok: false, why: { kind: 'refused' } });
      expect(!result.ok && result.why.detail).toContain(name);
    });

    test('a version that is too old is refused, and the old Node.js that brings it is named', async () => {
      const { agent } = await aDriven(name, [], {}, { versions: { [name]: '0.0.9' } });
      const fit = await agent.fit?.();
      expect(fit).toMatchObject({ ok: false });
      expect(fit?.ok === false && fit.why).toMatch(/0\.0\.9 is older than .* old Node\.js/);
    });

    test('a version that fits is told by the probe, and nothing is asked of a model', async () => {
      const { agent, world } = await aDriven(name, []);
      const found = await agent.probe('m1');
      expect(found.ok && found.value).toContain(name);
      expect(world.log().filter(({ prompt }) => prompt !== null)).toEqual([]);
    });

    test('another program of that name is not taken for it', async () => {
      const world = await aWorld({ models: {} });
      const other = aScript(world.folder, name, ['echo "something else"']);
      const { agent } = await aDriven(name, [], { program: other });
      expect(await agent.fit?.()).toMatchObject({ ok: false, why: expect.stringContaining('something else') });
    });

    test('ended by a signal before its last word it has crashed', async () => {
      const { run } = await aDriven(name, [{ reply: 'FILE: a.md', does: [{ signal: 'SIGKILL' }] }]);
      expect(await run()).toMatchObject({ ok: false, why: { kind: 'crash' } });
    });

    test('silence is a stall, and every process of it is gone after it', { tags: 'thorough' }, async () => {
      const { run, world } = await aDriven(name, [{ reply: 'x', does: ['silent', 'ignore-term', 'ignore-int'] }]);
      expect(await run({ idleMs: 1500 })).toMatchObject({ ok: false, why: { kind: 'stall' } });
      const pids = world.log().map(({ pid }) => Number(pid));
      await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)));
      expect(left(world.path('state/homes'))).toEqual([]);
    });

    test('a tool that it was refused does not make a clean end an answer', async () => {
      const { run } = await aDriven(name, [{ reply: 'x', does: ['refused-tool'] }]);
      expect(await run()).toMatchObject({ ok: false });
    });

    test('what it did not tell of its usage is unknown, not zero', async () => {
      const { run } = await aDriven(name, [{ reply: 'FILE: a.md', does: ['no-usage'] }]);
      expect(await run()).toMatchObject({ ok: true, value: { tokensIn: null, tokensOut: null, usd: null } });
    });

    test('bytes that are no UTF-8 are no answer', async () => {
      const { run } = await aDriven(name, [{ reply: 'FILE: a.md', does: ['invalid-utf8'] }]);
      expect(await run()).toMatchObject({ ok: false, why: { kind: 'unreadable' } });
    });
  });
}

describe('codex', () => {
  test('a network that is gone ends at the stall limit however many lines tell of it, and is waited for', async () => {
    const { run } = await aDriven('codex', [{ reply: 'x', does: ['retrying'] }]);
    const result = await run({ idleMs: 1500 });
    expect(result).toMatchObject({ ok: false, why: { kind: 'unavailable' } });
    expect(!result.ok && result.why.detail).toContain('Reconnecting... waiting for network');
  });

  test.each([
    ['or try again at 10:10 PM.', '2026-11-23T22:10:00.000Z'],
    ['or try again at Nov 25th, 2026 8:49 PM.', '2026-11-25T20:49:00.000Z'],
    ['or try again later.', undefined],
  ])('a usage limit is waited for until the time that it names: %s', async (words, until_) => {
    const said = `You’ve hit your usage limit. Upgrade to Pro, ${words}`;
    const { run } = await aDriven('codex', [{ reply: 'x', does: [{ 'usage-limit': said }] }]);
    const result = await run();
    expect(result).toMatchObject({ ok: false, why: { kind: 'unavailable' } });
    expect(!result.ok && result.why.until).toBe(until_);
  });

  test('an end without its last event is no success, whatever the exit code', async () => {
    const { run } = await aDriven('codex', [{ reply: 'FILE: a.md', does: ['unfinished'] }]);
    expect(await run()).toMatchObject({
      ok: false,
      why: { kind: 'crash', detail: expect.stringContaining('never said') },
    });
  });

  test('a prompt that it would refuse is not sent', async () => {
    const { run, world } = await aDriven('codex', [{ reply: 'x' }]);
    expect(await run({ prompt: 'x'.repeat(1_048_577) })).toMatchObject({
      ok: false,
      why: { kind: 'too-long', ...UNUSED },
    });
    expect(world.log()).toEqual([]);
  });

  test('without a model it is not given an empty one', async () => {
    const { run, world } = await aDriven('codex', [{ reply: 'FILE: a.md' }]);
    expect((await run({ model: '' })).ok).toBe(true);
    expect(world.log().at(-1)?.['argv']).not.toContain('-m');
  });

  test('nobody logged in is found out without a call', async () => {
    const { agent } = await aDriven('codex', [], {}, { logged_out: ['codex'] });
    expect(await agent.probe('')).toMatchObject({ ok: false, why: expect.stringContaining('codex login') });
  });

  test('the user’s prices make dollars of tokens, cached ones cheaper', async () => {
    const prices = { usd_per_million: { in: 10, cached: 1, out: 100 } };
    const { run, agent } = await aDriven('codex', [{ reply: 'FILE: a.md', usage: { in: 1200, out: 10 } }], prices);
    expect(agent.capabilities.billing).toBe('metered');
    const result = await run();
    expect(result.ok && result.value.usd).toBeCloseTo((1000 * 10 + 200 * 1 + 10 * 100) / 1_000_000, 9);
  });
});

test('gemini works in a home of its own, which holds its settings and is gone afterwards', async () => {
  const { run, world } = await aDriven('gemini', [{ reply: 'FILE: a.md' }]);
  expect((await run()).ok).toBe(true);
  expect(String(world.log().at(-1)?.['home'])).toContain('/state/homes/');
  expect(existsSync(String(world.log().at(-1)?.['home']))).toBe(false);
});

test('a 429 of gemini is waited for by its exit code alone', async () => {
  const { run } = await aDriven('gemini', [{ reply: 'x', does: [{ 'api-error': 429 }] }]);
  expect(await run()).toMatchObject({ ok: false, why: { kind: 'unavailable', exit: 173 } });
});

test.each(['qwen', 'copilot'] as const)(
  'a launcher of %s that dies alone leaves nothing running',
  { tags: 'thorough' },
  async (name) => {
    const calls = [{ reply: 'x', does: ['launcher-dies', 'silent', 'grandchild'] }];
    const { run, world } = await aDriven(name, calls);
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'crash' } });
    const pids = [...world.log().map(({ pid }) => Number(pid)), ...world.grandchildren()];
    await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)));
  },
);

describe('a program of the user’s own', () => {
  const written = (program: string, more: WrittenDriver = {}): WrittenDriver => ({
    program,
    calls: { text: { args: [] } },
    output: { format: 'text' },
    ...more,
  });
  const withScript = async (lines: readonly string[], more: WrittenDriver = {}) => {
    const world = await aWorld({ models: {} });
    return aDriven('mine', [], written(aScript(world.folder, 'mine', lines), more));
  };

  test('needs no more than its name and the format of its answer', async () => {
    const { run, agent } = await withScript(['printf "it was asked: "; cat']);
    expect(await run()).toMatchObject({ ok: true, value: { text: 'it was asked: Write the file.', usd: null } });
    expect(agent.worksAt).toEqual(['implementer']);
  });

  test('arguments reach it as they are: no shell reads them, and what is put in is not looked through again', async () => {
    const calls = { text: { args: ['{prompt}', '$(id)', '; exit 7', '{"a":1}'] } };
    const { run } = await withScript(['for one; do echo "[$one]"; done'], { prompt: { via: 'argument' }, calls });
    const result = await run({ prompt: '{model} `id`' });
    expect(result.ok && result.value.text).toBe('[{model} `id`]\n[$(id)]\n[; exit 7]\n[{"a":1}]\n');
  });

  test('a prompt may lie in a file, which is gone afterwards', async () => {
    const calls = { text: { args: ['{prompt_file}'] } };
    const { run, world } = await withScript(['cat "$1"; echo "$1" > ../named'], { prompt: { via: 'file' }, calls });
    expect(await run()).toMatchObject({ ok: true, value: { text: 'Write the file.' } });
    expect(existsSync(readFileSync(world.path('named'), 'utf8').trim())).toBe(false);
  });

  test('sees nothing of the environment that it was not given', async () => {
    const { run } = await withScript(['env | cut -d= -f1 | sort | tr "\\n" " "'], { env: { EXTRA: '1' } });
    const result = await run();
    expect(result.ok && result.value.text).toContain('EXTRA');
    expect(result.ok && result.value.text).not.toContain('npm_');
  });

  test('an exit code of 0 with words only on stderr is empty', async () => {
    const { run } = await withScript(['echo "all is well" >&2']);
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'empty' } });
  });

  test.each([77, 401, 404, 429, 512])('a crash in line %d of its source is a crash', async (line) => {
    const causes = [{ match: '(?i)\\b(?:40[14]|429|5\\d\\d)\\b', kind: 'unavailable' as const }];
    const lines = [`printf 'TypeError: x\\n    at run (/lib/cli.js:${line}:17)\\n' >&2`, 'exit 1'];
    const { run } = await withScript(lines, { causes });
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'crash' } });
  });

  test('more than andon reads is ended', async () => {
    const { run } = await withScript(['yes']);
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'unreadable' } });
  });

  test('one that is not there is missing', async () => {
    const { run } = await aDriven('mine', [], written('/nowhere/mine'));
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'missing', ...UNUSED } });
  });

  test.each([
    ['ENOSPC: no space left on device', 'unavailable'],
    ['EACCES: permission denied', 'refused'],
  ])('a call that cannot be prepared uses nothing: %s', async (why, kind) => {
    const noFolder = () => {
      throw new Error(why);
    };
    const { run } = await aDriven('mine', [], written('/bin/true'), {}, noFolder);
    expect(await run()).toMatchObject({
      ok: false,
      why: { kind, detail: expect.stringContaining(why), ...UNUSED },
    });
  });

  test('a call that its driver does not have is refused, and not made otherwise', async () => {
    const { run } = await withScript(['echo no']);
    expect(await run({ schema: SCHEMA })).toMatchObject({ ok: false, why: { kind: 'refused' } });
  });
});
