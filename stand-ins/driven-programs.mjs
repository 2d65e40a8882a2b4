// What codex 0.169.0, gemini 0.61.0, qwen 0.24.4, opencode 1.18.33 and copilot 1.0.102 print, ask for and end with.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const line = (value) => `${JSON.stringify(value)}\n`;
/** gemini and qwen print one event a line instead of one text at the end. */
const STREAMS = process.argv.includes('stream-json');
const SESSION = '00000000-0000-4000-8000-000000000000';

/** Reads options: `flags` take no value, `valued` one; anything else is a problem with this exit code. */
function options(argv, { flags, valued, words = [], exit = 1 }) {
  const given = {};
  for (let at = 0; at < argv.length; at += 1) {
    const [word, attached] = argv[at].split(/=(.*)/s);
    if (words.includes(argv[at])) continue;
    if (flags.includes(argv[at])) given[argv[at]] = true;
    else if (valued.includes(word)) given[word] = attached ?? argv[(at += 1)];
    else return { problem: { says: `error: unexpected argument '${argv[at]}' found`, exit } };
  }
  return given;
}

const codex = {
  version: '0.169.0',
  help: ['--json', '--ephemeral', '--skip-git-repo-check', '--output-schema', '--sandbox'],
  versionLine: (version) => `codex-cli ${version}\n`,
  login: ([first, second], isLoggedIn) =>
    first === 'login' && second === 'status'
      ? { says: isLoggedIn ? 'Logged in using ChatGPT\n' : 'Not logged in\n', exit: isLoggedIn ? 0 : 1 }
      : undefined,
  launchers: () => 0,
  waitsFor: [],
  parse(argv) {
    if (argv[0] !== 'exec') return { problem: { says: 'this stand-in cannot be talked to interactively', exit: 2 } };
    const given = options(argv.slice(1), {
      flags: ['--json', '--ephemeral', '--skip-git-repo-check'],
      valued: ['-s', '-c', '-m', '--output-schema'],
      words: ['-'],
      exit: 2,
    });
    return { model: given['-m'], schema: given['--output-schema'], hasGit: given['--skip-git-repo-check'], ...given };
  },
  refuses(prompt, given, { isLoggedIn }) {
    if (!given.hasGit)
      return { err: 'Not inside a trusted directory and --skip-git-repo-check was not specified.\n', exit: 1 };
    if (prompt === '') return { err: 'No prompt provided via stdin.\n', exit: 1 };
    if (prompt.length > 1_048_576) return { err: 'Input exceeds the maximum length of 1048576 characters.\n', exit: 1 };
    if (given.schema !== undefined && !existsSync(given.schema))
      return { err: `Failed to read output schema file ${given.schema}\n`, exit: 1 };
    return isLoggedIn ? undefined : codex.failed({ status: 401, message: 'Unauthorized' });
  },
  begins: () => line({ type: 'thread.started', thread_id: SESSION }) + line({ type: 'turn.started' }),
  retryLine: (time) => line({ type: 'error', message: `Reconnecting... waiting for network (attempt ${time})` }),
  /** It tries again first, and says so in lines that are not its last word. */
  failed: ({ status, message }) => {
    const words = /usage limit/i.test(message) ? message : `unexpected status ${status} ${message}`;
    const again = line({ type: 'error', message: `Reconnecting... 1/2 (${words})` });
    return { out: again + line({ type: 'turn.failed', error: { message: words } }), exit: 1 };
  },
  /** A patch that its own sandbox refuses: no event, one line on stderr, a perfect end. */
  refusedTool: () => ({
    out: line({ type: 'turn.completed', usage: { input_tokens: 900, cached_input_tokens: 0, output_tokens: 5 } }),
    err: 'ERROR codex_core: patch rejected: writing is blocked by read-only sandbox\n',
    exit: 0,
  }),
  answers({ text, usage }) {
    const item = (more) => line({ type: 'item.completed', item: { id: 'item_1', ...more } });
    return {
      events: [
        item({ type: 'error', message: 'Model metadata not found; using fallback.' }), // only a warning
        item({ type: 'agent_message', text: 'Let me look at that.' }),
        line({
          type: 'item.started',
          item: { id: 'item_2', type: 'command_execution', command: 'ls', status: 'in_progress' },
        }),
        ...(text === '' ? [] : [item({ type: 'agent_message', text })]),
        line({
          type: 'turn.completed',
          ...(usage && {
            usage: {
              input_tokens: usage.in,
              cached_input_tokens: 200,
              output_tokens: usage.out,
              reasoning_output_tokens: 0,
            },
          }),
        }),
      ].filter((_, at) => text !== '' || at !== 1),
    };
  },
};

const gemini = {
  version: '0.61.0',
  help: ['--skip-trust', '--approval-mode', '--output-format', '--model'],
  versionLine: (version) => `${version}\n`,
  launchers: ({ GEMINI_CLI_NO_RELAUNCH: none }) => (none === 'true' ? 0 : 1),
  noise: 'Warning: 256-color support not detected.\nRipgrep is not available. Falling back to GrepTool.\n',
  parse(argv) {
    const given = options(argv, { flags: ['--skip-trust'], valued: ['-m', '-o', '--approval-mode'] });
    return { model: given['-m'], ...given };
  },
  refuses(prompt, given, { env, isLoggedIn }) {
    if (!given['--skip-trust'])
      return { err: 'Gemini CLI is not running in a trusted directory. Use --skip-trust.\n', exit: 55 };
    if (prompt.trim() === '') return { err: 'No input provided via stdin.\n', exit: 42 };
    const settings = join(env['HOME'] ?? '', '.gemini/settings.json');
    const isSet = existsSync(settings) && readFileSync(settings, 'utf8').includes('"selectedType":"gemini-api-key"');
    if (!isSet || !env['GEMINI_API_KEY'])
      return { err: line({ error: { message: 'Invalid auth method selected.', code: 41 } }), exit: 41 };
    return isLoggedIn ? undefined : gemini.failed({ status: 401, message: 'API key not valid' });
  },
  /** On SIGTERM and SIGINT it ends with 0 and says nothing. */
  listen() {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
  },
  begins: () => '',
  failed: ({ status, message }) => ({
    out: STREAMS ? line({ type: 'result', status: 'error', error: { type: 'Error', message }, stats: {} }) : '',
    err: `Error: ${message}\n    at retryWithBackoff (file:///usr/lib/gemini.js:1:1)\n${JSON.stringify({ session_id: SESSION, error: { type: 'Error', message, code: status } }, null, 2)}\n`,
    exit: status % 256,
  }),
  refusedTool: () => ({
    out: STREAMS
      ? line({ type: 'result', status: 'success', stats: {} })
      : JSON.stringify({ session_id: SESSION, response: '', stats: { models: {} } }),
    exit: 0,
  }),
  answers({ text, usage, given }) {
    if (STREAMS) return { events: gemini.eventsOf(text, usage, given) };
    const tokens = usage && {
      input: usage.in,
      prompt: usage.in,
      candidates: usage.out,
      cached: 0,
      thoughts: 3,
      tool: 0,
    };
    const models =
      usage === undefined ? {} : { [given.model ?? 'gemini-3.8-flash']: { api: { totalRequests: 1 }, tokens } };
    return { events: [`${JSON.stringify({ session_id: SESSION, response: text, stats: { models } }, null, 2)}\n`] };
  },
};

/** What it says before a tool, the tool, and the answer in pieces; output_tokens leaves its 3 thoughts out. */
gemini.eventsOf = (text, usage, given) => {
  const event = (type, more) => line({ type, timestamp: new Date().toISOString(), ...more });
  const say = (content) => event('message', { role: 'assistant', content, delta: true });
  const stats = usage && {
    total_tokens: usage.in + usage.out + 3,
    input_tokens: usage.in,
    output_tokens: usage.out,
    cached: 0,
  };
  return [
    event('init', { session_id: SESSION, model: given.model ?? 'gemini-3.8-flash' }),
    event('message', { role: 'user', content: 'what was asked' }),
    ...(text === ''
      ? []
      : [
          say('Let me look at that.'),
          event('tool_use', { tool_name: 'read_file', tool_id: 'r1', parameters: { absolute_path: 'README.md' } }),
          event('tool_result', { tool_id: 'r1', status: 'error', output: 'no such file' }),
        ]),
    ...[text.slice(0, 8), text.slice(8)].filter((part) => part !== '').map(say),
    event('result', { status: 'success', stats: stats ?? {} }),
  ];
};

/** Its events as the options want them. */
const qwenEvents = (events) => (STREAMS ? events.map(line).join('') : JSON.stringify(events));

const qwen = {
  version: '0.24.4',
  help: ['--bare', '--approval-mode', '--json-schema', '--output-format'],
  versionLine: (version) => `${version}\n`,
  launchers: () => 2,
  waitsFor: [429, 500],
  parse(argv) {
    const given = options(argv, {
      flags: ['--bare'],
      valued: ['-o', '-m', '--approval-mode', '--json-schema', '--auth-type', '--exclude-tools'],
    });
    return { model: given['-m'], schema: given['--json-schema'], ...given };
  },
  refuses(prompt, given, { env, isLoggedIn }) {
    if (prompt.trim() === '') return { err: 'No input provided via stdin.\n', exit: 1 };
    if (given.schema !== undefined && JSON.parse(given.schema) === null) return { err: 'bad schema\n', exit: 1 };
    if (!env['OPENAI_API_KEY'] || given['--auth-type'] !== 'openai')
      return qwen.failed({ status: 0, message: 'No auth type is selected. Please configure one.' });
    return isLoggedIn ? undefined : qwen.failed({ status: 401, message: 'Incorrect API key provided' });
  },
  begins: () => '',
  failed: ({ status, message }) => {
    const words = status === 0 ? message : `${status} ${message}`;
    const result = { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message: words } };
    return { out: qwenEvents([{ type: 'system', subtype: 'init' }, result]), err: line({ error: words }), exit: 1 };
  },
  refusedTool: () => qwen.failed({ status: 0, message: 'the model asked for a tool that is not there' }),
  answers({ text, structured, usage }) {
    if (text === '')
      return {
        events: [qwen.failed({ status: 0, message: 'Model stream ended with empty response text.' }).out],
        exit: 1,
      };
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 1,
      result: structured === undefined ? text : '',
      ...(structured === undefined ? {} : { structured_result: structured }),
      ...(usage && { usage: { input_tokens: usage.in, output_tokens: usage.out } }),
      permission_denials: [],
    };
    const says = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } };
    const events = [{ type: 'system', subtype: 'init' }, says, result];
    return { events: STREAMS ? events.map(line) : [JSON.stringify(events)] };
  },
};

const opencode = {
  version: '1.18.33',
  help: ['--format', '--auto', '--model', '--agent'],
  versionLine: (version) => `${version}\n`,
  login: ([first, second], isLoggedIn) =>
    first === 'auth' && second === 'list' ? { says: '1 credentials\n', exit: isLoggedIn ? 0 : 1 } : undefined,
  launchers: () => 0,
  waitsFor: [404, 429, 500],
  parse(argv) {
    if (argv[0] !== 'run') return { problem: { says: 'this stand-in cannot be talked to interactively', exit: 1 } };
    const given = options(argv.slice(1), { flags: ['--auto', '--pure'], valued: ['--format', '-m', '--agent'] });
    return { model: given['-m'], ...given };
  },
  refuses(prompt, given, { isLoggedIn, env }) {
    if (prompt === '') return { err: 'You must provide a message or a command\n', exit: 1 };
    const { permission = {} } = JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '{}');
    if (permission.bash !== 'deny')
      return { err: 'permission requested: external_directory; auto-rejecting\n', exit: 0 };
    return isLoggedIn ? undefined : opencode.failed({ status: 401, message: 'invalid api key' });
  },
  /** While a tool runs it is deaf to this. */
  listen() {
    process.on('SIGINT', () => {});
  },
  begins: () => '',
  failed: ({ status, message }) => ({
    out: line({
      type: 'error',
      error: { name: 'APIError', data: { message, statusCode: status, isRetryable: status !== 401 } },
    }),
    exit: 1,
  }),
  refusedTool: () => ({
    out: line({ type: 'step_start' }),
    err: 'permission requested: external_directory (/etc/*); auto-rejecting\n',
    exit: 0,
  }),
  answers({ text, usage }) {
    const finish = (reason, tokens) =>
      line({ type: 'step_finish', part: { reason, ...(tokens && { tokens }), cost: 0 } });
    const half = usage && { input: usage.in / 2, output: usage.out / 2, reasoning: 0, cache: { read: 0, write: 0 } };
    return {
      events: [
        line({ type: 'step_start' }),
        line({ type: 'text', part: { text: 'Let me look at that.' } }),
        line({ type: 'tool_use', part: { tool: 'read', state: { status: 'completed', input: { filePath: 'a.md' } } } }),
        finish('tool-calls', half),
        line({ type: 'step_start' }),
        ...(text === '' ? [] : [line({ type: 'text', part: { text } })]),
        finish('stop', half),
      ].filter((_, at) => text !== '' || at !== 1),
    };
  },
};

const copilot = {
  version: '1.0.102',
  help: [
    '--available-tools',
    '--disable-builtin-mcps',
    '--no-custom-instructions',
    '--no-auto-update',
    '--usage-output-file',
  ],
  versionLine: (version) => `${version}\n`,
  launchers: () => 1,
  parse(argv) {
    const given = options(argv, {
      flags: ['--disable-builtin-mcps', '--no-custom-instructions', '--no-auto-update', '--allow-all-tools'],
      valued: ['--output-format', '--available-tools', '--model', '--usage-output-file'],
    });
    return { model: given['--model'], ...given };
  },
  refuses(prompt, _given, { isLoggedIn }) {
    if (prompt === '') return { err: 'No prompt\n', exit: 1 };
    return isLoggedIn
      ? undefined
      : { err: 'No authentication information found. Use /login, a token or an own provider.\n', exit: 1 };
  },
  begins: () => '',
  failed: ({ status, message }) => {
    const errorType = { 401: 'authentication', 429: 'rate_limit' }[status] ?? 'query';
    const error = {
      type: 'session.error',
      data: { errorType, statusCode: status, message },
    };
    return { out: line(error) + line({ type: 'result', exitCode: 1 }), exit: 1 };
  },
  refusedTool: () => ({
    out:
      line({ type: 'tool.execution_complete', data: { success: false, error: { code: 'denied' } } }) +
      line({ type: 'result', exitCode: 0 }),
    exit: 0,
  }),
  /** Its tokens stand in no event, only in the file that it was told to write. */
  answers({ text, usage, given }) {
    const file = given['--usage-output-file'];
    if (file !== undefined && usage !== undefined) {
      const figures = { inputTokens: usage.in, outputTokens: usage.out, cacheReadTokens: 0, cacheWriteTokens: 0 };
      writeFileSync(file, JSON.stringify({ modelMetrics: { [given.model ?? 'm1']: { usage: figures } } }));
    }
    const [head, tail] = [text.slice(0, 8), text.slice(8)];
    return {
      events: [
        line({ type: 'tool.execution_start', data: { toolName: 'view', arguments: { path: 'a.md' } } }),
        ...[head, tail].map((part) => line({ type: 'assistant.message_delta', data: { deltaContent: part } })),
        ...(text === '' ? [] : [line({ type: 'assistant.message', data: { content: text } })]),
        line({ type: 'result', exitCode: 0, usage: { codeChanges: { linesAdded: 0 } } }),
      ],
    };
  },
};

/** Every program by the name of its command. */
export const PROGRAMS = { codex, gemini, qwen, opencode, copilot };
