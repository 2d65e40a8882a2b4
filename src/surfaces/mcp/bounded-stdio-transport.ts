import { PassThrough } from 'node:stream';
import {
  ProtocolErrorCode,
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { LineReader } from './line-reader.ts';
import { ConcurrencyLimit } from '../../base/concurrency-limit.ts';

/** How much is taken at a time. */
interface Flow {
  /** Of one message. */
  readonly mostBytes: number;
  /** Questions under way; the others wait in order. */
  readonly atOnce: number;
}

/**
 * Standard input and output, with backpressure: a bounded number of questions are under way, some wait,
 * and the rest stays in the pipe. It says when it is closed: at a fault, and at the end of the input, once what was read
 * of it is answered; a client that pipes its questions in has then left already.
 */
export class BoundedStdioTransport extends StdioServerTransport {
  readonly #closed: () => void;
  readonly #lines: LineReader;
  readonly #turns: ConcurrencyLimit;
  /** Who is to be told that a question is done with; a client may use an id twice. */
  readonly #open = new Map<RequestId, Asked[]>();
  #waitingBytes = 0;
  #hasEnded = false;
  #ceiling: NodeJS.Timeout | undefined;

  constructor({ mostBytes, atOnce }: Flow, closed: () => void) {
    super(new PassThrough(), process.stdout); // the input is read here, for the end of it would end everything there
    const why = `a message is longer than ${mostBytes} bytes; it was passed over`;
    const error = { code: ProtocolErrorCode.InvalidRequest, message: `Invalid request: ${why}` };
    this.#closed = closed;
    this.#turns = new ConcurrencyLimit(atOnce);
    this.#lines = new LineReader(mostBytes, {
      line: (text) => this.#hear(text),
      tooLong: (id) => this.#refuse({ id, error }),
    });
  }

  override async start(): Promise<void> {
    await super.start();
    process.stdin.on('data', this.#take).on('end', this.#end).on('close', this.#end).on('error', this.#tell);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    clearTimeout(this.#ceiling);
    process.stdin
      .off('data', this.#take)
      .off('end', this.#end)
      .off('close', this.#end)
      .off('error', this.#tell)
      .pause();
    await super.close();
    this.#closed();
  }

  readonly #tell = (error: Error): void => this.onerror?.(error);

  readonly #take = (chunk: Buffer): void => this.#lines.take(chunk);

  #hear(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      return this.#refuse(
        error instanceof SyntaxError ? { id: null, error: NO_JSON } : { id: idIn(line), error: NO_MESSAGE },
      );
    }
    // A subscription is answered when it ends.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') return this.#ask(message, line.length);
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId'] as RequestId | undefined);
    this.onmessage?.(message);
  }

  /** Hands a question on when its turn comes, unless it was called off by then. */
  #ask(message: JSONRPCRequest, bytes: number): void {
    const over = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked: Asked = {
      settle() {
        over.abort();
        resolve();
      },
    };
    this.#open.set(message.id, [...(this.#open.get(message.id) ?? []), asked]);
    this.#inTurn(bytes, over.signal, () => {
      this.onmessage?.(message);
      return promise;
    });
  }

  /** Answers an invalid message in order; a disconnected client gets nothing. */
  #refuse(fault: { readonly id: string | number | null; readonly error: object }): void {
    this.#inTurn(0, new AbortController().signal, () =>
      super.send({ jsonrpc: '2.0', ...fault } as unknown as JSONRPCMessage).catch(() => {}),
    );
  }

  #inTurn(bytes: number, signal: AbortSignal, work: () => Promise<void>): void {
    const counted = bytes + LEAST_BYTES;
    this.#waitingBytes += counted;
    if (this.#waitingBytes > MOST_WAITING_BYTES) process.stdin.pause();
    void this.#turns.take(signal, work).then(() => {
      this.#waitingBytes -= counted;
      if (this.#waitingBytes <= MOST_WAITING_BYTES && process.stdin.isPaused()) process.stdin.resume();
      this.#endIfDone();
    });
  }

  #settle(id: RequestId | undefined): void {
    const [first, ...others] = (id === undefined ? undefined : this.#open.get(id)) ?? [];
    if (id === undefined || first === undefined) return;
    if (others.length === 0) this.#open.delete(id);
    else this.#open.set(id, others);
    first.settle();
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
    clearTimeout(this.#ceiling);
    if (this.#turns.isIdle) void this.close();
    else this.#ceiling = setTimeout(() => void this.close(), LONGEST_ANSWER_MS);
  }
}

interface Asked {
  settle(): void;
}

/** Whose answer it is, where that can be told. */
function idIn(line: string): string | number | null {
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
/** So much may be read and wait; the rest stays with the client. Every message counts for something. */
const MOST_WAITING_BYTES = 1024 * 1024;
const LEAST_BYTES = 1024;
