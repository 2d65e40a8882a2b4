/** @module-tag thorough */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STAND_INS, aWorld } from './stand-in.ts';

type Question = readonly [program: string, ...args: string[]];

const VERSION: Question = ['ollama', '--version'];
const PS: Question = ['ollama', 'ps'];
const SHOW: Question = ['ollama', 'show', 'qwen2.5-coder'];
const QUESTIONS: readonly Question[] = [
  VERSION,
  PS,
  SHOW,
  ['ollama', 'show', 'deepseek-r1:latest'],
  ['claude', '--version'],
  ['claude', 'auth', 'status'],
];
const QWEN = { context: 32_768, loaded: true };
const DEEPSEEK = { context: 4096, loaded: false };
const PLAIN = { models: { 'qwen2.5-coder': QWEN, 'deepseek-r1': DEEPSEEK }, ollama: [{ reply: 'x' }], claude: [] };

/** What the executable says to each question, and what the program behind it says where it did not answer itself. */
async function askBoth(world: Awaited<ReturnType<typeof aWorld>>, questions: readonly Question[]) {
  const said = [];
  for (const [program, ...args] of questions) {
    const ask = async (command: string, words: readonly string[]) => {
      const { code, stdout, stderr } = await world.run(command, [...words]);
      return { question: `${program} ${args.join(' ')}`, code, stdout, stderr };
    };
    const one = await ask(program, args);
    const noted = world.log().at(-1);
    const byShell = noted !== undefined && noted['env'] === undefined;
    const other = byShell ? await ask(process.execPath, [join(STAND_INS, `${program}.mjs`), ...args]) : one;
    said.push({ one, other, byShell });
  }
  return said;
}

describe('a plain question', () => {
  test('is answered without Node.js, in the same words, also after a model was loaded', async () => {
    const world = await aWorld(PLAIN);
    for (let round = 0; round < 2; round += 1) {
      const said = await askBoth(world, QUESTIONS);
      for (const { one, other, byShell } of said) expect({ ...one, byShell }).toEqual({ ...other, byShell: true });
      await world.run('ollama', ['run', 'deepseek-r1'], { stdin: 'hi' });
    }
    expect((await world.run('ollama', ['ps'])).stdout).toMatch(/^deepseek-r1:latest /m);
  });

  test('is noted with its arguments, folder and process', async () => {
    const world = await aWorld(PLAIN);
    const running = world.start('ollama', ['show', 'qwen2.5-coder']);
    await running.closed;
    const argv = ['show', 'qwen2.5-coder'];
    const noted = { program: 'ollama', argv, cwd: world.folder, pid: running.child.pid, prompt: null, answer: null };
    expect(world.log()).toEqual([noted]);
  });

  test.each([
    ['a server that is down', { ...PLAIN, ollama_server: false }, VERSION],
    ['another version', { ...PLAIN, ollama_version: { client: '0.1.0', server: '0.2.0' } }, VERSION],
    ['a behaviour', { ...PLAIN, ollama_does: { ps: [{ exit: 3 }] } }, PS],
    ['nobody logged in', { ...PLAIN, claude_auth: false }, ['claude', 'auth', 'status']],
    ['no models', { ...PLAIN, models: {} }, PS],
    ['a model that says more of itself', { ...PLAIN, models: { 'qwen2.5-coder': { ...QWEN, largest: 8192 } } }, SHOW],
    ['a model loaded with another context', { ...PLAIN, models: { x: { ...QWEN, loaded_as: 2048 } } }, PS],
    ['a model without a context', { ...PLAIN, models: { 'qwen2.5-coder': { loaded: true } } }, SHOW],
    ['a model with a tag', { ...PLAIN, models: { 'qwen2.5-coder:7b': QWEN } }, PS],
    ['more context than there can be', { ...PLAIN, models: { x: { ...QWEN, context: 999_999 } } }, PS],
    ['other keys first', { claude: [], models: PLAIN.models, ollama: PLAIN.ollama }, PS],
    ['an unknown key', { nosuch: 1, ...PLAIN }, VERSION],
  ] as const)('is left to the program behind it with %s in the scenario', async (_, scenario, question) => {
    const [said] = await askBoth(await aWorld(scenario), [question]);
    expect(said?.byShell).toBe(false);
  });

  test('knows a model that was made meanwhile', async () => {
    const world = await aWorld(PLAIN);
    await writeFile(world.path('Modelfile'), 'FROM qwen2.5-coder\nPARAMETER num_ctx 8192\n');
    await world.run('ollama', ['create', 'mine']);
    const asked = await askBoth(world, [['ollama', 'show', 'mine'], PS, ['ollama', 'show', 'nosuch']]);
    for (const { one, other } of asked) expect(one).toEqual(other);
    expect(asked[0]?.one.stdout).toContain('8192');
  });
});
