import { describe, expect, it } from 'vitest';
import { readDriverOutcome } from '../../../src/agents/drivers/driver-outcome.ts';
import { followProgram } from '../../../src/agents/drivers/follow-program.ts';
import type { Ending } from '../../../src/sandbox/processes/command.ts';
import { aDriver, readWrittenDriver } from '../../support/drivers.ts';

const NOW = { at: new Date('2026-10-05T10:00:00.000Z'), zone: 'Europe/Berlin' };
const EXITED = { ended: 'exited', exit: 1, signal: null, stdout: '', stderr: '', ms: 1, utf8: true } as const;

/** What a run that printed these events and ended like that comes to; it ends with 1 unless the row says otherwise. */
function outcome(name: string, events: readonly object[], ending: Partial<Ending> = {}) {
  const driver = aDriver(name);
  const stream = followProgram(driver.calls.edit?.output ?? driver.output);
  for (const event of events) stream.follow(Buffer.from(`${JSON.stringify(event)}\n`));
  return readDriverOutcome(driver, { ...EXITED, ...ending }, stream.story(), { model: 'm' }, NOW);
}
const kindOf = (...row: Parameters<typeof outcome>): string => {
  const end = outcome(...row);
  return end.ok ? 'ok' : end.why.kind;
};

const claude = (text: string, status: number | null = null, more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  result: text,
  api_error_status: status,
  terminal_reason: 'api_error',
  ...more,
});
const gaveUp = (subtype: string, error: string): object =>
  claude('', null, { subtype, result: undefined, errors: [error], terminal_reason: 'max_turns' });
const retry = { type: 'system', subtype: 'api_retry', error_status: 529, error: 'overloaded' };
const says = { type: 'assistant', message: { id: 'a', content: [{ type: 'text', text: 'Working.' }] } };
const done = { type: 'result', subtype: 'success', is_error: false, result: 'Done.' };
const rejected = (more: object = {}): object => ({
  type: 'rate_limit_event',
  rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_791_205_200, ...more },
});

const hiccup = { type: 'error', message: 'Reconnecting... 1/5 (stream disconnected before completion)' };
const item = (type: string, more: object = {}): object => ({ type: 'item.completed', item: { type, ...more } });
const spoke = item('agent_message', { text: 'Working.' });
const turnFailed = (message: string): object => ({ type: 'turn.failed', error: { message } });
const turnDone = { type: 'turn.completed', usage: {} };

const gemini = (message: string): object => ({ type: 'result', status: 'error', error: { type: 'Error', message } });
const qwen = (message: string): object => ({ type: 'result', is_error: true, error: { message } });
const opencode = (message: string, statusCode?: number, name = 'APIError'): object => ({
  type: 'error',
  error: { name, data: { message, ...(statusCode === undefined ? {} : { statusCode }) } },
});
const copilot = (message: string, statusCode?: number, errorType = 'query'): object => ({
  type: 'session.error',
  data: { message, errorType, ...(statusCode === undefined ? {} : { statusCode }) },
});

const TURNS = '{"error":{"type":"FatalTurnLimitedError","message":"Reached max session turns","code":53}}';

describe('a trouble that is over is no cause of a later failure', () => {
  it.each([
    ['claude-code', [retry, says, gaveUp('error_max_turns', 'Reached maximum number of turns (150)')], {}, 'crash'],
    ['claude-code', [retry, says, gaveUp('error_during_execution', 'Request was aborted.')], {}, 'crash'],
    ['claude-code', [retry, says, claude('API Error: 400 bad thing', 400)], {}, 'crash'],
    ['claude-code', [retry, says, { ...done, result: '' }], { exit: 0 }, 'empty'],
    ['claude-code', [claude('API Error: 529 Overloaded', 529), done], { exit: 0 }, 'ok'],
    ['claude-code', [done, claude('API Error: 529 Overloaded', 529)], {}, 'unavailable'],
    ['codex', [hiccup, spoke, turnFailed('Incomplete response returned, reason: max_output_tokens')], {}, 'crash'],
    ['codex', [hiccup, turnFailed('Incomplete response returned, reason: max_output_tokens')], {}, 'crash'],
    ['codex', [hiccup, spoke, turnFailed('Invalid schema for response_format')], {}, 'crash'],
    ['codex', [hiccup, turnDone], { exit: 0 }, 'empty'],
    ['codex', [hiccup, spoke], { exit: 1, stderr: 'thread panicked\n' }, 'crash'],
    ['gemini', [], { exit: 53, stderr: `Attempt 1 failed with status 429. Retrying... quota\n${TURNS}\n` }, 'crash'],
    ['qwen', [], { exit: 53, stderr: 'Error: 429 Too Many Requests\nReached max session turns\n' }, 'crash'],
    ['gemini', [], { exit: 1, stderr: 'Attempt 1 failed: fetch failed. Retrying...\nError: no such tool\n' }, 'crash'],
    [
      'gemini',
      [{ type: 'result', status: 'success', stats: {} }],
      {
        exit: 0,
        stderr: 'Attempt 1 failed: You have exhausted your capacity on this model. Retrying after 6173ms...\n',
      },
      'empty',
    ],
  ])('%s: %j %j is %s', (name, events, ending, kind) => {
    expect(kindOf(name, events, ending)).toBe(kind);
  });

  it.each([
    ['codex', [hiccup, item('error', { message: 'Model metadata not found.' })], { ended: 'idle' }],
    ['codex', [hiccup], {}],
    ['claude-code', [says, retry], { ended: 'idle' }],
    ['claude-code', [says, retry], {}],
    // It says why it ended only because andon ended it.
    ['claude', [says, retry, gaveUp('error_during_execution', 'Request was aborted.')], { ended: 'idle', exit: 0 }],
    ['gemini', [], { exit: 1, stderr: 'Attempt 3 failed: fetch failed. Retrying...\n    at run (cli.js:1:1)\n' }],
  ] as const)('%s: one that is not over is: %j %j', (name, events, ending) => {
    expect(kindOf(name, events, ending)).toBe('unavailable');
  });
});

describe('a status decides, whatever the words', () => {
  const rows = [
    [400, 'Bad Request', 'crash'],
    [401, 'Unauthorized', 'refused'],
    [402, 'Insufficient credits', 'refused'],
    [403, 'Forbidden: this route is overloaded, the rate limit exceeded', 'refused'],
    [404, 'The model `x` does not exist', 'refused'],
    [413, 'Request Entity Too Large', 'too-long'],
    [422, 'Message 3 mentions a connection reset, 503 and a request timed out', 'crash'],
    [429, 'Too Many Requests', 'unavailable'],
    [429, 'You exceeded your current quota, please check your plan and billing details.', 'unavailable'],
    [500, 'Internal Server Error', 'unavailable'],
    [502, 'Invalid api key', 'unavailable'],
    [503, 'Service Unavailable', 'unavailable'],
    [400, 'Input exceeds the context window of this model', 'too-long'],
  ] as const;
  const told = {
    opencode: (status: number, words: string) => [opencode(words, status)],
    copilot: (status: number, words: string) => [copilot(words, status)],
    codex: (status: number, words: string) => [turnFailed(`unexpected status ${status} X: ${words}`)],
    qwen: (status: number, words: string) => [qwen(`[API Error: ${status} ${words}]`)],
  };
  it.each(
    Object.entries(told).flatMap(([name, tell]) =>
      rows.map(([status, words, kind]) => [name, status, words, kind, tell(status, words)] as const),
    ),
  )('%s: %i %s is %s', (name, _status, _words, kind, events) => {
    expect(kindOf(name, events)).toBe(kind);
  });

  it.each([
    [146, 'Payment Required', 'refused'],
    [144, 'Input exceeds the context window', 'too-long'],
    [145, 'The service is overloaded', 'refused'],
    [147, 'requires a quota project, which is not set by default. PERMISSION_DENIED', 'refused'],
    [148, 'models/x is not found', 'refused'],
    [157, 'Payload Too Large', 'too-long'],
    [173, 'API key not valid', 'unavailable'],
    [246, 'got status: 502 Bad Gateway', 'unavailable'],
    [248, 'DEADLINE_EXCEEDED', 'unavailable'],
    [144, 'The input token count (9) exceeds the maximum number of tokens allowed (1)', 'too-long'],
    [144, 'tool result mentions UNAVAILABLE and a rate limit exceeded', 'refused'],
    [1, '{"error":{"code":503,"message":"API key not valid"}}', 'unavailable'],
    [1, 'the 503 tests ran into no quota', 'crash'],
  ])('gemini: exit %i, %s is %s', (exit, words, kind) => {
    expect(kindOf('gemini', [gemini(words)], { exit })).toBe(kind);
  });

  it.each([
    ['claude', 400, '400 messages.3: tool result mentions connection reset', 'crash'],
    ['claude', 403, 'API Error: rate limit exceeded for this organization', 'refused'],
    ['claude', 529, 'API Error: invalid api key store is overloaded', 'unavailable'],
    ...['claude', 'claude-code'].flatMap((name) => [
      ...([401, 402, 403, 404] as const).map((status) => [name, status, 'API Error', 'refused'] as const),
      ...([408, 429, 500, 502, 503] as const).map((status) => [name, status, 'API Error', 'unavailable'] as const),
      [name, 413, 'API Error', 'too-long'] as const,
      [name, 400, 'API Error', 'crash'] as const,
    ]),
  ] as const)('%s: %i %s is %s', (name, status, words, kind) => {
    expect(kindOf(name, [claude(words, status)])).toBe(kind);
  });

  it('a type of error stands for a status', () => {
    expect(kindOf('copilot', [copilot('x', undefined, 'authentication')])).toBe('refused');
    expect(kindOf('copilot', [copilot('x', undefined, 'rate_limit')])).toBe('unavailable');
    expect(kindOf('opencode', [opencode('x', undefined, 'ProviderAuthError')])).toBe('refused');
  });
});

describe('numbers and words of every day name no cause', () => {
  it.each([
    ['qwen', [qwen('Tool output truncated at 500 lines and the model gave no answer')]],
    ['qwen', [qwen('429 tests passed and one did not')]],
    ['opencode', [opencode('schema error at character 512', undefined, 'UnknownError')]],
    ['codex', [turnFailed('Incomplete: tool read 404 lines')]],
    ['codex', [turnFailed('This content was flagged: database connection credential harvesting.')]],
    ['copilot', [copilot('Patch does not apply at offset 401')]],
    ['copilot', [copilot('The patch of authentication.ts does not apply')]],
    ['claude', [gaveUp('error_during_execution', 'The connection pool of the tests overloaded a function')]],
    ['claude-code', [gaveUp('error_during_execution', 'wrote 401 lines about authentication and billing')]],
  ])('%s: %j', (name, events) => {
    expect(kindOf(name, events)).toBe('crash');
  });
});

describe('both drivers of claude', () => {
  it('know the same events and causes', () => {
    const parts = (name: string) => {
      const { output, causes = [] } = readWrittenDriver(name);
      const { failed, trouble, waits } = output ?? {};
      return { failed, trouble, waits, causes: causes.map((cause) => ({ ...cause, remedy: undefined })) };
    };
    expect(parts('claude-code')).toEqual(parts('claude'));
  });

  it.each([
    ["You've hit your session limit · resets 3pm (Europe/Berlin)", 'unavailable'],
    ['5-hour limit reached ∙ resets 3pm', 'unavailable'],
    ["You're out of extra usage · resets 3pm", 'unavailable'],
    ['API Error: 400 You have reached your specified API usage limits.', 'unavailable'],
    [
      'API Error: 400 {"type":"error","error":{"message":"You have reached your specified API usage limits."}}',
      'unavailable',
    ],
    ['Request timed out. If the API is slow to answer …', 'unavailable'],
    ["API Error: Can't reach the API server (ENOTFOUND)", 'unavailable'],
    ['API Error: Server error mid-response. The response above may be incomplete.', 'unavailable'],
    ['API Error: malformed response', 'unavailable'],
    ['API Error: Overloaded', 'unavailable'],
    ['OAuth token has expired', 'refused'],
    ['OAuth token revoked · Please run /login', 'refused'],
    ['This organization has been disabled.', 'refused'],
    ['API Error: self-signed certificate', 'refused'],
    ['Credit balance is too low', 'refused'],
    ['Request too large', 'too-long'],
    ['Prompt is too long', 'too-long'],
  ])('"%s" is %s', (words, kind) => {
    for (const name of ['claude', 'claude-code'])
      for (const status of [null, 400]) {
        const isOutage = !/limit|usage/.test(words) && kind === 'unavailable';
        expect(kindOf(name, [claude(words, status)]), `${name} ${status}`).toBe(
          isOutage && status === 400 ? 'crash' : kind,
        );
      }
  });

  it.each(['claude', 'claude-code'])('%s: a rejected limit and then silence is waited for until its end', (name) => {
    expect(outcome(name, [rejected()], { ended: 'idle' })).toMatchObject({
      why: { kind: 'unavailable', until: '2026-10-05T13:00:00.000Z' },
    });
  });

  it.each(['claude', 'claude-code'])('%s: a prompt beyond what it reads is too long', (name) => {
    expect(kindOf(name, [], { stderr: 'Error: piped stdin input exceeds 10MB.\n' })).toBe('too-long');
  });
});

describe('an answer that speaks of limits', () => {
  const answer = (result: string): object => ({ ...done, result });
  const file = 'FILE: hello.md\n```\nUsage limit reached\n```';
  it.each([
    ['in the asked form, while paid use goes on', [rejected({ isUsingOverage: true }), answer(file)], 'ok'],
    ['in the asked form, after a limit', [rejected(), answer(file)], 'ok'],
    ['as JSON, after a limit', [rejected(), answer('{"summary":"Rate limit reached: it waits"}')], 'ok'],
    [
      'in a sentence, while paid use goes on',
      [rejected({ isUsingOverage: true }), answer('Usage limit reached.')],
      'ok',
    ],
    ['as the report of a limit', [rejected(), answer("You've hit your session limit · resets 3pm")], 'unavailable'],
    ['as the report of older versions', [rejected(), answer('5-hour limit reached ∙ resets 3pm\n')], 'unavailable'],
  ])('%s', (_, events, kind) => {
    expect(kindOf('claude', events, { exit: 0 })).toBe(kind);
  });
});
