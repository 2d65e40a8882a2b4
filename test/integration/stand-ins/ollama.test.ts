/** @module-tag thorough */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Services, aWorld, isAlive, sessionOf, until } from './stand-in.ts';

const MODELS = { 'qwen2.5-coder': { context: 32_768 }, 'deepseek-r1': { context: 32_768, thinks: true } };
const FRAME = '\u001B[?2026h\u001B[?25l\u001B[1G⠙ \u001B[K\u001B[?25h\u001B[?2026l';
const WIPE = '\u001B[2K\u001B[1G';
const RUN = ['run', 'qwen2.5-coder', '--nowordwrap'];

const aServer = (...ollama: object[]): Promise<Services> => aWorld({ models: MODELS, ollama });

describe('an answer of ollama', () => {
  test('a piped prompt gives the reply and two line feeds on stdout', async () => {
    const services = await aServer({ reply: 'Hello.' });
    const ended = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 0, stdout: 'Hello.\n\n' });
  });

  test('the spinner turns on stderr every 100 ms until the first output, and is wiped then', async () => {
    const services = await aServer({ reply: 'Hello.', after_ms: 1050 });
    const { stderr } = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(stderr.startsWith(FRAME)).toBe(true);
    const frames = stderr.split('\u001B[?2026h').length - 1;
    expect(frames).toBeGreaterThanOrEqual(6);
    expect(frames).toBeLessThanOrEqual(12);
    expect(stderr.split(WIPE)).toHaveLength(2);
  });

  test('the cursor blinks once per streamed chunk', async () => {
    const services = await aServer({ reply: 'abcdefgh', chunk: 2 });
    const { stderr, stdout } = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(stdout).toBe('abcdefgh\n\n');
    expect(stderr.split(WIPE)[1]?.split('\u001B[?25l\u001B[?25h').length).toBeGreaterThanOrEqual(4);
  });

  test('without --nowordwrap the output is corrupted at column 75, as on a terminal', async () => {
    const reply = '{"verdict":"PASS","reason":"the change keeps the public interface stable and adds tests"}';
    const services = await aServer({ reply });
    const wrapped = await services.run('ollama', ['run', 'qwen2.5-coder'], { stdin: 'hi' });
    expect(wrapped.stdout).toContain('interface stable an\u001B[2D\u001B[K\nand adds');
    const plain = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(plain.stdout).toBe(`${reply}\n\n`);
  });

  test('a thinking model shows its thoughts before the answer', async () => {
    const services = await aServer({ reply: 'Yes.', thoughts: 'Hm.' });
    const { stdout } = await services.run('ollama', ['run', 'deepseek-r1', '--nowordwrap'], { stdin: 'hi' });
    expect(stdout).toBe('Thinking...\nHm.\n...done thinking.\n\nYes.\n\n');
  });

  test.each(['--hidethinking', '--think=false'])('%s keeps the thoughts out of stdout', async (flag) => {
    const services = await aServer({ reply: 'Yes.' });
    const { stdout } = await services.run('ollama', ['run', 'deepseek-r1', '--nowordwrap', flag], { stdin: 'hi' });
    expect(stdout).toBe('Yes.\n\n');
  });

  test('"--think false" with a space makes "false" a part of the prompt', async () => {
    const services = await aServer({ reply: 'Yes.' });
    await services.run('ollama', ['run', 'deepseek-r1', '--think', 'false'], { stdin: 'hi' });
    expect(services.log()).toMatchObject([{ prompt: 'hi false' }]);
  });

  test('--think for a model that cannot think is refused', async () => {
    const services = await aServer({ reply: 'Yes.' });
    const ended = await services.run('ollama', [...RUN, '--think'], { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('"qwen2.5-coder" does not support thinking');
  });

  test('--verbose prints the statistics on stderr behind the spinner', async () => {
    const services = await aServer({ reply: 'abcdefgh', usage: { out: 298 } });
    const { stderr, stdout } = await services.run('ollama', [...RUN, '--verbose'], { stdin: 'x'.repeat(41) });
    expect(stdout).toBe('abcdefgh\n\n');
    expect(stderr).toMatch(/total duration: {7}[\d.]+(?:ms|s)\n/);
    expect(stderr).toMatch(/^prompt eval count: {4}11 token\(s\)$/m);
    expect(stderr).toMatch(/^eval count: {11}298 token\(s\)$/m);
    expect(stderr).toMatch(/^eval rate: {12}[\d.]+ tokens\/s$/m);
  });

  test('with --format the structured answer is printed as JSON', async () => {
    const services = await aServer({ reply: 'Looks fine.', structured: { verdict: 'PASS' } });
    const { stdout } = await services.run('ollama', [...RUN, '--format', '{"type":"object"}'], { stdin: 'hi' });
    expect(JSON.parse(stdout)).toEqual({ verdict: 'PASS' });
  });

  test('a --format that is neither json nor a schema is refused', async () => {
    const services = await aServer({ reply: 'x' });
    const ended = await services.run('ollama', [...RUN, '--format', 'xml'], { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
  });

  test('the run blocks until stdin ends, and puts stdin before the arguments', async () => {
    const services = await aServer({ reply: 'Hello.' });
    const running = services.start('ollama', [...RUN, 'last', 'words'], { stdin: 'first', open: true });
    await sleep(500);
    expect(running.child.exitCode).toBeNull();
    expect(services.log()).toEqual([]);
    running.child.stdin?.end();
    expect((await running.closed).stdout).toBe('Hello.\n\n');
    expect(services.log()).toMatchObject([{ prompt: 'first last words' }]);
  });

  test('an empty prompt only loads the model, and ps lists it then with its context', async () => {
    const services = await aServer();
    expect((await services.run('ollama', ['ps'])).stdout).toMatch(/^NAME +ID +SIZE +PROCESSOR +CONTEXT +UNTIL +\n$/);
    expect(await services.run('ollama', RUN)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await services.run('ollama', ['ps'])).stdout).toMatch(
      /^qwen2\.5-coder:latest +[0-9a-f]{12} .* 32768 +4 minutes from now/m,
    );
  });

  test('a prompt longer than the context loses its head without a word', async () => {
    const services = await aWorld({
      models: { small: { context: 4096 } },
      ollama: [
        { when: { includes: ['RULES'] }, reply: 'saw the rules' },
        { when: { includes: ['TASK'] }, reply: 'saw no rules' },
      ],
    });
    const stdin = `${'.'.repeat(40)}RULES${'x'.repeat(30_000)}TASK`;
    const ended = await services.run('ollama', ['run', 'small', '--nowordwrap', '--verbose'], { stdin });
    expect(ended).toMatchObject({ code: 0, stdout: 'saw no rules\n\n' });
    expect(ended.stderr).toMatch(/^prompt eval count: {4}2051 token\(s\)$/m);
    expect(services.log()).toMatchObject([{ prompt: stdin, truncated_to: 2051 }]);
  });
});

describe('a failure of ollama', () => {
  test('a missing model is pulled first, and the failure of that is exit code 1', async () => {
    const services = await aServer({ reply: 'x' });
    const ended = await services.run('ollama', ['run', 'nosuch'], { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('pulling manifest ⠙ ');
    expect(ended.stderr).toMatch(/\nError: pull model manifest: file does not exist\n$/);
  });

  test('a pull without network says so', async () => {
    const services = await aServer({ does: ['pull-fails'] });
    const ended = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Error: pull model manifest: Get "https://registry.ollama.ai/v2/"');
  });

  test.each([[{ ollama: [{ does: ['server-down'] }] }], [{ ollama_server: false }]])(
    'a server that is down is exit code 1: %j',
    async (part) => {
      const services = await aWorld({ models: MODELS, ...part });
      const ended = await services.run('ollama', RUN, { stdin: 'hi' });
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toContain("Error: could not connect to ollama server, run 'ollama serve' to start it\n");
    },
  );

  test('a cloud model without sign-in prints prose on stdout and exits 0', async () => {
    const services = await aServer({ does: ['signed-out'] });
    const ended = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('You need to be signed in to Ollama to run Cloud models.');
  });

  test('a stream that breaks leaves a part on stdout and an error on stderr', async () => {
    const services = await aServer({ reply: 'Hello world', does: [{ 'cut-after': 5 }] });
    const ended = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: 'Hello' });
    expect(ended.stderr).toMatch(/Error: unexpected EOF\n$/);
  });

  test('an unknown flag is exit code 1', async () => {
    const services = await aServer();
    expect(await services.run('ollama', [...RUN, '--temperature'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: unknown flag: --temperature\n',
    });
  });

  test('a --keepalive without a unit is exit code 1', async () => {
    const services = await aServer();
    const ended = await services.run('ollama', [...RUN, '--keepalive', '-1']);
    expect(ended).toMatchObject({ code: 1, stderr: 'Error: time: missing unit in duration "-1"\n' });
  });

  test('a prompt that the scenario does not know is exit code 1', async () => {
    const services = await aServer({ when: { includes: ['something else'] }, reply: 'x' });
    const ended = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: 'Error: scenario has no answer for this prompt\n' });
  });

  test('an empty answer is only the two line feeds', async () => {
    const services = await aServer({ does: ['empty'] });
    expect(await services.run('ollama', RUN, { stdin: 'hi' })).toMatchObject({ code: 0, stdout: '\n\n' });
  });

  test('an answer can hold bytes that are no UTF-8', async () => {
    const services = await aServer({ reply: 'abc', does: ['invalid-utf8'] });
    const { bytes } = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError);
  });

  test('an answer of megabytes arrives whole', async () => {
    const services = await aServer({ does: [{ megabytes: 3 }] });
    const { bytes } = await services.run('ollama', RUN, { stdin: 'hi' });
    expect(bytes).toHaveLength(3 * 1024 * 1024 + 2);
  });

  test('the exit code and the signal of its end can be chosen', async () => {
    const services = await aServer(
      { times: 1, reply: 'a', does: [{ exit: 7 }] },
      { reply: 'b', does: [{ signal: 'SIGKILL' }] },
    );
    expect(await services.run('ollama', RUN, { stdin: 'hi' })).toMatchObject({ code: 7, stdout: 'a' });
    expect(await services.run('ollama', RUN, { stdin: 'hi' })).toMatchObject({ signal: 'SIGKILL', stdout: 'b' });
  });
});

describe('a signal to ollama', () => {
  test('SIGINT is exit code 0 with the text so far', async () => {
    const services = await aServer({ reply: 'one two three four', chunk: 4, every_ms: 300 });
    const running = services.start('ollama', [...RUN, '--verbose'], { stdin: 'hi' });
    await until(() => running.stdout() !== '');
    running.child.kill('SIGINT');
    const ended = await running.closed;
    expect(ended.code).toBe(0);
    expect('one two three four'.startsWith(ended.stdout)).toBe(true);
    expect(ended.stdout).not.toContain('four');
    expect(ended.stderr).not.toContain('eval count');
  });

  test('SIGTERM ends it as a signal', async () => {
    const services = await aServer({ does: ['silent', { touch: 'begun' }] });
    const running = services.start('ollama', RUN, { stdin: 'hi' });
    await until(() => existsSync(services.path('begun')));
    running.child.kill('SIGTERM');
    expect(await running.closed).toMatchObject({ code: null, signal: 'SIGTERM', stdout: '' });
  });

  test('a silent run prints nothing but its spinner, and one that ignores SIGTERM goes on', async () => {
    const services = await aServer({ does: ['silent', 'ignore-term', { touch: 'begun' }] });
    const running = services.start('ollama', RUN, { stdin: 'hi' });
    await until(() => existsSync(services.path('begun')));
    running.child.kill('SIGTERM');
    await sleep(400);
    expect(running.child.signalCode).toBeNull();
    expect(running.stdout()).toBe('');
    expect(running.stderr()).toContain(FRAME);
    running.child.kill('SIGKILL');
    expect(await running.closed).toMatchObject({ signal: 'SIGKILL' });
  });

  test('an endless answer goes on until its reader goes away', async () => {
    const services = await aServer({ reply: 'more ', does: ['endless'], every_ms: 1 });
    const running = services.start('ollama', RUN, { stdin: 'hi' });
    await until(() => running.stdout().length > 100);
    running.child.stdout?.destroy();
    expect((await running.exited).code).toBe(141);
  });

  test('a grandchild in its own session outlives the program and holds its stdout', async () => {
    const services = await aServer({ reply: 'Hello.', does: ['grandchild'] });
    const running = services.start('ollama', RUN, { stdin: 'hi' });
    expect((await running.exited).code).toBe(0);
    const [pid = 0] = services.grandchildren();
    expect(isAlive(pid)).toBe(true);
    expect(sessionOf(pid)).toBe(pid);
    expect(running.child.stdout?.closed).toBe(false);
    process.kill(pid, 'SIGKILL');
    expect((await running.closed).stdout).toBe('Hello.\n\n');
  });

  test('a run can wait for a file', async () => {
    const services = await aServer({ reply: 'Hello.', does: [{ touch: 'begun' }, { 'wait-for': 'go' }] });
    const running = services.start('ollama', RUN, { stdin: 'hi' });
    await until(() => existsSync(services.path('begun')));
    await sleep(200);
    expect(running.stdout()).toBe('');
    await writeFile(services.path('go'), '');
    expect((await running.closed).stdout).toBe('Hello.\n\n');
  });
});

describe('the other commands of ollama', () => {
  test('--version needs no scenario', async () => {
    const services = await aServer();
    const ended = await services.run('ollama', ['--version'], { env: { ANDON_SCENARIO: '' } });
    expect(ended).toMatchObject({ code: 0, stdout: 'ollama version is 0.33.0\n' });
  });

  test('--version speaks of client and server where they differ, and warns when no server answers', async () => {
    const older = await aWorld({ ollama_version: { server: '0.30.0' } });
    expect((await older.run('ollama', ['--version'])).stdout).toBe(
      'ollama version is 0.30.0\nWarning: client version is 0.33.0\n',
    );
    const alone = await aWorld({ ollama_server: false });
    expect(await alone.run('ollama', ['--version'])).toMatchObject({
      code: 0,
      stdout: 'Warning: could not connect to a running Ollama instance\nWarning: client version is 0.33.0\n',
    });
  });

  test('an older version neither lists nor takes the options that it does not know', async () => {
    const services = await aWorld({ models: MODELS, ollama_unknown: ['think'] });
    const { code, stdout } = await services.run('ollama', ['run', '--help']);
    expect({ code, known: /--nowordwrap\n/.test(stdout), unknown: /--think\b/.test(stdout) }).toEqual({
      code: 0,
      known: true,
      unknown: false,
    });
    expect(await services.run('ollama', [...RUN, '--think=false'])).toMatchObject({
      code: 1,
      stderr: 'Error: unknown flag: --think\n',
    });
    expect((await (await aServer()).run('ollama', ['run', '--help'])).stdout).toContain('--think string[="true"]\n');
  });

  test.each([
    ['show', ['show', 'qwen2.5-coder'], [{ exit: 7 }], { code: 7, stdout: '' }],
    ['ps', ['ps'], [{ signal: 'SIGKILL' }], { signal: 'SIGKILL', stdout: '' }],
    ['list', ['list'], ['empty'], { code: 0, stdout: '' }],
    ['create', ['create', 'x'], ['server-down'], { code: 1, stdout: '' }],
    ['version', ['--version'], ['cut-after'], { code: 1, stderr: 'Error: unexpected EOF\n' }],
  ])('%s can misbehave as well', async (command, argv, does, expected) => {
    const services = await aWorld({ models: MODELS, ollama_does: { [command]: does } });
    expect(await services.run('ollama', argv)).toMatchObject(expected);
  });

  test('a model that another client loaded in another size is loaded anew by run, but never larger than it was made', async () => {
    const services = await aWorld({
      models: { coder: { context: 65_536, largest: 32_768, loaded: true, loaded_as: 2048 } },
    });
    expect((await services.run('ollama', ['show', 'coder'])).stdout).toMatch(/^ {4}context length +32768 /m);
    expect((await services.run('ollama', ['ps'])).stdout).toMatch(/^coder:latest .* 2048 /m);
    await services.run('ollama', ['run', 'coder', '--keepalive', '10m']);
    expect((await services.run('ollama', ['ps'])).stdout).toMatch(/^coder:latest .* 32768 /m);
  });

  test('show knows a model with and without its tag, and tries no pull for another', async () => {
    const services = await aServer();
    expect((await services.run('ollama', ['show', 'qwen2.5-coder:latest'])).stdout).toMatch(
      /^ {4}context length {6}\d+ {4}/m,
    );
    expect((await services.run('ollama', ['show', 'qwen2.5-coder', '--parameters'])).stdout).toMatch(
      /^num_ctx +32768$/m,
    );
    expect((await services.run('ollama', ['show', 'qwen2.5-coder', '--modelfile'])).stdout).toContain(
      'PARAMETER num_ctx 32768',
    );
    expect(await services.run('ollama', ['show', 'x'])).toMatchObject({
      code: 1,
      stderr: "Error: model 'x' not found\n",
    });
  });

  test('list names every model with a twelve-digit id', async () => {
    const services = await aServer();
    const { stdout } = await services.run('ollama', ['list']);
    expect(stdout).toMatch(
      /^NAME +ID +SIZE +MODIFIED +\nqwen2\.5-coder:latest {4}[0-9a-f]{12} {4}4\.7 GB {4}2 days ago/,
    );
  });

  test('a model made with create has the num_ctx of its Modelfile in later processes', async () => {
    const services = await aServer({ when: { model: 'andon-impl' }, reply: 'made' });
    await writeFile(
      services.path('Modelfile'),
      'FROM qwen2.5-coder\nPARAMETER num_ctx 8192\nPARAMETER temperature 0\n',
    );
    expect((await services.run('ollama', ['create', 'andon-impl', '-f', 'Modelfile'])).code).toBe(0);
    expect((await services.run('ollama', ['show', 'andon-impl', '--parameters'])).stdout).toMatch(/^num_ctx +8192$/m);
    expect((await services.run('ollama', ['run', 'andon-impl'], { stdin: 'hi' })).stdout).toBe('made\n\n');
    expect((await services.run('ollama', ['ps'])).stdout).toMatch(/^andon-impl:latest .* 8192 /m);
  });
});
