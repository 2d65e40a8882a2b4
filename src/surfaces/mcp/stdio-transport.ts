import { PassThrough } from 'node:stream';
import {
  ProtocolErrorCode,
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * Standard input and output, which say when they are closed: at a fault, at a message that is too long, and at the end
 * of the input, once what was read of it is answered; a client that pipes its questions in has then left already.
 */
export class TellingTransport extends StdioServerTransport {
  readonly #mostBytes: number;
  readonly #closed: (why: string | undefined) => void;
  readonly #underWay = new Set<RequestId>();
  #rest = Buffer.alloc(0);
  #hasEnded = false;
  #ceiling: NodeJS.Timeout | undefined;
  #fault: string | undefined;

  /** `closed` is told why, when it was not the client's wish. */
  constructor(mostBytes: number, closed: (why: string | undefined) => void) {
    super(new PassThrough(), process.stdout); // the input is read here, for the end of it would end everything there
    this.#mostBytes = mostBytes;
    this.#closed = closed;
  }

  override async start(): Promise<void> {
    await super.start();
    process.stdin.on('data', this.#take).on('end', this.#end).on('close', this.#end).on('error', this.#tell);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
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
    this.#closed(this.#fault);
  }

  readonly #tell = (error: Error): void => this.onerror?.(error);

  readonly #take = (chunk: Buffer): void => {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let end = this.#rest.indexOf(10); end !== -1; end = this.#rest.indexOf(10)) {
      const line = this.#rest.toString('utf8', 0, end);
      this.#rest = this.#rest.subarray(end + 1);
      if (line.trim() !== '') this.#hear(line);
    }
    if (this.#rest.length <= this.#mostBytes) return;
    this.#fault = `a message is longer than ${this.#mostBytes} bytes; what follows it cannot be read`;
    const error = { code: ProtocolErrorCode.InvalidRequest, message: `Invalid request: ${this.#fault}` };
    void this.#answer({ id: null, error }).then(() => this.close());
  };

  #hear(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch (error) {
      const why = error instanceof SyntaxError ? { id: null, error: NO_JSON } : { id: idIn(line), error: NO_MESSAGE };
      void this.#answer(why);
      return;
    }
    // A subscription is answered when it ends.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#underWay.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId'] as RequestId | undefined);
    this.onmessage?.(message);
  }

  /** Says what is wrong with a message that is none; a client that has left does not hear it. */
  async #answer(fault: { readonly id: string | number | null; readonly error: object }): Promise<void> {
    await super.send({ jsonrpc: '2.0', ...fault } as unknown as JSONRPCMessage).catch(() => {});
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#underWay.delete(id);
    if (this.#hasEnded && this.#underWay.size === 0) void this.close();
  }

  /** The last line counts without its end as well. */
  readonly #end = (): void => {
    if (this.#hasEnded) return;
    this.#take(Buffer.from('\n'));
    this.#hasEnded = true;
    this.#ceiling = setTimeout(() => void this.close(), LONGEST_ANSWER_MS);
    this.#settle(undefined);
  };
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
/** Whoever has left waits no longer than this. */
const LONGEST_ANSWER_MS = 60_000;
