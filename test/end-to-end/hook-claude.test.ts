import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';
import { asked, ran, said } from '../support/transcript.ts';

const SETTINGS = '.claude/settings.json';

/** One call of the hook as Claude Code makes it. */
function hook(
  factory: Factory,
  message: string,
  { lines = [], ...more }: { lines?: readonly string[] } & Record<string, unknown> = {},
) {
  const transcript = join(factory.folder, 'transcript.jsonl');
  writeFileSync(transcript, `${lines.join('\n')}\n`);
  const input = JSON.stringify({
    session_id: 's1',
    prompt_id: 'p1',
    transcript_path: transcript,
    cwd: factory.repo,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: message,
    background_tasks: [],
    ...more,
  });
  return runHook(factory, input);
}

async function runHook(factory: Factory, input: string) {
  const { code, stdout, stderr } = await factory.startWarm(['hook', 'claude', 'run'], factory.folder, input).ended;
  return { code, stdout, stderr };
}

const PRAISE = 'Perfect! What an excellent plan.';

describe('andon hook claude run', () => {
  test('sends praise back twice in a turn, then lets it go with a word to the user; the next turn begins anew', async () => {
    const factory = await aFactory();
    for (const again of [false, true]) {
      const { code, stderr } = await hook(factory, PRAISE, { stop_hook_active: again });
      expect(code).toBe(2);
      expect(stderr).toContain('[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.');
    }
    const third = await hook(factory, PRAISE, { stop_hook_active: true });
    expect(third).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(third.stdout)).toEqual({ systemMessage: expect.stringContaining('delivered with a warning') });
    expect(await hook(factory, PRAISE, { prompt_id: 'p2' })).toMatchObject({ code: 2 });
    expect(await hook(factory, PRAISE, { hook_event_name: 'SubagentStop', agent_id: 'a1' })).toMatchObject({ code: 2 });
    const stats = await factory.andon('messages', 'stats');
    expect(stats.stdout).toContain('3 turns, 4 sent back (4 ResponseValidator), 1 let through with a warning');
  });

  test('believes the transcript and not the words', async () => {
    const factory = await aFactory();
    const text = 'APPROVE: npm test passed, 3/3.';
    expect((await hook(factory, text)).stderr).toContain('[SYSTEM] APPROVE rejected: no verification evidence.');
    const green = ran('npm test', { output: ' Tests  3 passed (3)' });
    expect(await hook(factory, text, { lines: green, prompt_id: 'p2' })).toEqual({ code: 0, stdout: '', stderr: '' });
    const red = ran('npm test', { exit: 1, output: ' Tests  1 failed | 2 passed (3)' });
    expect((await hook(factory, text, { lines: red, prompt_id: 'p3' })).stderr).toContain('npm test is red');
    factory.write('src/a.ts', 'one\ntwo\n');
    const cites = (line: number) =>
      hook(factory, `${text} Read src/a.ts:${line}.`, { lines: green, prompt_id: `c${line}` });
    expect(await cites(2)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await cites(9)).stderr).toContain('it cites line 9 of src/a.ts, which has 2');
  });

  test('reads of many subagents those that wrote last, whatever their names', async () => {
    const factory = await aFactory();
    const folder = join(factory.folder, 'transcript/subagents');
    mkdirSync(folder, { recursive: true });
    const names = ['agent-a', ...Array.from({ length: 50 }, (_, at) => `agent-b${at}`)];
    for (const [at, name] of names.entries()) {
      const lines = at === 0 ? ran('npm test', { exit: 1, output: ' Tests  1 failed (1)' }) : [said('Done.')];
      writeFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
      utimesSync(join(folder, `${name}.jsonl`), 1_800_000_000 - at, 1_800_000_000 - at);
    }
    const green = ran('npm run lint', { output: 'ok' });
    const { stderr } = await hook(factory, 'APPROVE: npm test passed, 3/3.', { lines: green });
    expect(stderr).toContain('npm test is red');
  });

  test(
    'reads the last words from the transcript where the program does not tell them',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      expect(await hook(factory, '', { lines: [asked('Do it'), said(PRAISE)], prompt_id: undefined })).toMatchObject({
        code: 2,
      });
      expect(await hook(factory, '')).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  test('goes by the settings of the project, and is silent where they switch it off', async () => {
    const factory = await aFactory({ projectConfig: { enforcement: { enabled: false } } });
    expect(await hook(factory, PRAISE)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each([
    ['', 'not the JSON of a hook'],
    ['{}', 'hook_event_name'],
    ['{"hook_event_name":"Stop"}', 'session_id'],
  ])('never holds a session up by what it does not understand itself: %j', { tags: 'thorough' }, async (input, why) => {
    const { code, stderr } = await runHook(await aFactory(), input);
    expect(code).toBe(1);
    expect(stderr).toContain('this answer was not checked');
    expect(stderr).toContain(why);
  });

  test('says that nothing was checked where andon’s settings are broken', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    factory.write('.andon/config.yaml', 'enforcement: [\n');
    expect(await hook(factory, PRAISE)).toMatchObject({ code: 1, stderr: expect.stringContaining('was not checked') });
  });

  test('where nothing can be written down, a turn goes back once and never again', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const state = join(factory.folder, 'no folder');
    writeFileSync(state, 'a file');
    factory.env['XDG_STATE_HOME'] = state;
    expect(await hook(factory, PRAISE)).toMatchObject({ code: 2 });
    expect(await hook(factory, PRAISE, { stop_hook_active: true })).toMatchObject({ code: 0 });
  });
});

describe('andon hook claude install', () => {
  test('writes the settings of the project, and remove takes away what it made', async () => {
    const factory = await aFactory();
    expect((await factory.andon('hook', 'claude', 'install')).stdout).toContain(
      'Claude Code asks andon at the end of every turn',
    );
    expect((await factory.andon('hook', 'claude', 'install')).stdout).toContain('asks andon already');
    expect((await factory.andon('hook', 'claude', 'status')).stdout).toMatch(/^project .*settings\.json {2}runs /m);
    expect((await factory.andon('hook', 'claude', 'remove')).stdout).toContain('which held nothing else');
    expect(existsSync(join(factory.repo, '.claude'))).toBe(false);
    expect(await factory.andon('hook', 'claude', 'status')).toMatchObject({ code: 1 });
  });

  test('is shown and removed also where andon’s own settings cannot be read', async () => {
    const factory = await aFactory();
    await factory.andon('hook', 'claude', 'install');
    factory.write('.andon/config.yaml', 'enforcement: [');
    expect(await factory.andon('hook', 'claude', 'status')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('runs ') as string,
    });
    expect(await factory.andon('hook', 'claude', 'remove')).toMatchObject({ code: 0 });
    expect(existsSync(join(factory.repo, SETTINGS))).toBe(false);
  });

  test('what it installs is what Claude Code can run', async () => {
    const factory = await aFactory();
    await factory.andon('hook', 'claude', 'install', '--local');
    const { hooks } = JSON.parse(factory.read('.claude/settings.local.json')) as {
      hooks: { Stop: readonly [{ hooks: readonly [{ command: string }] }] };
    };
    const { command } = hooks.Stop[0].hooks[0];
    expect(command).toMatch(/andon\.mjs' hook claude run$/);
  });

  test('refuses settings that Claude Code would not take, and changes nothing', async () => {
    const factory = await aFactory();
    for (const text of ['// mine\n{}\n', '{"hooks": {"Stop": {}}}', '{"a": 1,}', '[]']) {
      factory.write(SETTINGS, text);
      const { code, stderr } = await factory.andon('hook', 'claude', 'install');
      expect(code).toBe(2);
      expect(stderr).toContain(SETTINGS);
      expect(factory.read(SETTINGS)).toBe(text);
      expect((await factory.andon('hook', 'claude', 'status')).stdout).toContain('expected');
    }
  });

  test(
    'follows a link of your own settings, and no link of a project that leads out of it',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const dots = join(factory.folder, 'dots.json');
      writeFileSync(dots, '{}\n');
      const config = join(factory.folder, 'claude config');
      mkdirSync(config);
      symlinkSync(dots, join(config, 'settings.json'));
      const own = { ...factory.env, CLAUDE_CONFIG_DIR: config };
      execFileSync(process.execPath, [inject('andon'), 'hook', 'claude', 'install', '--user'], {
        cwd: factory.folder,
        env: own,
      });
      expect(readFileSync(dots, 'utf8')).toContain('hook claude run');
      expect(lstatSync(join(config, 'settings.json')).isSymbolicLink()).toBe(true);
      mkdirSync(join(factory.repo, '.claude'));
      writeFileSync(dots, '{}\n');
      symlinkSync(dots, join(factory.repo, SETTINGS));
      const { code, stderr } = await factory.andon('hook', 'claude', 'install');
      expect(code).toBe(2);
      expect(stderr).toContain('leads out of this repository');
      expect(readFileSync(dots, 'utf8')).toBe('{}\n');
    },
  );

  test('ends with 2 for wrong words', async () => {
    const factory = await aFactory();
    for (const [words, why] of [
      [['claude'], 'Missing argument: install, remove or status'],
      [['claude', 'instal'], 'Unknown argument: instal'],
      [['claude', 'install', '--local', '--user'], 'cannot be combined'],
      [['install', '--user'], '--user needs andon hook claude'],
      [['install', 'run'], 'Unexpected argument: run'],
    ] as const) {
      const { code, stderr } = await factory.andon('hook', ...words);
      expect(code, why).toBe(2);
      expect(stderr).toContain(why);
    }
  });
});
