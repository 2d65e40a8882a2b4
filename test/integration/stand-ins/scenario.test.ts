/** @module-tag thorough */
import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { STAND_INS, aWorld, until } from './stand-in.ts';

const MODELS = { m: { context: 4096 }, n: { context: 4096 } };
const RUN = ['run', 'm', '--nowordwrap'];

describe('which answer a scenario gives', () => {
  test('the first call that matches answers, by model, by what the prompt has and by what it has not', async () => {
    const world = await aWorld({
      models: MODELS,
      ollama: [
        { when: { model: 'n:latest' }, reply: 'for n' },
        { when: { includes: ['red', 'round'] }, reply: 'ball' },
        { when: { excludes: ['red'] }, reply: 'not red' },
        { reply_lines: ['any', 'thing'] },
      ],
    });
    const ask = async (model: string, stdin: string) =>
      (await world.run('ollama', ['run', model, '--nowordwrap'], { stdin })).stdout.trim();
    expect(await ask('n', 'red round')).toBe('for n');
    expect(await ask('m', 'red round')).toBe('ball');
    expect(await ask('m', 'round')).toBe('not red');
    expect(await ask('m:latest', 'red')).toBe('any\nthing');
  });

  test('twenty processes at once use a call exactly as often as it may be used', async () => {
    const world = await aWorld({
      models: MODELS,
      ollama: [{ times: 3, reply: 'first' }, { times: 5, reply: 'second' }, { reply: 'rest' }],
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => world.run('ollama', RUN, { stdin: 'hi' })));
    const count = (reply: string): number => all.filter(({ stdout }) => stdout.trim() === reply).length;
    expect([count('first'), count('second'), count('rest')]).toEqual([3, 5, 12]);
    expect(world.log()).toHaveLength(20);
  });

  test('a process that is killed keeps the use that it claimed', async () => {
    const world = await aWorld({ models: MODELS, ollama: [{ times: 1, does: ['silent'] }, { reply: 'next' }] });
    const running = world.start('ollama', RUN, { stdin: 'hi' });
    await until(() => world.log().length === 1);
    running.child.kill('SIGKILL');
    await running.closed;
    expect(readdirSync(`${world.scenario}.used`)).toEqual(['ollama-0-1']);
    expect((await world.run('ollama', RUN, { stdin: 'hi' })).stdout).toBe('next\n\n');
  });

  test('placeholders are filled from the prompt and from files, also deep in a structured answer', async () => {
    const world = await aWorld({
      models: MODELS,
      ollama: [{ reply: 'echo {{prompt:^nonce: (\\w+)$}}' }],
      claude: [
        { structured: { list: [{ sha: '{{prompt:([0-9a-f]{40})}}', size: 2, from: '{{file:brief.md:^# (.+)$}}' }] } },
      ],
    });
    await writeFile(world.path('brief.md'), 'text\n# Title\n');
    const sha = 'ab'.repeat(20);
    const local = await world.run('ollama', RUN, { stdin: 'a\nnonce: xyz\nb' });
    expect(local.stdout).toBe('echo xyz\n\n');
    const judged = await world.run('claude', ['-p', '--json-schema', '{}'], { stdin: `commit ${sha}` });
    expect(JSON.parse(judged.stdout)).toEqual({ list: [{ sha, size: 2, from: 'Title' }] });
  });

  test('a placeholder that finds nothing is an error', async () => {
    const world = await aWorld({ models: MODELS, ollama: [{ reply: '{{prompt:(nonce)}}' }] });
    const ended = await world.run('ollama', RUN, { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('scenario placeholder found nothing: {{prompt:(nonce)}}');
  });

  test.each([
    [{ ollama: [{ replay: 'x' }] }, 'unknown key in ollama[0]: replay'],
    [{ ollama: [{ does: ['slient'] }] }, 'unknown behaviour in ollama[0]: slient'],
    [{ olama: [] }, 'unknown key: olama'],
  ])('a misspelt word in a scenario is an error: %j', async (part, complaint) => {
    const world = await aWorld({ models: MODELS, ...part });
    const ended = await world.run('ollama', RUN, { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(complaint);
  });

  test('without a scenario both programs fail and say why', async () => {
    const world = await aWorld({});
    for (const [program, args] of [
      ['ollama', RUN],
      ['claude', ['-p']],
    ] as const) {
      const ended = await world.run(program, [...args], { stdin: 'hi', env: { ANDON_SCENARIO: '' } });
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toContain('ANDON_SCENARIO is not set');
    }
  });
});

describe('what a scenario leaves behind', () => {
  test('every invocation is logged with its arguments, folder, names of variables and prompt', async () => {
    const world = await aWorld({ models: MODELS, ollama: [{ reply: 'x' }] });
    const running = world.start('ollama', RUN, { stdin: 'hi', env: { ZED: 'secret' } });
    await running.closed;
    await world.run('ollama', ['ps']);
    const [run, ps] = world.log();
    expect(run).toMatchObject({
      program: 'ollama',
      argv: RUN,
      cwd: world.folder,
      pid: running.child.pid,
      prompt: 'hi',
      answer: 0,
    });
    expect(run?.['env']).toEqual(expect.arrayContaining(['ANDON_SCENARIO', 'PATH', 'ZED']));
    const names = run?.['env'] as string[] | undefined;
    expect(names).toEqual(names?.toSorted());
    expect(JSON.stringify(run)).not.toContain('secret');
    expect(Date.parse(String(run?.['at']))).not.toBeNaN();
    expect(ps).toMatchObject({ argv: ['ps'], prompt: null });
  });

  test('the executables work through a symbolic link', async () => {
    const world = await aWorld({});
    await mkdir(world.path('bin'));
    await symlink(`${STAND_INS}/claude`, world.path('bin/claude'));
    expect((await world.run(world.path('bin/claude'), ['--version'])).stdout).toBe('2.1.330 (Claude Code)\n');
  });
});
