/** @module-tag thorough */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Ended, type Services, aWorld, isAlive, sessionOf, until } from './stand-in.ts';

const JSON_RUN = ['-p', '--output-format', 'json'];
const STREAM_RUN = ['-p', '--output-format', 'stream-json', '--verbose'];
const SCHEMA = ['--json-schema', '{"type":"object"}'];
const USAGE = { in: 1200, out: 42, usd: 0.00564 };

type Json = Record<string, unknown>;
const aJudge = (...claude: object[]): Promise<Services> => aWorld({ claude });
const resultOf = ({ stdout }: Ended): Json => JSON.parse(stdout) as Json;
const eventsOf = ({ stdout }: Ended): Json[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
const kindsOf = (ended: Ended): unknown[] =>
  eventsOf(ended).map(({ type, subtype }) => (type === 'system' ? subtype : type));

const secretly = async (services: Services): Promise<string> => {
  await writeFile(services.path('secret.txt'), 'the secret');
  return services.path('secret.txt');
};

const begun = async (args: string[], ...does: unknown[]) => {
  const services = await aJudge({ reply: 'x', usage: USAGE, does: [...does, { touch: 'begun' }] });
  const running = services.start('claude', args, { stdin: 'hi' });
  await until(() => existsSync(services.path('begun')));
  return { services, running };
};

describe('an answer of claude', () => {
  test('text mode prints the reply and a line feed', async () => {
    const services = await aJudge({ reply: 'Hello from the stub.' });
    expect(await services.run('claude', ['-p'], { stdin: 'hi' })).toMatchObject({
      code: 0,
      stdout: 'Hello from the stub.\n',
      stderr: '',
    });
  });

  test('json mode prints one result with cost, usage and model usage', async () => {
    const services = await aJudge({ reply: 'Hello.', usage: USAGE });
    const ended = await services.run('claude', [...JSON_RUN, '--model', 'sonnet'], { stdin: 'hi' });
    expect(ended.stdout.endsWith('}\n')).toBe(true);
    expect(resultOf(ended)).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Hello.',
      num_turns: 1,
      stop_reason: 'end_turn',
      terminal_reason: 'completed',
      permission_denials: [],
      api_error_status: null,
      total_cost_usd: 0.00564,
      usage: { input_tokens: 1200, output_tokens: 42 },
      modelUsage: { 'claude-sonnet-5-5': { inputTokens: 1200, outputTokens: 42, costUSD: 0.00564, costBasis: 'list' } },
    });
  });

  test('the order of the keys varies', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    const runs = await Promise.all([1, 2, 3].map(() => services.run('claude', JSON_RUN, { stdin: 'hi' })));
    expect(new Set(runs.map((ended) => Object.keys(resultOf(ended)).join(' '))).size).toBe(3);
    expect(new Set(runs.map((ended) => Object.keys(resultOf(ended)).toSorted().join(' '))).size).toBe(1);
  });

  test('stream-json prints init, assistant and result', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(kindsOf(ended)).toEqual(['init', 'assistant', 'result']);
    expect(new Set(eventsOf(ended).map((event) => event['session_id'])).size).toBe(1);
  });

  test('stream-json without --verbose is refused', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    expect(await services.run('claude', ['-p', '--output-format', 'stream-json'], { stdin: 'hi' })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: When using --print, --output-format=stream-json requires --verbose\n',
    });
  });

  test('json with --verbose is an array of all events', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    const ended = await services.run('claude', [...JSON_RUN, '--verbose'], { stdin: 'hi' });
    expect((JSON.parse(ended.stdout) as Json[]).map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
  });

  test('a structured answer to --json-schema is in structured_output and, as text, in result', async () => {
    const services = await aJudge({ structured: { verdict: 'PASS' } });
    const result = resultOf(await services.run('claude', [...JSON_RUN, ...SCHEMA], { stdin: 'hi' }));
    expect(result).toMatchObject({
      structured_output: { verdict: 'PASS' },
      result: '{"verdict":"PASS"}',
      stop_reason: 'tool_use',
    });
    expect((await services.run('claude', ['-p', ...SCHEMA], { stdin: 'hi' })).stdout).toBe('{"verdict":"PASS"}\n');
  });

  test('a success can come without structured_output', async () => {
    const services = await aJudge({ structured: { verdict: 'PASS' }, does: ['no-structured-output'] });
    const ended = await services.run('claude', [...JSON_RUN, ...SCHEMA], { stdin: 'hi' });
    expect(ended.code).toBe(0);
    expect(resultOf(ended)).toMatchObject({ subtype: 'success', is_error: false });
    expect(resultOf(ended)).not.toHaveProperty('structured_output');
  });

  test('two results can occur: json prints the last, text both, and the cost is cumulative', async () => {
    const services = await aJudge({ reply: 'Done.', usage: USAGE, does: ['two-results'] });
    const results = eventsOf(await services.run('claude', STREAM_RUN, { stdin: 'hi' })).filter(
      ({ type }) => type === 'result',
    );
    expect(results).toMatchObject([
      { result_index: 0, total_cost_usd: 0.00282, usage: { input_tokens: 600 } },
      { result_index: 1, total_cost_usd: 0.00564, usage: { input_tokens: 600 }, result: 'Done.' },
    ]);
    expect(resultOf(await services.run('claude', JSON_RUN, { stdin: 'hi' }))).toMatchObject({ result_index: 1 });
    expect((await services.run('claude', ['-p'], { stdin: 'hi' })).stdout).toMatch(
      /^The background task .+\n\nDone\.\n$/,
    );
  });

  test('stderr is not always empty on success', async () => {
    const services = await aJudge({ reply: 'Hello.', does: ['stderr-noise'] });
    const ended = await services.run('claude', JSON_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('permissions.allow');
    expect(resultOf(ended)).toMatchObject({ is_error: false });
  });

  test('a denied write is a success with exit code 0, and the file is not there', async () => {
    const services = await aJudge({ reply: 'I wrote it.', does: [{ 'denied-write': 'src.ts' }] });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(0);
    expect(kindsOf(ended)).toContain('permission_denied');
    expect(eventsOf(ended).at(-1)).toMatchObject({
      subtype: 'success',
      permission_denials: [{ tool_name: 'Write', tool_input: { file_path: services.path('src.ts') } }],
    });
    expect(existsSync(services.path('src.ts'))).toBe(false);
  });

  test('tools that are used, and the tool that hands in the answer, are told with their results', async () => {
    const does = [{ 'tool-uses': 2 }, { 'failed-tool-uses': 1 }];
    const services = await aJudge({ structured: { verdict: 'PASS' }, does });
    const ended = await services.run('claude', [...STREAM_RUN, ...SCHEMA], { stdin: 'hi' });
    expect(kindsOf(ended)).toEqual([
      'init',
      ...Array.from({ length: 4 }, () => ['assistant', 'user']).flat(),
      'result',
    ]);
    const results = eventsOf(ended).flatMap(({ type, message }) => (type === 'user' ? [message] : []));
    expect(results.map((result) => JSON.stringify(result).includes('"is_error":true'))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('a warning about a limit is an event and no failure', async () => {
    const services = await aJudge({ reply: 'Hello.', does: ['limit-warning'] });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(0);
    expect(eventsOf(ended)[1]).toMatchObject({ rate_limit_info: { status: 'allowed_warning' } });
  });

  test('a long run can be made of megabytes of events, all in order', async () => {
    const services = await aJudge({ reply: 'Hello.', does: [{ chatter: 2 }] });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(ended.bytes.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(eventsOf(ended).at(-1)).toMatchObject({ type: 'result', result: 'Hello.' });
  });

  test('bytes that are no UTF-8 stand in a line of their own', async () => {
    const services = await aJudge({ reply: 'Hello.', does: ['invalid-utf8'] });
    const { bytes } = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError);
  });

  test('the report file can be fresh, stale, missing or broken', async () => {
    const services = await aJudge(
      { times: 1, structured: { verdict: 'PASS' }, reply: 'x' },
      { times: 1, structured: { verdict: 'PASS' }, does: ['report-file'] },
      { times: 1, reply: 'x', does: [{ 'report-file': '{"verdict":' }] },
      { reply: 'x', does: [{ 'stale-report-file': { task: '{{prompt:task (\\w+)}}' } }] },
    );
    const report = services.path('JUDGE_REPORT.json');
    const age = (): number => Date.now() - statSync(report).mtimeMs;
    const judge = (): Promise<Ended> => services.run('claude', [...JSON_RUN, ...SCHEMA], { stdin: 'task t1' });
    await judge();
    expect(existsSync(report)).toBe(false);
    await judge();
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({ verdict: 'PASS' });
    expect(age()).toBeLessThan(60_000);
    await judge();
    expect(readFileSync(report, 'utf8')).toBe('{"verdict":');
    await judge();
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({ task: 't1' });
    expect(age()).toBeGreaterThan(3_500_000);
  });

  test('a long retry is silent in json mode and visible in stream-json', async () => {
    const services = await aJudge({ reply: 'Hello.', does: [{ retry: { times: 3, status: 401, delay_ms: 300 } }] });
    const began = Date.now();
    const { child, closed } = services.start('claude', JSON_RUN, { stdin: 'hi' });
    let first = 0;
    child.stdout?.once('data', () => (first = Date.now()));
    expect(resultOf(await closed)).toMatchObject({ result: 'Hello.' });
    expect((await closed).stderr).toBe('');
    expect(first - began).toBeGreaterThan(900);
    const streamed = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(kindsOf(streamed)).toEqual(['init', 'api_retry', 'api_retry', 'api_retry', 'assistant', 'result']);
    expect(eventsOf(streamed)[1]).toMatchObject({
      attempt: 1,
      max_retries: 10,
      error_status: 401,
      error: 'authentication_failed',
    });
  });

  test('an unknown model draws a warning and is used all the same', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    const ended = await services.run('claude', [...JSON_RUN, '--model', 'nosuch'], { stdin: 'hi' });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('nosuch');
    expect(resultOf(ended)).toMatchObject({ modelUsage: { nosuch: { costBasis: 'unknown' } } });
  });
});

describe('the prompt of claude', () => {
  test('a path behind an @ brings the content of that file into the prompt', async () => {
    const services = await aJudge({ when: { includes: ['the secret'] }, reply: 'seen' }, { reply: 'not seen' });
    const file = await secretly(services);
    expect((await services.run('claude', ['-p', '--tools', ''], { stdin: `+ see @${file}\n` })).stdout).toBe('seen\n');
    expect((await services.run('claude', ['-p'], { stdin: `"@${file}"` })).stdout).toBe('seen\n');
    expect((await services.run('claude', ['-p', '--setting-sources', ''], { stdin: `@${file}` })).stdout).toBe(
      'seen\n',
    );
    expect(services.log()[0]?.['prompt']).toContain('the secret');
  });

  test.each([['--restricted'], ['--bare'], ['--disallowedTools']])('%s keeps such a file out', async (flag) => {
    const services = await aJudge({ reply: 'x' });
    const file = await secretly(services);
    const args = flag === '--disallowedTools' ? [flag, `Read(/${file})`] : [flag];
    await services.run('claude', ['-p', ...args], { stdin: `see @${file}` });
    expect(services.log()).toMatchObject([{ prompt: `see @${file}` }]);
  });

  test('the argument stands before stdin', async () => {
    const services = await aJudge({ reply: 'x' });
    await services.run('claude', ['-p', 'ARG'], { stdin: 'STDIN' });
    expect(services.log()).toMatchObject([{ prompt: 'ARG\nSTDIN' }]);
  });

  test('neither argument nor stdin is an error', async () => {
    const services = await aJudge({ reply: 'x' });
    const ended = await services.run('claude', ['-p']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('Error: Input must be provided either through stdin or as a prompt argument');
  });

  test('a stdin that stays open costs three seconds and a warning', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    const ended = await services.run('claude', ['-p', 'ARG'], { open: true });
    expect(ended).toMatchObject({ code: 0, stdout: 'Hello.\n' });
    expect(ended.stderr).toContain('Warning: no stdin data received in 3s, proceeding without it');
  });

  test('stdin of 300 kB is fine, 9 MB are too long a prompt, more than 10 MB are refused', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    expect((await services.run('claude', JSON_RUN, { stdin: 'x'.repeat(300_000) })).code).toBe(0);
    const long = await services.run('claude', JSON_RUN, { stdin: 'x'.repeat(9_000_000) });
    expect(long.code).toBe(1);
    expect(resultOf(long)).toMatchObject({
      result: 'Prompt is too long',
      terminal_reason: 'blocking_limit',
      is_error: true,
    });
    const refused = await services.run('claude', JSON_RUN, { stdin: 'x'.repeat(11_000_000) });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Error: piped stdin input exceeds 10MB');
  });

  test('a prompt that begins with a built-in command reaches no model', async () => {
    const services = await aJudge({ reply: 'Hello.' });
    expect(resultOf(await services.run('claude', JSON_RUN, { stdin: '/compact now' }))).toMatchObject({
      num_turns: 0,
      result: '',
    });
    expect(resultOf(await services.run('claude', JSON_RUN, { stdin: '/etc/passwd' }))).toMatchObject({
      result: 'Hello.',
    });
  });
});

describe('a failure of claude', () => {
  test.each([
    [401, 'Invalid API key · Fix external API key'],
    [429, 'API Error: Request rejected (429) · Rate limited'],
    [529, 'API Error: 529 Overloaded. This is a server-side issue'],
  ])('an API error %i has the subtype success and is an error all the same', async (status, text) => {
    const services = await aJudge({ does: [{ 'api-error': { status } }] });
    const ended = await services.run('claude', JSON_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({ subtype: 'success', is_error: true, api_error_status: status });
    expect(resultOf(ended)['result']).toContain(text);
  });

  test('a refused connection has no status', async () => {
    const services = await aJudge({ does: [{ 'api-error': 'refused' }] });
    const result = resultOf(await services.run('claude', JSON_RUN, { stdin: 'hi' }));
    expect(result).toMatchObject({ api_error: 'connection_failed', api_error_status: null, is_error: true });
  });

  test.each([
    ['max-turns', 'error_max_turns', 'max_turns', ['--max-turns', '3']],
    ['budget', 'error_max_budget_usd', 'budget_exhausted', ['--max-budget-usd', '0.012']],
    ['schema-retries', 'error_max_structured_output_retries', 'structured_output_retry_exhausted', SCHEMA],
  ])('%s is an %s: exit code 1, errors and no result', async (behaviour, subtype, reason, args) => {
    const services = await aJudge({ reply: 'x', does: [behaviour] });
    const ended = await services.run('claude', [...JSON_RUN, ...args], { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({
      subtype,
      is_error: true,
      terminal_reason: reason,
      errors: [expect.any(String)],
    });
    expect(resultOf(ended)).not.toHaveProperty('result');
  });

  test('in text mode the turns that ran out are reported on stdout', async () => {
    const services = await aJudge({ does: ['max-turns'] });
    const ended = await services.run('claude', ['-p', '--max-turns', '3'], { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: 'Error: Reached max turns (3)\n', stderr: '' });
  });

  test('an answer that costs more than --max-budget-usd overshoots it and fails', async () => {
    const services = await aJudge({ reply: 'x', usage: { in: 10, out: 10, usd: 0.5 } });
    const over = await services.run('claude', [...JSON_RUN, '--max-budget-usd', '0.01'], { stdin: 'hi' });
    expect(resultOf(over)).toMatchObject({ subtype: 'error_max_budget_usd', total_cost_usd: 0.5 });
    expect((await services.run('claude', [...JSON_RUN, '--max-budget-usd', '2'], { stdin: 'hi' })).code).toBe(0);
    expect(await services.run('claude', [...JSON_RUN, '--max-budget-usd', '0'], { stdin: 'hi' })).toMatchObject({
      code: 1,
      stdout: '',
    });
  });

  test('a usage limit names the time of its reset in an event and in the result', async () => {
    const services = await aJudge({
      does: [{ 'usage-limit': { text: 'resets 3am (Europe/Berlin)', resets_at: 1_800_000_000 } }],
    });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(eventsOf(ended)).toContainEqual(
      expect.objectContaining({
        type: 'rate_limit_event',
        rate_limit_info: expect.objectContaining({ status: 'rejected', resetsAt: 1_800_000_000 }) as unknown,
      }),
    );
    expect(eventsOf(ended).at(-1)).toMatchObject({
      is_error: true,
      api_error_status: 429,
      result: "You've hit your session limit · resets 3am (Europe/Berlin)",
    });
  });

  test('without a login every prompt fails, and auth status says so', async () => {
    const services = await aWorld({ claude_auth: false, claude: [{ reply: 'x' }] });
    const ended = await services.run('claude', JSON_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({
      result: 'Not logged in · Please run /login',
      is_error: true,
      api_error_status: null,
    });
    const status = await services.run('claude', ['auth', 'status']);
    expect(status.code).toBe(1);
    expect(JSON.parse(status.stdout)).toMatchObject({ loggedIn: false });
    expect(JSON.parse((await (await aJudge()).run('claude', ['auth', 'status'])).stdout)).toMatchObject({
      loggedIn: true,
    });
  });

  test('what claude says itself is signed as such, not by a model', async () => {
    const services = await aJudge({ does: [{ 'api-error': 529 }] });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(eventsOf(ended)[1]).toMatchObject({ message: { model: '<synthetic>', usage: { input_tokens: 0 } } });
  });

  test('a run can kill itself after its words and before its result', async () => {
    const services = await aJudge({ reply: 'Hello.', does: [{ signal: 'SIGKILL' }] });
    const ended = await services.run('claude', STREAM_RUN, { stdin: 'hi' });
    expect(ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(kindsOf(ended)).toEqual(['init', 'assistant']);
  });

  test('--help tells of the options, and keeps --max-turns to itself', async () => {
    const { stdout } = await (await aJudge()).run('claude', ['--help']);
    expect(stdout).toContain('--restricted\n');
    expect(stdout).not.toContain('--max-turns');
  });

  test('a prompt that the scenario does not know is an error result', async () => {
    const services = await aJudge({ when: { includes: ['else'] }, reply: 'x' });
    const ended = await services.run('claude', JSON_RUN, { stdin: 'hi' });
    expect(ended.code).toBe(1);
    expect(resultOf(ended)).toMatchObject({ is_error: true, result: 'scenario has no answer for this prompt' });
  });

  test.each([
    [['-p', '--non-interactive'], "error: unknown option '--non-interactive'"],
    [['-p', '--json-schema', 'schema.json'], 'Error: --json-schema is not valid JSON: '],
    [['-p', '--output-format', 'xml'], 'Allowed choices are text, json, stream-json.'],
  ])('wrong arguments are refused with nothing on stdout: %j', async (args, complaint) => {
    const services = await aJudge({ reply: 'x' });
    const ended = await services.run('claude', args, { stdin: 'hi' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(complaint);
  });

  test.runIf(process.getuid?.() === 0)('root cannot skip the permissions unless it is in a sandbox', async () => {
    const services = await aJudge({ reply: 'x' });
    const args = ['-p', '--permission-mode', 'bypassPermissions'];
    expect(await services.run('claude', args, { stdin: 'hi' })).toMatchObject({ code: 1, stdout: '' });
    expect(await services.run('claude', args, { stdin: 'hi', env: { IS_SANDBOX: '1' } })).toMatchObject({ code: 0 });
  });

  test('a session id is used once, unless sessions are not kept', async () => {
    const services = await aJudge({ reply: 'x' });
    const args = ['-p', '--session-id', 'd2f513ea-426d-4758-a40f-3baf428e52f1'];
    expect((await services.run('claude', args, { stdin: 'hi' })).code).toBe(0);
    expect((await services.run('claude', args, { stdin: 'hi' })).stderr).toMatch(
      /^Error: Session ID .* is already in use\.$/m,
    );
    expect((await services.run('claude', [...args, '--no-session-persistence'], { stdin: 'hi' })).code).toBe(0);
  });

  test("an empty stdout with exit code 0 and an exit code of one's own are possible", async () => {
    const services = await aJudge({ times: 1, does: ['empty'] }, { does: [{ exit: 7 }] });
    expect(await services.run('claude', JSON_RUN, { stdin: 'hi' })).toMatchObject({ code: 0, stdout: '' });
    expect(await services.run('claude', JSON_RUN, { stdin: 'hi' })).toMatchObject({ code: 7, stdout: '' });
  });

  test('an answer of megabytes arrives whole', async () => {
    const services = await aJudge({ does: [{ megabytes: 3 }] });
    const { result } = resultOf(await services.run('claude', JSON_RUN, { stdin: 'hi' }));
    expect(String(result)).toHaveLength(3 * 1024 * 1024);
  });
});

describe('a signal to claude', () => {
  test('SIGINT is exit code 0 with a result that is an error', async () => {
    const { running } = await begun(JSON_RUN, 'silent');
    running.child.kill('SIGINT');
    const ended = await running.closed;
    expect(ended.code).toBe(0);
    expect(resultOf(ended)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
    });
    expect(resultOf(ended)['total_cost_usd']).toBeGreaterThan(0);
    expect(resultOf(ended)).not.toHaveProperty('result');
  });

  test('SIGINT in text mode prints nothing', async () => {
    const { running } = await begun(['-p'], 'silent');
    running.child.kill('SIGINT');
    expect(await running.closed).toMatchObject({ code: 0, stdout: '' });
  });

  test('SIGTERM is exit code 143 with an empty stdout', async () => {
    const { running } = await begun(JSON_RUN, 'hang');
    running.child.kill('SIGTERM');
    expect(await running.closed).toMatchObject({ code: 143, signal: null, stdout: '' });
  });

  test('a hanging run has printed its init event and goes on through the signals that it ignores', async () => {
    const { running } = await begun(STREAM_RUN, 'hang', 'ignore-term', 'ignore-int');
    await until(() => running.stdout().includes('"init"'));
    running.child.kill('SIGTERM');
    running.child.kill('SIGINT');
    await sleep(300);
    expect(running.child.exitCode).toBeNull();
    running.child.kill('SIGKILL');
    const ended = await running.closed;
    expect(ended.signal).toBe('SIGKILL');
    expect(kindsOf(ended)).toEqual(['init']);
  });

  test('a grandchild in its own session survives SIGKILL and holds stdout', async () => {
    const { services, running } = await begun(JSON_RUN, 'silent', 'grandchild');
    const [pid = 0] = services.grandchildren();
    running.child.kill('SIGKILL');
    await running.exited;
    expect(isAlive(pid)).toBe(true);
    expect(sessionOf(pid)).toBe(pid);
    expect(running.child.stdout?.closed).toBe(false);
  });

  test('a grandchild is ended on SIGTERM, which takes more than a second', async () => {
    const { services, running } = await begun(JSON_RUN, 'silent', 'grandchild');
    const [pid = 0] = services.grandchildren();
    const began = Date.now();
    running.child.kill('SIGTERM');
    expect(await running.closed).toMatchObject({ code: 143, stdout: '' });
    expect(Date.now() - began).toBeGreaterThan(1000);
    await until(() => !isAlive(pid));
  });
});
