import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** What a request to the Messages API says; of its body only what a script may want to read. */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  readonly sent: string;
  /** Every text of the conversation, one after the other. */
  readonly text: string;
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly string[];
}

interface Usage {
  readonly input: number;
  readonly output: number;
}

/** What the model does in one turn. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string; readonly usage?: Usage }
  | { readonly kind: 'tool'; readonly name: string; readonly input: object; readonly usage?: Usage }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Begins to speak, and then the server says that it has broken down. */
  | { readonly kind: 'breakdown'; readonly text: string }
  /** A text that is written word by word. */
  | { readonly kind: 'slow'; readonly words: readonly string[]; readonly everyMs: number }
  | { readonly kind: 'silence' };

/** One turn of a script; it may depend on what was asked. */
export type Step = Reply | ((request: ApiRequest) => Reply);

/** What every turn uses unless it says otherwise; at the list price of the default model that costs money. */
export const USAGE: Usage = { input: 1200, output: 42 };

export type MessagesApi = Awaited<ReturnType<typeof aMessagesApi>>;

/**
 * The Messages API on the loopback, with a script of turns; the last one is repeated. A request without tools is a side
 * request and takes no turn. Every request is kept.
 */
export async function aMessagesApi(...script: readonly Step[]) {
  const requests: ApiRequest[] = [];
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, ...readBody(Buffer.concat(chunks).toString('utf8')) };
      requests.push(request);
      if (method !== 'POST' || !/^\/v1\/messages(?:\?|$)/.test(url)) {
        fail(answer, { kind: 'error', status: 404, type: 'not_found_error', message: `there is no ${url} here` });
      } else if (request.tools.length === 0) {
        reply(answer, request, { kind: 'text', text: 'An aside.' });
      } else {
        const step = script[Math.min(turn++, script.length - 1)] ?? { kind: 'text', text: 'There is no script.' };
        reply(answer, request, typeof step === 'function' ? step(request) : step);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request that came, whatever it asked for. */
    requests: requests as readonly ApiRequest[],
    /** The requests that took a turn of the script. */
    turns: (): readonly ApiRequest[] => requests.filter(({ tools }) => tools.length > 0),
  };
}

function readBody(sent: string): Pick<ApiRequest, 'sent' | 'text' | 'model' | 'stream' | 'tools'> {
  const body = parse(sent);
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly { readonly name?: string }[]) : [];
  return {
    sent,
    text: textsIn(body['messages']).join('\n'),
    model: String(body['model']),
    stream: body['stream'] === true,
    tools: tools.map(({ name = '' }) => name),
  };
}

function parse(sent: string): Record<string, unknown> {
  try {
    return JSON.parse(sent) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function reply(answer: ServerResponse, request: ApiRequest, what: Reply): void {
  switch (what.kind) {
    case 'silence':
      return;
    case 'error':
      fail(answer, what);
      return;
    case 'breakdown':
      if (request.stream) breakDown(answer, request, what.text);
      else fail(answer, { kind: 'error', status: 500, type: 'api_error', message: 'Internal server error' });
      return;
    case 'slow':
      void speakSlowly(answer, request, what);
      return;
    case 'text':
    case 'tool':
      if (request.stream) stream(answer, request, what);
      else json(answer, 200, { ...message(request, what), ...ending(what) });
  }
}

type Turn = Extract<Reply, { kind: 'text' | 'tool' }>;
let count = 0;

const message = (request: ApiRequest, { usage = USAGE }: Turn): object => ({
  id: `msg_${++count}`,
  type: 'message',
  role: 'assistant',
  model: request.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: usage.input, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
});

/** What a whole message has besides what it begins with. */
const ending = (what: Turn): object => ({
  content: [
    what.kind === 'text'
      ? { type: 'text', text: what.text }
      : { type: 'tool_use', id: `toolu_${count}`, name: what.name, input: what.input },
  ],
  stop_reason: what.kind === 'text' ? 'end_turn' : 'tool_use',
  usage: { input_tokens: (what.usage ?? USAGE).input, output_tokens: (what.usage ?? USAGE).output },
});

/** The events of a streamed turn: the block starts empty, is filled by one delta and ends. */
function stream(answer: ServerResponse, request: ApiRequest, what: Turn): void {
  const send = begin(answer, request, what);
  const [block, delta] =
    what.kind === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: what.text },
        ]
      : [
          { type: 'tool_use', id: `toolu_${count}`, name: what.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(what.input) },
        ];
  send('content_block_start', { index: 0, content_block: block });
  send('content_block_delta', { index: 0, delta });
  finish(answer, send, what);
}

/** One text block whose deltas come one after the other, with pauses. */
async function speakSlowly(
  answer: ServerResponse,
  request: ApiRequest,
  { words, everyMs }: Extract<Reply, { kind: 'slow' }>,
): Promise<void> {
  const turn: Turn = { kind: 'text', text: words.join(' ') };
  const send = begin(answer, request, turn);
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  for (const word of words) {
    await sleep(everyMs);
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: `${word} ` } });
  }
  finish(answer, send, turn);
}

function breakDown(answer: ServerResponse, request: ApiRequest, text: string): void {
  const send = begin(answer, request, { kind: 'text', text });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  send('error', { error: { type: 'api_error', message: 'Internal server error' } });
  answer.end();
}

type Send = (type: string, data: object) => void;

function begin(answer: ServerResponse, request: ApiRequest, what: Turn): Send {
  answer.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${count}` });
  const send: Send = (type, data) => {
    answer.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send('message_start', { message: message(request, what) });
  return send;
}

function finish(answer: ServerResponse, send: Send, what: Turn): void {
  send('content_block_stop', { index: 0 });
  send('message_delta', {
    delta: { stop_reason: what.kind === 'text' ? 'end_turn' : 'tool_use', stop_sequence: null },
    usage: { output_tokens: (what.usage ?? USAGE).output },
  });
  send('message_stop', {});
  answer.end();
}

const fail = (answer: ServerResponse, { status, type, message, headers }: Extract<Reply, { kind: 'error' }>): void =>
  json(answer, status, { type: 'error', error: { type, message }, request_id: `req_${count}` }, headers);

function json(answer: ServerResponse, status: number, body: object, headers: object = {}): void {
  answer.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${count}`, ...headers });
  answer.end(JSON.stringify(body));
}
