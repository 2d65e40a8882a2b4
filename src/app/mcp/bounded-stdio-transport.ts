import { PassThrough } from 'node:stream';
import {
  ProtocolErrorCode,
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * Standard input and output, with backpressure: while many requests are unanswered, the rest stays in the pipe. At the
 * end of the input it closes once every request is answered; a client that pipes its requests in has then left already.
 */
export class BoundedStdioTransport extends StdioServerTransport {
  readonly #closed: () => void;
  readonly #lines: LineReader;
  /** The bytes of unanswered requests; a client may use an id twice. */
  readonly #open = new Map<RequestId, readonly number[]>();
  #openBytes = 0;
  #hasEnded = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(mostBytes: number, closed: () => void) {
    super(new PassThrough(), process.stdout); // the input is read here, for the end of it would end everything there
    const message = `Invalid request: a message is longer than ${mostBytes} bytes; it was passed over`;
    this.#closed = closed;
    this.#lines = new LineReader(mostBytes, {
      line: (text) => this.#hear(text),
      tooLong: () => this.#refuse(null, { code: ProtocolErrorCode.InvalidRequest, message }),
    });
  }

  override async start(): Promise<void> {
    await super.start();
    process.stdin.on('data', this.#take).on('end', this.#end).on('close', this.#end).on('error', this.#fail);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    clearTimeout(this.#deadline);
    process.stdin
      .off('data', this.#take)
      .off('end', this.#end)
      .off('close', this.#end)
      .off('error', this.#fail)
      .pause();
    await super.close();
    this.#closed();
  }

  readonly #fail = (error: Error): void => this.onerror?.(error);

  readonly #take = (chunk: Buffer): void => this.#lines.take(chunk);

  #hear(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      return error instanceof SyntaxError ? this.#refuse(null, NO_JSON) : this.#refuse(idIn(line), NO_MESSAGE);
    }
    // A subscription is answered when it ends.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      const bytes = line.length + LEAST_BYTES;
      this.#open.set(message.id, [...(this.#open.get(message.id) ?? []), bytes]);
      this.#openBytes += bytes;
      if (this.#openBytes > MOST_OPEN_BYTES) process.stdin.pause();
    } else if ('method' in message && message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId'] as RequestId | undefined);
    this.onmessage?.(message);
  }

  /** Answers an invalid message; a disconnected client gets nothing. */
  #refuse(id: RequestId | null, error: object): void {
    void super.send({ jsonrpc: '2.0', id, error } as unknown as JSONRPCMessage).catch(() => {});
  }

  #settle(id: RequestId | undefined): void {
    const [bytes, ...others] = (id === undefined ? undefined : this.#open.get(id)) ?? [];
    if (id === undefined || bytes === undefined) return;
    if (others.length === 0) this.#open.delete(id);
    else this.#open.set(id, others);
    this.#openBytes -= bytes;
    if (this.#openBytes <= MOST_OPEN_BYTES && process.stdin.isPaused()) process.stdin.resume();
    this.#endIfDone();
  }

  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#lines.finish();
    this.#hasEnded = true;
    this.#endIfDone();
  };

  /** After the end of the input every answer may take its time, but no longer than that. */
  #endIfDone(): void {
    if (!this.#hasEnded) return;
    clearTimeout(this.#deadline);
    if (this.#open.size === 0) void this.close();
    else this.#deadline = setTimeout(() => void this.close(), LONGEST_ANSWER_MS);
  }
}

/** The id of an invalid message, where it has one. */
function idIn(line: string): RequestId | null {
  const { id } = Object(JSON.parse(line)) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

const NO_JSON = { code: ProtocolErrorCode.ParseError, message: 'Parse error: one JSON-RPC message per line' };
const NO_MESSAGE = {
  code: ProtocolErrorCode.InvalidRequest,
  message: 'Invalid request: this is no JSON-RPC message of MCP (batches are not taken)',
};
/** After a disconnect, answers are awaited at most this long. */
const LONGEST_ANSWER_MS = 60_000;
/** Requests of more bytes stay in the pipe until others are answered. Every request counts for something. */
const MOST_OPEN_BYTES = 1024 * 1024;
const LEAST_BYTES = 1024;

interface LineCallbacks {
  line(text: string): void;
  /** A line was longer than is taken; nothing of it is kept. */
  tooLong(): void;
}

/** Takes an input apart into lines and never holds more of one than `mostBytes`, however long it is. */
export class LineReader {
  readonly #mostBytes: number;
  readonly #callbacks: LineCallbacks;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(mostBytes: number, callbacks: LineCallbacks) {
    this.#mostBytes = mostBytes;
    this.#callbacks = callbacks;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#part(chunk.subarray(from, end));
      this.#end();
      from = end + 1;
    }
    this.#part(chunk.subarray(from));
  }

  /** The last line counts without its end as well. */
  finish(): void {
    this.#end();
  }

  #part(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#mostBytes) this.#parts = [];
    else if (this.#parts.push(part) > MOST_PARTS) this.#parts = [Buffer.concat(this.#parts)];
  }

  #end(): void {
    const [isTooLong, line] = [this.#bytes > this.#mostBytes, Buffer.concat(this.#parts).toString('utf8')];
    [this.#parts, this.#bytes] = [[], 0];
    if (isTooLong) this.#callbacks.tooLong();
    else if (line.trim() !== '') this.#callbacks.line(line);
  }
}

const NEWLINE = 10;
/** Who writes byte by byte costs no more than who writes at once. */
const MOST_PARTS = 1000;
