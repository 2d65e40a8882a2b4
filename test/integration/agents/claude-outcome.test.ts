import { describe, expect, it } from 'vitest';
import { readDriverOutcome } from '../../../src/agents/drivers/driver-outcome.ts';
import { followProgram } from '../../../src/agents/drivers/follow-program.ts';
import type { Ending } from '../../../src/sandbox/processes/command.ts';
import type { AgentCall } from '../../../src/agents/agent.ts';
import { aDriver } from '../../support/drivers.ts';

const DRIVER = aDriver('claude');

const NOW = { at: new Date('2026-10-05T10:00:00.000Z'), zone: 'Europe/Berlin' };
type Asked = Pick<AgentCall, 'schema' | 'model'>;
const ASKED: Asked = { schema: { type: 'object' }, model: 'sonnet' };
const WITHOUT_SCHEMA: Asked = { model: 'sonnet' };

const MODEL_USAGE = {
  'claude-haiku-5-5': { inputTokens: 10, outputTokens: 3, costBasis: 'list' },
  'claude-opus-5-5': { inputTokens: 100, outputTokens: 20, cacheReadInputTokens: 7, costBasis: 'list' },
};

/** A result as claude prints it, with what is special about it. */
const result = (fields: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: '{"verdict":"PASS"}',
  structured_output: { verdict: 'PASS' },
  api_error_status: null,
  terminal_reason: 'completed',
  permission_denials: [],
  total_cost_usd: 0.25,
  modelUsage: MODEL_USAGE,
  ...fields,
});
/** An error of the service: its subtype says success all the same. */
const apiError = (status: number | null, text: string, more: object = {}): object =>
  result({
    is_error: true,
    result: text,
    structured_output: undefined,
    api_error_status: status,
    terminal_reason: 'api_error',
    ...more,
  });
/** A run that claude gave up itself: errors instead of a result. */
const gaveUp = (subtype: string, terminal: string, error: string, more: object = {}): object =>
  result({
    subtype,
    is_error: true,
    result: undefined,
    structured_output: undefined,
    terminal_reason: terminal,
    errors: [error],
    ...more,
  });
const limit = (status: string, resetsAt?: number): object => ({
  type: 'rate_limit_event',
  rate_limit_info: { status, rateLimitType: 'five_hour', ...(resetsAt === undefined ? {} : { resetsAt }) },
});
const retry = (status: number | null, error: string): object => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  error_status: status,
  error,
});
const message = (id: string, tokensIn: number, tokensOut: number, content: readonly object[] = []): object => ({
  type: 'assistant',
  message: { id, content, usage: { input_tokens: tokensIn, output_tokens: tokensOut } },
});
const START = { type: 'system', subtype: 'init', model: 'claude-opus-5-5' };

const seconds = (iso: string): number => Date.parse(iso) / 1000;

/** What a run that printed these events (or lines) and ended like that comes to. */
function outcome(events: readonly (object | string | Buffer)[], ending: Partial<Ending> = {}, asked: Asked = ASKED) {
  const stream = followProgram(DRIVER.output);
  for (const event of events) {
    if (Buffer.isBuffer(event)) stream.follow(event);
    else stream.follow(Buffer.from(typeof event === 'string' ? event : `${JSON.stringify(event)}\n`));
  }
  const ended: Ending = {
    ended: 'exited',
    exit: 0,
    signal: null,
    stdout: '',
    stderr: '',
    ms: 1234,
    utf8: true,
    ...ending,
  };
  return readDriverOutcome(DRIVER, ended, stream.story(), asked, NOW);
}
const FAILED = { exit: 1 };
const TOLD_LIMIT = "You've hit your session limit · resets 3pm";

type Row = [
  what: string,
  events: readonly (object | string | Buffer)[],
  ending: Partial<Ending>,
  kind: string,
  words: RegExp,
  until?: string,
];

/** Every ending that is known, and what it means for the line. */
const TABLE: readonly Row[] = [
  // Only a human can mend these.
  [
    '401',
    [apiError(401, 'Invalid API key · Fix external API key')],
    FAILED,
    'refused',
    /Invalid API key.*ANTHROPIC_API_KEY/,
  ],
  ['403', [apiError(403, 'Failed to authenticate. API Error: 403 Request not allowed')], FAILED, 'refused', /log in/],
  ['no login', [apiError(null, 'Not logged in · Please run /login')], FAILED, 'refused', /log in/],
  ['an expired login', [apiError(401, 'OAuth token has expired')], FAILED, 'refused', /log in/],
  ['no credit', [apiError(400, 'Credit balance is too low')], FAILED, 'refused', /add credit/],
  [
    'an unknown model',
    [apiError(404, "There's an issue with the selected model (x)")],
    FAILED,
    'refused',
    /agents\.claude\.model/,
  ],
  [
    'a proxy with its own certificate',
    [apiError(null, 'API Error: self-signed certificate')],
    FAILED,
    'refused',
    /NODE_EXTRA_CA_CERTS/,
  ],
  [
    'an old version',
    [],
    { exit: 1, stderr: "error: unknown option '--restricted'\n(Did you mean --print?)\n" },
    'refused',
    /lacks an option.*claude update/,
  ],
  [
    'a wrapper without its program',
    [],
    { exit: 127, stderr: 'env: node: No such file or directory\n' },
    'refused',
    /node: No such file/,
  ],
  // These pass by themselves.
  ['429', [apiError(429, 'API Error: Request rejected (429) · Rate limited')], FAILED, 'unavailable', /429/],
  [
    '429 with a time',
    [apiError(429, 'API Error: 429 Rate limited, retry after 90 seconds')],
    FAILED,
    'unavailable',
    /429/,
    '2026-10-05T10:01:30.000Z',
  ],
  ['500', [apiError(500, 'API Error: 500 Internal server error.')], FAILED, 'unavailable', /500/],
  ['529', [apiError(529, 'API Error: 529 Overloaded.')], FAILED, 'unavailable', /Overloaded/],
  ['an unknown 5xx', [apiError(599, 'API Error: 599')], FAILED, 'unavailable', /599/],
  [
    'a refused connection',
    [apiError(null, 'API Error: Connection refused', { api_error: 'connection_failed' })],
    FAILED,
    'unavailable',
    /refused/,
  ],
  [
    'no network',
    [apiError(null, "API Error: Can't reach the API server (ENOTFOUND)")],
    FAILED,
    'unavailable',
    /ENOTFOUND/,
  ],
  [
    'a time-out',
    [apiError(null, 'Request timed out. If the API is slow to answer …')],
    FAILED,
    'unavailable',
    /timed out/,
  ],
  [
    'an error in the middle of an answer',
    [apiError(null, 'API Error: Server error mid-response. The response above may be incomplete.')],
    FAILED,
    'unavailable',
    /mid-response/,
  ],
  [
    'a usage limit with an event',
    [limit('rejected', seconds('2026-10-05T13:00:00Z')), apiError(429, "You've hit your session limit")],
    FAILED,
    'unavailable',
    /session limit/,
    '2026-10-05T13:00:00.000Z',
  ],
  [
    'a usage limit in words',
    [apiError(429, "You've hit your session limit · resets 3pm (Europe/Berlin)")],
    FAILED,
    'unavailable',
    /session limit/,
    '2026-10-05T13:00:00.000Z',
  ],
  [
    'a usage limit in the words of older versions',
    [apiError(null, `Claude AI usage limit reached|${seconds('2026-10-05T12:00:00Z')}`)],
    FAILED,
    'unavailable',
    /usage limit/,
    '2026-10-05T12:00:00.000Z',
  ],
  [
    'a usage limit that calls itself a success',
    [
      result({
        result: `Claude AI usage limit reached|${seconds('2026-10-05T12:00:00Z')}`,
        structured_output: undefined,
      }),
    ],
    {},
    'unavailable',
    /usage limit/,
    '2026-10-05T12:00:00.000Z',
  ],
  [
    'a usage limit whose reset is past',
    [limit('rejected', seconds('2026-10-05T09:00:00Z')), apiError(429, "You've hit your limit")],
    FAILED,
    'unavailable',
    /limit/,
  ],
  [
    'a usage limit without a time',
    [limit('rejected'), apiError(429, "You've hit your limit · resets soon")],
    FAILED,
    'unavailable',
    /limit/,
  ],
  [
    'nothing but retries of a service that is down',
    [START, retry(529, 'overloaded')],
    { ended: 'idle', exit: 0 },
    'unavailable',
    /529 overloaded/,
  ],
  [
    'nothing but retries without an answer',
    [START, retry(null, 'unknown')],
    { ended: 'idle' },
    'unavailable',
    /got no answer/,
  ],
  [
    'no room for a process',
    [],
    { ended: 'missing', exit: null, notStarted: { kind: 'no room', why: 'cannot be started now (EMFILE)' } },
    'unavailable',
    /EMFILE/,
  ],
  // Retries of a refused key are no outage.
  [
    'nothing but retries of a refused key',
    [START, retry(401, 'authentication_failed')],
    { ended: 'idle' },
    'refused',
    /401/,
  ],
  // The answer does not fit.
  [
    'a prompt that is too long',
    [apiError(400, 'Prompt is too long', { terminal_reason: 'prompt_too_long' })],
    FAILED,
    'too-long',
    /too long/,
  ],
  [
    'a prompt that never left',
    [apiError(null, 'Prompt is too long', { terminal_reason: 'blocking_limit' })],
    FAILED,
    'too-long',
    /too long/,
  ],
  [
    'a prompt beyond what claude reads',
    [],
    { exit: 1, stderr: 'Error: piped stdin input exceeds 10MB.\n' },
    'too-long',
    /10MB/,
  ],
  [
    'no structured answer',
    [result({ structured_output: undefined, result: 'All is fine.' })],
    {},
    'unreadable',
    /no structured answer/,
  ],
  ['a structured answer that is null', [result({ structured_output: null })], {}, 'unreadable', /no structured answer/],
  [
    'prose about a usage limit',
    [result({ structured_output: undefined, result: "You've hit your session limit · resets 3pm" })],
    {},
    'unreadable',
    /no structured answer/,
  ],
  [
    'too many tries at the schema',
    [gaveUp('error_max_structured_output_retries', 'structured_output_retry_exhausted', 'Failed')],
    FAILED,
    'unreadable',
    /Failed/,
  ],
  ['text instead of events', ['I am another program.\n'], {}, 'unreadable', /another program/],
  ['bytes that are no UTF-8', [Buffer.from([0x22, 0xff, 0x0a]), result()], {}, 'unreadable', /UTF-8/],
  ['no UTF-8 and no result', [Buffer.from([0x22, 0xff, 0x0a])], {}, 'unreadable', /UTF-8/],
  ['more output than is read', [START], { ended: 'too much output' }, 'unreadable', /more than andon reads/],
  ['nothing at all', [], {}, 'empty', /empty answer/],
  // Another try may end differently.
  [
    'too many turns',
    [gaveUp('error_max_turns', 'max_turns', 'Reached maximum number of turns (60)')],
    FAILED,
    'crash',
    /turns \(60\)/,
  ],
  [
    'too many turns, as older versions say it',
    [gaveUp('error_max_turns', 'max_turns', 'Reached', { is_error: false })],
    FAILED,
    'crash',
    /Reached/,
  ],
  [
    'its own budget',
    [gaveUp('error_max_budget_usd', 'budget_exhausted', 'Reached maximum budget')],
    FAILED,
    'spent',
    /maximum budget/,
  ],
  [
    'SIGINT from elsewhere',
    [gaveUp('error_during_execution', 'aborted_tools', 'Request was aborted.')],
    { exit: 0 },
    'crash',
    /says that it failed.*aborted/,
  ],
  ['SIGTERM from elsewhere', [START], { exit: 143 }, 'crash', /ended from outside by SIGTERM/],
  ['SIGKILL from elsewhere', [START], { exit: null, signal: 'SIGKILL' }, 'crash', /SIGKILL.*memory/],
  ['SIGKILL as a shell reports it', [START], { exit: 137 }, 'crash', /SIGKILL/],
  ['a good result and then SIGTERM', [result()], { exit: 143 }, 'crash', /SIGTERM/],
  ['a good result and an exit code', [result()], { exit: 3 }, 'crash', /exit code 3/],
  ['an unknown error', [apiError(400, 'API Error: 400 bad thing')], FAILED, 'crash', /bad thing/],
  ['no result and an exit code', [START], { exit: 1, stderr: 'Error: something\n' }, 'crash', /exit code 1.*something/],
  [
    'a usage limit that is told as a success',
    [limit('rejected', seconds('2026-10-05T13:00:00Z')), result({ result: TOLD_LIMIT, structured_output: undefined })],
    {},
    'unavailable',
    /session limit/,
    '2026-10-05T13:00:00.000Z',
  ],
  [
    'an outage after a retry that was refused',
    [retry(401, 'authentication_failed'), retry(529, 'overloaded'), apiError(529, 'API Error: 529 Overloaded.')],
    FAILED,
    'unavailable',
    /Overloaded/,
  ],
  [
    'a limit that was lifted before the failure',
    [limit('rejected', seconds('2026-10-05T13:00:00Z')), limit('allowed'), apiError(400, 'API Error: 400 bad thing')],
    FAILED,
    'crash',
    /bad thing/,
  ],
  [
    'too many turns beside a warning about certificates',
    [gaveUp('error_max_turns', 'max_turns', 'Reached maximum number of turns (60)')],
    { exit: 1, stderr: 'Warning: ignoring self-signed certificate in certificate chain\n' },
    'crash',
    /turns/,
  ],
  [
    'retries without a status, and then silence',
    [retry(null, 'request_failed')],
    { ended: 'idle', exit: 0 },
    'unavailable',
    /request_failed/,
  ],
  [
    'an answer that was refused too often, without an error',
    [result({ subtype: 'error_max_structured_output_retries' })],
    {},
    'unreadable',
    /says that it failed/,
  ],
  [
    'a bad request after a limit',
    [limit('rejected', seconds('2026-10-05T13:00:00Z')), apiError(400, 'API Error: 400 bad thing')],
    FAILED,
    'crash',
    /bad thing/,
  ],
  [
    'a retry, a limit that is well, and then silence',
    [retry(529, 'overloaded'), limit('allowed')],
    { ended: 'idle', exit: 0 },
    'unavailable',
    /overloaded/,
  ],
  [
    'errors beside words of the result',
    [apiError(null, 'API Error', { errors: ['prompt is too long'] })],
    FAILED,
    'too-long',
    /API Error/,
  ],
  // Ended by andon.
  ['silence', [START], { ended: 'idle', exit: 0 }, 'stall', /no sign of life/],
  ['no end', [START], { ended: 'hard', exit: 143 }, 'stall', /hard limit/],
  ['the end of andon', [START], { ended: 'aborted', exit: 0 }, 'aborted', /andon/],
  ['no program', [], { ended: 'missing', exit: null }, 'missing', /not installed/],
  [
    'a program that cannot run',
    [],
    { ended: 'missing', exit: null, notStarted: { kind: 'broken', why: 'is a folder' } },
    'refused',
    /a folder.*agents\.claude\.program/,
  ],
];

describe('an ending of claude', () => {
  it.each(TABLE)('%s', (_what, events, ending, kind, words, until) => {
    const end = outcome(events, ending);
    expect(end).toMatchObject({ ok: false, why: { kind, detail: expect.stringMatching(words) as unknown } });
    expect(!end.ok && end.why.until).toBe(until);
  });

  it('is a limit for a call in text as well, where it is told as a success', () => {
    const events = [limit('rejected'), result({ result: TOLD_LIMIT, structured_output: undefined })];
    expect(outcome(events, {}, WITHOUT_SCHEMA)).toMatchObject({ ok: false, why: { kind: 'unavailable' } });
  });

  it('is told in one printable line, whatever the service says', () => {
    const end = outcome([apiError(500, 'API Error: 500\u001b]0;x\u0007\r\nand\u202e more')], FAILED);
    expect(!end.ok && end.why.detail).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe('a success of claude', () => {
  it('has the answer, and says who answered', () => {
    expect(outcome([START, result()])).toEqual({
      ok: true,
      value: {
        text: '{"verdict":"PASS"}',
        structured: { verdict: 'PASS' },
        tokensIn: 117,
        tokensOut: 23,
        usd: 0.25,
        ms: 1234,
        exit: 0,
        answeredBy: 'claude-opus-5-5',
        denials: [],
        opened: [],
      },
    });
  });

  it('names the model it was started with when the result names none', () => {
    expect(outcome([START, result({ modelUsage: undefined })])).toMatchObject({
      ok: true,
      value: { answeredBy: 'claude-opus-5-5', tokensIn: null, usd: 0.25 },
    });
  });

  it('is the last of two results', () => {
    const first = result({ structured_output: undefined, total_cost_usd: 0.1 });
    expect(outcome([first, result()])).toMatchObject({
      ok: true,
      value: { structured: { verdict: 'PASS' }, usd: 0.25 },
    });
  });

  it('stays one after an error that was mended', () => {
    expect(outcome([apiError(500, 'API Error: 500'), message('m', 1, 1), result()])).toMatchObject({ ok: true });
  });

  it('is the short answer of a model about an outage', () => {
    const words = 'The test timed out; server error handled.';
    const events = [limit('rejected'), result({ result: words, structured_output: undefined })];
    expect(outcome(events, {}, WITHOUT_SCHEMA)).toMatchObject({ ok: true, value: { text: words } });
  });

  it('is none when the last of two results is an error', () => {
    expect(outcome([result(), apiError(529, 'Overloaded')], FAILED)).toMatchObject({ why: { kind: 'unavailable' } });
  });

  it('stays one after a warning about a limit, and after a limit that paid use took over', () => {
    expect(outcome([limit('allowed_warning', seconds('2026-10-05T13:00:00Z')), result()]).ok).toBe(true);
    expect(outcome([limit('rejected', seconds('2026-10-05T13:00:00Z')), result()]).ok).toBe(true);
  });

  it('without a schema is what was said, and nothing said is nothing', () => {
    const said = result({ structured_output: undefined, result: 'Hello.' });
    expect(outcome([said], {}, WITHOUT_SCHEMA)).toMatchObject({ ok: true, value: { text: 'Hello.' } });
    const silent = result({ structured_output: undefined, result: ' ' });
    expect(outcome([silent], {}, WITHOUT_SCHEMA)).toMatchObject({ why: { kind: 'empty' } });
  });

  it('has no price when claude had none for the model', () => {
    const modelUsage = { nosuch: { inputTokens: 1, outputTokens: 1, costBasis: 'unknown' } };
    expect(outcome([result({ modelUsage })])).toMatchObject({ ok: true, value: { usd: null, tokensIn: 1 } });
  });

  it('tells what was denied, in safe phrases, and which files its tools have shown', () => {
    const use = (id: string, name: string, input: object = {}): object => ({ type: 'tool_use', id, name, input });
    const used = (id: string, failed = false): object => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, ...(failed ? { is_error: true } : {}) }] },
    });
    const permission_denials = [
      { tool_name: 'Write', tool_use_id: 't', tool_input: { file_path: '/tree/src\u001b[2J.ts', content: 'x' } },
      { tool_name: 'Bash', tool_input: { command: 'rm -rf\n/' } },
    ];
    const end = outcome([
      message('m1', 1, 1, [
        use('a', 'Read', { file_path: '/desk/change.diff' }),
        use('b', 'Read', { file_path: '/desk/contract.md' }),
        use('c', 'StructuredOutput'),
        use('d', 'Grep', { path: '/desk/gates.md', output_mode: 'content', pattern: 'x' }),
        use('e', 'Grep', { path: '/desk/tree', pattern: 'x' }),
        use('f', 'Glob', { path: '/desk', pattern: '*' }),
        use('g', 'Read', { file_path: 7 }),
        use('h', 'Read', { file_path: '/desk/rounds.md' }), // told of no end
      ]),
      used('a'),
      used('b', true),
      ...['c', 'd', 'e', 'f', 'g'].map((id) => used(id)),
      result({ permission_denials }),
    ]);
    expect(end).toMatchObject({
      ok: true,
      value: {
        denials: ['Write /tree/src\\u{1b}[2J.ts', 'Bash rm -rf /'],
        opened: ['/desk/change.diff', '/desk/gates.md'],
      },
    });
  });

  it.each([
    ['that differ', [{ verdict: 'FAIL' }, { verdict: 'PASS' }], 'unreadable'],
    [
      'that are the same in another order',
      [
        { verdict: 'PASS', n: 1 },
        { n: 1, verdict: 'PASS' },
      ],
      undefined,
    ],
    ['of which the first was turned back', [{ verdict: 'LGTM', refused: true }, { verdict: 'PASS' }], undefined],
  ])('with two answers %s counts only where both say the same', (_, answers, kind) => {
    const handsIn = answers.map((input, at) => ({ type: 'tool_use', id: `s${at}`, name: 'StructuredOutput', input }));
    const turned = (id: string, failed: boolean): object => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: failed }] },
    });
    const told = answers.map((answer, at) => turned(`s${at}`, 'refused' in answer));
    const end = outcome([message('m1', 1, 1, handsIn), ...told, result()]);
    expect(end.ok ? undefined : end.why.kind).toBe(kind);
  });

  it('with two results that differ counts as none', () => {
    const end = outcome([result({ structured_output: { verdict: 'FAIL' } }), result()]);
    expect(end).toMatchObject({ ok: false, why: { kind: 'unreadable', detail: expect.stringContaining('differ') } });
  });

  it('is told although parts of it that matter less have another shape', () => {
    expect(outcome([result({ modelUsage: 'none', permission_denials: {}, api_error_status: '?' })])).toMatchObject({
      ok: true,
      value: { tokensIn: null, usd: 0.25, denials: [] },
    });
  });

  it('is none without the word whether it is an error', () => {
    expect(outcome([result({ is_error: undefined })])).toMatchObject({ why: { kind: 'empty' } });
  });
});

describe('what a run has used', () => {
  it('is unknown when nothing was said', () => {
    expect(outcome([START], { exit: 143 })).toMatchObject({ why: { tokensIn: null, tokensOut: null, usd: null } });
  });

  it('is what the result says, failed or not', () => {
    expect(outcome([message('m1', 10, 1), apiError(529, 'Overloaded')], FAILED)).toMatchObject({
      why: { tokensIn: 117, tokensOut: 23, usd: 0.25 },
    });
    expect(outcome([gaveUp('error_during_execution', 'aborted_tools', 'x')], { ended: 'aborted' })).toMatchObject({
      why: { kind: 'aborted', usd: 0.25 },
    });
  });
});

describe('a service that wants to be left alone', () => {
  const wait = (fields: object): object => ({ ...retry(429, 'rate_limit'), ...fields });
  const untilOf = (fields: object, ending: Partial<Ending> = { ended: 'idle' }): number => {
    const end = outcome([START, wait(fields)], ending);
    return end.ok || end.why.until === undefined ? 0 : Date.parse(end.why.until) - NOW.at.getTime();
  };

  it.each([
    ['in milliseconds, as claude waits itself', { retry_delay_ms: 900_000 }],
    ['in seconds, as the header says', { retry_delay_ms: 500, retry_after: 900 }],
  ])('for a while that it names (%s) is not asked before', (_, fields) => {
    expect(untilOf(fields)).toBeGreaterThan(890_000);
    expect(untilOf(fields)).toBeLessThanOrEqual(900_000);
  });

  it('has no time where none was named, or it is over', () => {
    expect(untilOf({})).toBe(0);
    expect(untilOf({ retry_delay_ms: 0 })).toBe(0);
  });
});

describe('what a run has used', () => {
  const begun = (id: string, tokensIn: number): object => ({
    type: 'stream_event',
    event: { type: 'message_start', message: { id, content: [], usage: { input_tokens: tokensIn, output_tokens: 1 } } },
  });
  const written = (tokens: number): object => ({
    type: 'stream_event',
    event: { type: 'message_delta', usage: { output_tokens: tokens } },
  });

  it('counts every request once, with the most that was told of it; its price is unknown without a result', () => {
    const end = outcome([START, begun('a', 1000), written(30), message('a', 1000, 1), begun('b', 1200)], { exit: 1 });
    expect(end).toMatchObject({ ok: false, why: { tokensIn: 2200, tokensOut: 31, usd: null } });
  });

  it('counts a request that the stream cut off and the result forgets; what was used is never free', () => {
    const cut = [START, begun('a', 1000), written(30)];
    const nothing = { total_cost_usd: 0, modelUsage: {} };
    const end = outcome([...cut, apiError(529, 'Overloaded', nothing)], { exit: 1 });
    expect(end).toMatchObject({ why: { kind: 'unavailable', tokensIn: 1000, tokensOut: 30, usd: null } });
    expect(outcome([START, apiError(529, 'Overloaded', nothing)], { exit: 1 })).toMatchObject({
      why: { tokensIn: 0, tokensOut: 0, usd: 0 },
    });
  });
});
