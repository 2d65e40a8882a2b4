// How the programs behave when they are let at the files themselves: they ask their model at the address they were given,
// in its own protocol, run every command that it wants run, and tell of it as they do. Nothing is scripted here: what is
// done is what the model says (test/support/model-apis.ts).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, printError, readStdin } from './behaviours.mjs';
import { PROGRAMS } from './driven-programs.mjs';

/** A shell tool's output that goes back to the model. */
const MOST_OUTPUT = 4000;

/**
 * The programs: by which words they know that they may edit, where they find their model, in which protocol they ask it.
 * @type {Record<string, {edits: (argv: string[]) => boolean, model: (argv: string[]) => string | undefined, at: (env: any) => {url: string, key: string, searches?: boolean} | undefined, protocol: keyof typeof PROTOCOLS, tool: string}>}
 */
const EDITORS = {
  codex: {
    edits: (argv) => argv[0] === 'exec' && argv.includes('danger-full-access'),
    model: (argv) => argv[argv.indexOf('-m') + 1],
    at(env) {
      const file = join(env['CODEX_HOME'] ?? join(env['HOME'] ?? '', '.codex'), 'config.toml');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const url = /^base_url = "([^"]+)"$/m.exec(text)?.[1];
      const key = env[/^env_key = "([^"]+)"$/m.exec(text)?.[1] ?? ''];
      const searches = !/^web_search = "disabled"$/m.test(text);
      return url === undefined || key === undefined ? undefined : { url: `${url}/responses`, key, searches };
    },
    protocol: 'responses',
    tool: 'exec_command',
  },
  gemini: {
    edits: (argv) => argv.includes('yolo'),
    model: (argv) => argv[argv.indexOf('-m') + 1],
    at: (env) =>
      env['GOOGLE_GEMINI_BASE_URL'] && {
        url: `${env['GOOGLE_GEMINI_BASE_URL']}/v1beta/models/{model}:streamGenerateContent?alt=sse`,
        key: env['GEMINI_API_KEY'],
      },
    protocol: 'google',
    tool: 'run_shell_command',
  },
  qwen: {
    edits: (argv) => argv.includes('yolo'),
    model: (argv) => argv[argv.indexOf('-m') + 1],
    at: (env) =>
      env['OPENAI_BASE_URL'] && { url: `${env['OPENAI_BASE_URL']}/chat/completions`, key: env['OPENAI_API_KEY'] },
    protocol: 'chat',
    tool: 'run_shell_command',
  },
  opencode: {
    edits: (argv) => argv.includes('--auto'),
    model: (argv) => argv[argv.indexOf('-m') + 1]?.replace(/^[^/]*\//, ''),
    at(env) {
      const [provider] = Object.values(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '{}').provider ?? {});
      const { baseURL, apiKey } = provider?.options ?? {};
      return baseURL && { url: `${baseURL}/chat/completions`, key: apiKey };
    },
    protocol: 'chat',
    tool: 'bash',
  },
  copilot: {
    edits: (argv) => argv.includes('--allow-all-tools'),
    model: (argv) => argv[argv.indexOf('--model') + 1],
    at: (env) =>
      env['COPILOT_PROVIDER_BASE_URL'] && {
        url: `${env['COPILOT_PROVIDER_BASE_URL']}/chat/completions`,
        key: env['COPILOT_PROVIDER_API_KEY'],
      },
    protocol: 'chat',
    tool: 'bash',
  },
  claude: {
    edits: (argv) => argv.includes('acceptEdits'),
    model: (argv) => argv[argv.indexOf('--model') + 1],
    at: (env) =>
      env['ANTHROPIC_BASE_URL'] && {
        url: `${env['ANTHROPIC_BASE_URL']}/v1/messages?beta=true`,
        key: env['ANTHROPIC_API_KEY'],
      },
    protocol: 'messages',
    tool: 'Bash',
  },
};

const PROTOCOLS = {
  responses: {
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: ({ model, tool, prompt, turns, searches }) => ({
      model,
      stream: true,
      tools: [{ type: 'function', name: tool }, ...(searches ? [{ type: 'web_search' }] : [])],
      input: [
        { role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...turns.flatMap(({ command, output }) => [
          { type: 'function_call', call_id: 'call_1', name: tool, arguments: JSON.stringify({ cmd: command }) },
          { type: 'function_call_output', call_id: 'call_1', output },
        ]),
      ],
    }),
    command: ({ item }) => item?.type === 'function_call' && JSON.parse(item.arguments).cmd,
    text: ({ item }) => (item?.type === 'message' ? item.content[0].text : ''),
  },
  chat: {
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: ({ model, tool, prompt, turns }) => ({
      model,
      stream: true,
      tools: [{ type: 'function', function: { name: tool } }],
      messages: [
        { role: 'user', content: prompt },
        ...turns.flatMap(({ command, output }) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', function: { name: tool, arguments: command } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: output },
        ]),
      ],
    }),
    command: ({ choices }) => {
      const called = choices?.[0]?.delta?.tool_calls?.[0]?.function?.arguments;
      return called && JSON.parse(called).command;
    },
    text: ({ choices }) => choices?.[0]?.delta?.content ?? '',
  },
  google: {
    headers: (key) => ({ 'x-goog-api-key': key }),
    body: ({ tool, prompt, turns }) => ({
      tools: [{ functionDeclarations: [{ name: tool }] }],
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...turns.map(({ output }) => ({
          role: 'user',
          parts: [{ functionResponse: { name: tool, response: { output } } }],
        })),
      ],
    }),
    command: ({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.functionCall?.args?.command,
    text: ({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.text ?? '',
  },
  messages: {
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: ({ model, tool, prompt, turns }) => ({
      model,
      stream: true,
      max_tokens: 1000,
      tools: [{ name: tool }],
      messages: [
        { role: 'user', content: prompt },
        ...turns.map(({ output }) => ({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: output }],
        })),
      ],
    }),
    command: ({ delta }) => delta?.type === 'input_json_delta' && JSON.parse(delta.partial_json).command,
    text: ({ delta }) => delta?.text ?? '',
  },
};

/** What Claude Code prints with `--output-format stream-json` when it has worked. */
const claude = {
  begins: () => `${JSON.stringify({ type: 'system', subtype: 'init', model: 'm1' })}\n`,
  failed: ({ status, message }) => ({
    out: `${JSON.stringify({ type: 'result', subtype: 'success', is_error: true, api_error_status: status, result: `API Error: ${status} ${message}` })}\n`,
    exit: 1,
  }),
  answers: ({ text, usage }) => ({
    events: [
      `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text, total_cost_usd: 0.01, modelUsage: { m1: { inputTokens: usage.in, outputTokens: usage.out } } })}\n`,
    ],
  }),
};

/**
 * Whether a program was started so that it may edit.
 * @param {string} name
 * @param {string[]} argv
 */
export const isEditing = (name, argv) => EDITORS[name]?.edits(argv) ?? false;

/**
 * Works as the program does, until its model has nothing more to be done, and ends as it does.
 * @param {string} name
 * @param {string[]} argv
 */
export async function edit(name, argv) {
  const program = name === 'claude' ? claude : PROGRAMS[name];
  const editor = EDITORS[name];
  const prompt = (await readStdin()).toString();
  const at = editor.at(process.env);
  if (at === undefined) return end({ err: 'no model is configured\n', exit: 1 });
  const model = editor.model(argv) ?? '';
  await print(program.begins({}));
  const turns = [];
  for (;;) {
    const said = await ask(editor, at, { model, tool: editor.tool, prompt, turns });
    if (said.status !== 200) return end(program.failed(said));
    if (said.command === undefined) {
      const { events } = program.answers({
        text: said.text,
        usage: { in: 1, out: 1 },
        given: { ...program.parse?.(argv), model },
      });
      for (const event of events) await print(event);
      process.exit(0);
    }
    const ran = spawnSync('/bin/sh', ['-c', said.command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    turns.push({ command: said.command, output: `${ran.stdout}${ran.stderr}`.slice(0, MOST_OUTPUT) });
  }
}

/** One question; every program reads its model's stream to the end before it acts. */
async function ask({ protocol }, { url, key, searches }, asked) {
  const { headers, body, command, text } = PROTOCOLS[protocol];
  try {
    const response = await fetch(url.replace('{model}', asked.model), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers(key) },
      body: JSON.stringify(body({ ...asked, searches })),
    });
    const said = await response.text();
    if (!response.ok) return { status: response.status, message: messageIn(said) };
    const events = said
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    const wanted = events.map(command).find((one) => typeof one === 'string');
    return { status: 200, command: wanted, text: events.map(text).join('') };
  } catch (error) {
    return { status: 500, message: `Connection error: ${error.message}` };
  }
}

function messageIn(body) {
  try {
    return JSON.parse(body).error.message;
  } catch {
    return body.slice(0, 200);
  }
}

async function end({ out = '', err = '', exit }) {
  await print(out);
  await printError(err);
  process.exit(exit);
}
