import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOllama } from '../../../src/agents/drivers/ollama.ts';
import type { AgentCall } from '../../../src/agents/agent.ts';
import { aRunner, isAlive, until } from '../sandbox/processes/a-runner.ts';
import { STAND_INS, aWorld } from '../stand-ins/stand-in.ts';
import { hostFor } from '../../support/stand-in-host.ts';

const QWEN = 'qwen2.5-coder';
const READY = { [QWEN]: { context: 8192, loaded: true } };
const ANSWERS = [{ reply: 'FILE: a.md' }];

/** The adapter in front of the stand-in that plays this scenario. */
async function anOllama(scenario: object = {}, models: Record<string, string> = {}) {
  const world = await aWorld({ models: READY, ollama: ANSWERS, ...scenario });
  hostFor(world.scenario);
  const settings = {
    program: join(STAND_INS, 'ollama'),
    args: [],
    env: {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      ANDON_SCENARIO: world.scenario,
    },
    models,
  };
  const agent = createOllama(aRunner().run, settings, {});
  mkdirSync(world.path('work'), { recursive: true });
  const run = (changes: Partial<AgentCall> = {}) =>
    agent.run({
      prompt: 'Write the file.',
      model: QWEN,
      folder: world.path('work'),
      idleMs: 30_000,
      hardMs: 40_000,
      signal: new AbortController().signal,
      ...changes,
    });
  const commands = () => world.log().map(({ argv }) => (argv as string[]).slice(0, 2).join(' '));
  return { world, agent, run, commands, local: agent.localModels };
}

describe('ollama that misbehaves while it answers', () => {
  it.each([
    ['prints nothing', ['empty'], {}, 'empty', 'nothing'],
    ['never ends', ['endless'], { hardMs: 2500 }, 'stall', 'hard limit'],
    ['turns its spinner and says nothing', ['silent'], { idleMs: 800 }, 'stall', 'no sign of life'],
    ['prints what is no UTF-8', ['invalid-utf8'], {}, 'unreadable', 'UTF-8'],
    ['is killed', [{ signal: 'SIGKILL' }], {}, 'crash', 'SIGKILL'],
    ['ends by SIGTERM', [{ signal: 'SIGTERM' }], {}, 'crash', 'SIGTERM'],
    ['ends with an exit code', [{ exit: 3 }], {}, 'crash', '3'],
    ['is not signed in, and ends with 0', ['signed-out'], {}, 'refused', 'ollama signin'],
    ['loses its model meanwhile', ['pull-fails'], {}, 'refused', `ollama pull ${QWEN}`],
    ['finds no server any more', ['server-down'], {}, 'unavailable', 'ollama serve'],
    ['breaks off because its server dies', [{ 'cut-after': 2 }], {}, 'crash', 'unexpected EOF'],
  ] as [string, unknown[], Partial<AgentCall>, string, string][])('%s', async (_, does, limits, kind, words) => {
    const { run } = await anOllama({ ollama: [{ reply: 'again ', does }] });
    expect(await run(limits)).toMatchObject({ ok: false, why: { kind, detail: expect.stringContaining(words) } });
  });

  it('leaves a grandchild that holds the pipe: the answer counts, and the grandchild is ended', async () => {
    const { run, world } = await anOllama({ ollama: [{ reply: 'done', does: ['grandchild'] }] });
    expect(await run()).toMatchObject({ ok: true, value: { text: 'done\n\n' } });
    expect(await until(() => world.grandchildren().every((pid) => !isAlive(pid)))).toBe(true);
  });

  it('a server that died in the middle of an answer is waited for by the call that comes after it', async () => {
    const { run, world } = await anOllama({ ollama: [{ reply: 'half of it', does: [{ 'cut-after': 4 }] }] });
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'crash' } });
    writeFileSync(world.scenario, JSON.stringify({ models: READY, ollama_server: false }));
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'unavailable' } });
  });
});

describe('ollama that misbehaves before it answers', () => {
  it.each([
    ['has no server', { ollama_server: false }, {}, 'unavailable', 'ollama serve'],
    ['goes down just now', { ollama_does: { show: ['cut-after'] } }, {}, 'unavailable', 'EOF'],
    ['has no such model', { models: {} }, {}, 'refused', `ollama pull ${QWEN}`],
    [
      'is too old',
      { ollama_unknown: ['hidethinking'] },
      {},
      'refused',
      'too old (Error: unknown flag: --hidethinking)',
    ],
    ['does not answer a question', { ollama_does: { show: ['silent'] } }, { hardMs: 1000 }, 'stall', 'hard limit'],
    ['prints 100 MB', { ollama_does: { show: [{ megabytes: 100 }] } }, {}, 'unreadable', 'more than andon reads'],
    ['is killed', { ollama_does: { show: [{ signal: 'SIGKILL' }] } }, {}, 'crash', 'SIGKILL'],
    ['refuses', { ollama_does: { show: [{ exit: 5 }] } }, {}, 'refused', '5'],
  ] as [string, object, Partial<AgentCall>, string, string][])('%s', async (_, scenario, limits, kind, words) => {
    const { run } = await anOllama(scenario);
    expect(await run(limits)).toMatchObject({ ok: false, why: { kind, detail: expect.stringContaining(words) } });
  });

  it.each([
    ['fails', [{ exit: 1 }]],
    ['prints nothing', ['empty']],
    ['prints what is no table', ['invalid-utf8']],
  ])('`ollama ps` that %s leaves the window that the model asks for', async (_, ps) => {
    const { run } = await anOllama({ ollama_does: { ps } });
    expect((await run()).ok).toBe(true);
  });

  it('`ollama ps` that fails leaves a model that asks for no window the least one', async () => {
    const { run } = await anOllama({ models: { [QWEN]: {} }, ollama_does: { ps: [{ exit: 1 }] } });
    const long = await run({ prompt: 'word '.repeat(2500) });
    expect(long).toMatchObject({ ok: false, why: { kind: 'too-long', detail: expect.stringContaining('4096') } });
  });

  it('a load that fails is told as what it is, and nothing is asked after it', async () => {
    const { run, world } = await anOllama({ models: { [QWEN]: {} }, ollama_does: { run: [{ exit: 2 }] } });
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'crash' } });
    expect(world.log().filter(({ prompt }) => prompt === 'Write the file.')).toEqual([]);
  });

  it('ends while it looks for the window, when andon says so', async () => {
    const { run, world } = await anOllama({ ollama_does: { ps: ['silent', { touch: 'begun' }] } });
    const abort = new AbortController();
    const running = run({ signal: abort.signal });
    expect(await until(() => existsSync(world.path('begun')))).toBe(true);
    abort.abort();
    expect(await running).toMatchObject({ ok: false, why: { kind: 'aborted' } });
  });
});

describe('the window of a model', { tags: 'thorough' }, () => {
  it('that is loaded as it asks for is not loaded again', async () => {
    const { run, commands } = await anOllama();
    await run();
    expect(commands()).toEqual([`show ${QWEN}`, 'ps', `run ${QWEN}`]);
  });

  it('that somebody else loaded in another size is the one that andon gets by itself', async () => {
    const { run, commands } = await anOllama({
      models: { [QWEN]: { context: 32_768, loaded: true, loaded_as: 2048 } },
    });
    expect((await run({ prompt: 'word '.repeat(5000) })).ok).toBe(true);
    expect(commands()).toEqual([`show ${QWEN}`, 'ps', `run ${QWEN}`, 'ps', `run ${QWEN}`]);
  });

  it('is never larger than what the model was made for', async () => {
    const { run } = await anOllama({ models: { [QWEN]: { context: 131_072, largest: 4096 } } });
    const long = await run({ prompt: 'word '.repeat(2500) });
    expect(long).toMatchObject({ ok: false, why: { kind: 'too-long', detail: expect.stringContaining('4096') } });
  });
});

describe('a model that stands for another one', () => {
  it('is asked in its place, with or without a tag, and is named as who answered', async () => {
    const scenario = { models: { mine: { context: 8192, loaded: true } } };
    const { run } = await anOllama(scenario, { [QWEN]: 'mine' });
    expect(await run()).toMatchObject({ ok: true, value: { answeredBy: 'mine' } });
    expect(await run({ model: `${QWEN}:latest` })).toMatchObject({ ok: true, value: { answeredBy: 'mine' } });
    expect(await run({ model: 'constructor' })).toMatchObject({ ok: false, why: { kind: 'refused' } });
  });

  it('that is missing is not to be pulled', async () => {
    const { run } = await anOllama({}, { [QWEN]: 'andon-qwen2.5-coder-32k' });
    const result = await run();
    expect(result).toMatchObject({ why: { kind: 'refused', detail: expect.stringContaining('andon doctor --fix') } });
    expect(JSON.stringify(result)).not.toContain('pull');
  });

  it('is made from one that is there, under a name that says so', { tags: 'thorough' }, async () => {
    const { local, world } = await anOllama({ models: { 'hf.co/you/coder:7b': { context: 2048 } } });
    expect(await local?.derive('hf.co/you/coder:7b', 32_768, world.folder)).toEqual({
      ok: true,
      value: 'andon-hf.co-you-coder-7b-32k',
    });
    expect(await local?.window('andon-hf.co-you-coder-7b-32k', { load: true })).toMatchObject({
      ok: true,
      value: { tokens: 32_768, known: 'loaded' },
    });
  });

  it('is not made from one that is missing, which ollama would pull, nor from a name that is more than a name', async () => {
    const { local, world, commands } = await anOllama();
    expect(await local?.derive('nobody', 32_768, world.folder)).toMatchObject({ ok: false });
    expect(await local?.derive('x\nPARAMETER stop x', 32_768, world.folder)).toMatchObject({ ok: false });
    expect(commands().filter((command) => command.startsWith('create'))).toEqual([]);
  });
});

describe('the models that are there', { tags: 'thorough' }, () => {
  it('are listed; none when nobody answers', async () => {
    expect(await (await anOllama()).agent.models?.()).toEqual([`${QWEN}:latest`]);
    expect(await (await anOllama({ ollama_server: false })).agent.models?.()).toEqual([]);
  });

  it.each([
    [{}, { ok: true, value: '0.33.0' }],
    [{ ollama_version: { server: '0.30.1' } }, { ok: true, value: '0.33.0, its server 0.30.1' }],
    [{ ollama_server: false }, { ok: false, why: { remedy: 'start it with `ollama serve`' } }],
    [
      { ollama_unknown: ['think', 'nowordwrap'] },
      {
        ok: false,
        why: { why: expect.stringContaining('--nowordwrap, --think'), remedy: expect.stringContaining('update') },
      },
    ],
    [
      { ollama_does: { version: ['empty'] } },
      {
        ok: false,
        why: { why: expect.stringContaining('gives no version'), remedy: expect.stringContaining('install') },
      },
    ],
    [
      { ollama_does: { version: [{ signal: 'SIGSEGV' }] } },
      { ok: false, why: { why: expect.stringContaining('SIGSEGV') } },
    ],
    [
      { ollama_does: { version: [{ megabytes: 100 }] } },
      { ok: false, why: { why: expect.stringContaining('printed more') } },
    ],
  ])('are in the hands of a program that is ready or says why not: %j', async (scenario, expected) => {
    expect(await (await anOllama(scenario)).local?.ready()).toMatchObject(expected);
  });
});
