import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says to a prompt, a command for the program's shell tool, a file for its reading tool, or the status of an error. */
export type Saying = (
  prompt: string,
  asked: Asked,
) =>
  | string
  | { readonly run: string }
  | { readonly read: string }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object };

/** What a request said, as far as a script wants to know. */
export interface Asked {
  readonly url: string;
  readonly text: string;
  readonly tools: readonly string[];
  readonly headers: IncomingHttpHeaders;
  /** How often a tool's result stands in it already: 0 when it is the first of a call. */
  readonly turns: number;
  /** As it was sent, in the body or in the path. */
  readonly model: string;
}

/**
 * A model on the loopback that speaks what codex, qwen, opencode, copilot and gemini ask in: OpenAI's responses and chat
 * completions, Anthropic's messages and Google's generateContent. A tool named structured_output is called with the answer. Every request is kept.
 */
export async function modelApis(say: Saying) {
  const asked: Asked[] = [];
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { url = '' } = incoming;
      const body = parse(Buffer.concat(chunks).toString('utf8'));
      const text = textsIn(body).join('\n');
      const named = body['model'];
      const model = typeof named === 'string' ? named : (/models\/([^:]+):/.exec(url)?.[1] ?? '');
      const request = { url, text, tools: toolsIn(body), headers: incoming.headers, model, turns: turnsIn(body) };
      asked.push(request);
      const said = say(text, request);
      if (typeof said !== 'string' && 'run' in said) {
        callTool(answer, url, { body, tools: request.tools, call: runCommand(request.tools, said.run) });
      } else if (typeof said !== 'string' && 'read' in said) {
        callTool(answer, url, { body, tools: request.tools, call: readFileCall(request.tools, said.read) });
      } else if (typeof said !== 'string') {
        const error = {
          message: `status ${said.status} as scripted`,
          code: said.status,
          status: 'SCRIPTED',
          type: 'scripted',
          ...said.body,
        };
        answer.writeHead(said.status, { 'content-type': 'application/json', ...said.headers });
        answer.end(JSON.stringify({ error }));
      } else if (url.endsWith('/responses')) responses(answer, said);
      else if (url.endsWith('/chat/completions')) completions(answer, said, body['stream'] === true, request.tools);
      else if (url.includes(':streamGenerateContent')) generated(answer, said, true);
      else if (url.includes(':generateContent')) generated(answer, said, false);
      else if (/\/messages(?:\?|$)/.test(url)) messages(answer, [{ type: 'text', text: said }]);
      else if (url.endsWith('/models')) json(answer, { object: 'list', data: [{ id: 'm1', object: 'model' }] });
      else json(answer, {}, 404);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked as readonly Asked[],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface ToolCall {
  readonly name: string;
  readonly input: object;
}

/** Has the program run a command, by whatever its shell tool is called. */
function runCommand(tools: readonly string[], command: string): ToolCall {
  const name = SHELLS.find((one) => tools.includes(one)) ?? 'bash';
  return { name, input: name === 'exec_command' ? { cmd: command } : { command, description: 'works' } };
}

/** Has the program read a file, by whatever its tool and that tool's argument are called. */
const readFileCall = (tools: readonly string[], path: string): ToolCall =>
  tools.includes('read_file')
    ? { name: 'read_file', input: { file_path: path } }
    : { name: 'read', input: { filePath: path } };

/** Has the program use a tool. */
function callTool(
  answer: ServerResponse,
  url: string,
  { body, tools, call: { name, input } }: { body: Record<string, unknown>; tools: readonly string[]; call: ToolCall },
): void {
  const call = { name, arguments: JSON.stringify(input) };
  if (url.endsWith('/responses'))
    responses(answer, '', { type: 'function_call', id: 'fc_1', call_id: 'call_1', ...call });
  else if (url.endsWith('/chat/completions')) completions(answer, '', body['stream'] === true, tools, call);
  else if (url.includes(':streamGenerateContent')) generated(answer, '', true, { functionCall: { name, args: input } });
  else if (url.includes(':generateContent')) generated(answer, '', false, { functionCall: { name, args: input } });
  else messages(answer, [{ type: 'tool_use', id: 'toolu_1', name, input }]);
}

const SHELLS = ['exec_command', 'shell', 'run_shell_command', 'bash', 'Bash'];

function messages(answer: ServerResponse, blocks: readonly Record<string, unknown>[]): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, more: object): void =>
    void answer.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const usage = { input_tokens: 1000, cache_read_input_tokens: 200, cache_creation_input_tokens: 0, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm1',
    content: [],
    stop_reason: null,
    usage,
  };
  send('message_start', { message });
  for (const [index, block] of blocks.entries()) {
    const isText = block['type'] === 'text';
    send('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block['text'] }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 40 } });
  send('message_stop', {});
  answer.end();
}

function responses(answer: ServerResponse, text: string, called?: object): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, more: object): void =>
    void answer.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const item = called ?? { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] };
  send('response.created', { response: { id: 'resp_1' } });
  send('response.output_item.done', { item });
  const usage = {
    input_tokens: 1200,
    input_tokens_details: { cached_tokens: 200 },
    output_tokens: 40,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1240,
  };
  send('response.completed', { response: { id: 'resp_1', status: 'completed', output: [item], usage } });
  answer.end();
}

function completions(
  answer: ServerResponse,
  text: string,
  stream: boolean,
  tools: readonly string[],
  called?: object,
): void {
  const cached = { cached_tokens: 200 };
  const usage = { prompt_tokens: 1200, prompt_tokens_details: cached, completion_tokens: 40, total_tokens: 1240 };
  const base = { id: 'chat_1', created: 1, model: 'm1' };
  const handsIn = called !== undefined || (tools.includes('structured_output') && text.startsWith('{'));
  const call = { id: 'call_1', type: 'function', function: called ?? { name: 'structured_output', arguments: text } };
  const content = handsIn ? { tool_calls: [{ index: 0, ...call }] } : { content: text };
  const reason = handsIn ? 'tool_calls' : 'stop';
  if (!stream) {
    const message = { role: 'assistant', content: null, ...content };
    json(answer, {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    });
    return;
  }
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = (choices: readonly object[], more: object = {}): void =>
    void answer.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  chunk([{ index: 0, delta: { role: 'assistant', ...content }, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason: reason }]);
  chunk([], { usage });
  answer.end('data: [DONE]\n\n');
}

function generated(answer: ServerResponse, text: string, stream: boolean, called?: object): void {
  const body = {
    candidates: [{ content: { role: 'model', parts: [called ?? { text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1200, candidatesTokenCount: 40, thoughtsTokenCount: 3, totalTokenCount: 1243 },
    modelVersion: 'm1',
    responseId: 'r1',
  };
  if (!stream) {
    json(answer, body);
    return;
  }
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.end(`data: ${JSON.stringify(body)}\r\n\r\n`);
}

function json(answer: ServerResponse, body: object, status = 200): void {
  answer.writeHead(status, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(body));
}

/** Every text of a request, whatever protocol it is written in. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    ['text', 'content', 'input_text'].includes(key) && typeof one === 'string' ? [one] : textsIn(one),
  );
}

/** Results of tools that a conversation holds, by every protocol's word for one. */
function turnsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + turnsIn(one), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const { type, role, functionResponse, ...rest } = value as Record<string, unknown>;
  const isOne =
    type === 'function_call_output' || type === 'tool_result' || role === 'tool' || functionResponse !== undefined;
  return isOne ? 1 : turnsIn(Object.values(rest));
}

const toolsIn = (body: Record<string, unknown>): readonly string[] =>
  (Array.isArray(body['tools']) ? body['tools'] : []).flatMap((tool: Tool) => [
    ...[tool.function?.name ?? tool.name].filter((name) => name !== undefined),
    ...(tool.functionDeclarations ?? []).flatMap(({ name }) => name ?? []),
  ]);

interface Tool {
  readonly function?: { readonly name?: string };
  readonly name?: string;
  readonly functionDeclarations?: readonly { readonly name?: string }[];
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
