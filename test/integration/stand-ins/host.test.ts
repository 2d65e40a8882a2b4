/** @module-tag thorough */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostFor } from '../../support/stand-in-host.ts';
import { aWorld } from './stand-in.ts';

const CLAUDE = ['-p', '--model', 'sonnet', '--session-id', '11111111-1111-4111-8111-111111111111'];
const SCENARIO = {
  models: { 'qwen2.5-coder': { context: 4096, loaded: true } },
  ollama: [
    { when: { includes: ['one'] }, reply: 'The {{prompt:(one) of them}} ä', times: 2 },
    { when: { includes: ['two'] }, structured: { n: 2 } },
  ],
  claude: [
    {
      when: { includes: ['judge'] },
      structured: { verdict: 'PASS' },
      reply: 'PASS',
      usage: { in: 5, out: 6, usd: 0.1 },
    },
  ],
};

/** Programs with what they are given; each answer may depend on those before it. */
const ASKED: readonly (readonly [program: string, args: string[], stdin: string])[] = [
  ['ollama', ['run', 'qwen2.5-coder', '--nowordwrap'], 'one of them'],
  ['ollama', ['run', 'qwen2.5-coder', '--format', 'json', 'two'], ''],
  ['ollama', ['run', 'qwen2.5-coder'], 'one of them'],
  ['ollama', ['run', 'qwen2.5-coder'], 'one of them'],
  ['ollama', ['run', 'nobody'], 'one of them'],
  ['ollama', ['run', 'qwen2.5-coder', '--nonsense'], 'one of them'],
  ['ollama', ['ps'], ''],
  ['claude', [...CLAUDE, '--output-format', 'json'], 'judge this'],
  ['claude', CLAUDE, 'judge this'],
  ['claude', ['--print'], 'what nobody answers'],
  ['claude', ['--print'], ''],
];

/** An answer in JSON has its fields in any order, times, and ids of its own. */
const untimed = (text: string): unknown =>
  text.startsWith('{"')
    ? JSON.parse(text, (key, value: unknown) => (/_ms$|uuid$/.test(key) ? undefined : value))
    : text.replaceAll(/"\w+_ms":\d+(?:\.\d+)?/g, '');

async function saidIn(isHosted: boolean, scenario: object = SCENARIO) {
  const world = await aWorld(scenario);
  if (isHosted) hostFor(world.scenario);
  const said = [];
  for (const [program, args, stdin] of ASKED) {
    const { code, stdout, stderr } = await world.run(program, args, { stdin, env: { LC_ALL: 'C' } });
    said.push({ asked: [program, ...args].join(' '), code, stdout: untimed(stdout), stderr });
  }
  const log = world.log().map(({ at: _at, pid: _pid, cwd, ...more }) => ({ ...more, isHere: cwd === world.folder }));
  return { world, said, log };
}

describe.runIf(process.platform === 'linux')('a stand-in with a host', () => {
  test('says, notes and leaves the same as without one, and is noted by its own process', async () => {
    const [hosted, apart] = [await saidIn(true), await saidIn(false)];
    expect(hosted.said).toEqual(apart.said);
    expect(hosted.log).toEqual(apart.log);
    const left = ({ world }: typeof hosted): string[] => readdirSync(world.folder).toSorted();
    expect(left(hosted).filter((name) => name !== 'scenario.json.host')).toEqual(left(apart));
    const running = hosted.world.start('ollama', ['run', 'qwen2.5-coder'], { stdin: 'two' });
    await running.closed;
    expect(hosted.world.log().at(-1)).toMatchObject({ pid: running.child.pid });
  });

  test('is a process of its own where it waits or misbehaves', async () => {
    const world = await aWorld({
      ...SCENARIO,
      ollama: [{ reply: 'late', does: [{ touch: 'at' }, { 'wait-for': 'go' }] }],
    });
    hostFor(world.scenario);
    const waiting = world.start('ollama', ['run', 'qwen2.5-coder'], { stdin: 'x' });
    await expect.poll(() => existsSync(world.path('at'))).toBe(true);
    expect((await world.run('claude', CLAUDE, { stdin: 'judge this' })).stdout).toBe('PASS\n');
    waiting.child.kill('SIGTERM');
    expect(await waiting.exited).toMatchObject({ signal: 'SIGTERM' });
  });

  test('that is killed while it asks holds up nobody', async () => {
    const world = await aWorld(SCENARIO);
    hostFor(world.scenario);
    for (let at = 0; at < 20; at += 1) {
      const asking = world.start('claude', CLAUDE.slice(0, 3), { stdin: 'judge this' });
      let isOver = false;
      void asking.exited.then(() => (isOver = true));
      const isAsking = (): boolean => readdirSync(world.folder).some((name) => name.endsWith('.said'));
      await expect.poll(() => isOver || isAsking(), { interval: 1 }).toBe(true);
      asking.child.kill('SIGKILL');
      await asking.exited;
      for (const name of readdirSync(world.folder)) if (name.endsWith('.said')) rmSync(world.path(name));
    }
    expect((await world.run('claude', CLAUDE.slice(0, 3), { stdin: 'judge this' })).stdout).toBe('PASS\n');
  });
});
