import { createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ProxyState, type ProxyBudget } from '../../src/agents/drivers/proxy-budget.ts';
import { openModelProxy, type ProxyConfig } from '../../src/agents/drivers/model-proxy.ts';

/** The key that only the proxy knows. */
export const SERVICE_KEY = 'the-real-key-of-nobody';

/** A request as the service saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A service on the loopback and the model proxy before it; `answer` says what the service does. */
export async function modelService(
  answer: (outgoing: ServerResponse, seen: SeenRequest) => void,
  plan: Partial<ProxyConfig> = {},
  budget: Partial<ProxyBudget> = {},
  mostHeld?: number,
) {
  const seen: SeenRequest[] = [];
  const service = createServer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (part: Buffer) => (body += part.toString()));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const one = { method, url, headers, body };
      seen.push(one);
      answer(outgoing, one);
    });
  });
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const now = () => ({ at: new Date('2026-11-23T18:00:00.000Z'), zone: 'UTC' });
  const state = new ProxyState(
    { requests: 200, tokens: undefined, usd: undefined, priceOf: () => null, ...budget },
    now,
  );
  const whole: ProxyConfig = {
    to: `${base}/v1`,
    key: SERVICE_KEY,
    keyHeader: 'authorization',
    dummy: 'andon-dummy',
    model: 'm1',
    pins: 'exact',
    at: 'loopback',
    idleMs: 10_000,
    proxies: {},
    ...plan,
  };
  const door = await openModelProxy(whole, state, mostHeld);
  onTestFinished(async () => {
    await door.close();
    service.closeAllConnections();
    service.close();
  });
  /** Begins a request whose headers are sent at once; its body follows by `end`. */
  const begin = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const given = { authorization: 'Bearer andon-dummy', 'content-type': 'application/json', ...headers };
    const asked = request({ port: door.port, method, path, headers: given });
    const answered = new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((done, failed) => {
      asked.once('error', failed);
      asked.once('response', (got) => {
        let text = '';
        got.on('data', (part: Buffer) => (text += part.toString()));
        got.once('end', () => done({ status: got.statusCode ?? 0, headers: got.headers, text }));
        got.once('error', failed);
      });
    });
    asked.flushHeaders();
    return {
      answered,
      end: (body?: object | string) => asked.end(typeof body === 'object' ? JSON.stringify(body) : body),
      write: (text: string) => new Promise<void>((written) => asked.write(text, () => written())),
      leave: () => asked.destroy(new Error('left')),
    };
  };
  const ask = (
    method: string,
    path: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const { answered, end } = begin(method, path, headers);
    end(body);
    return answered;
  };
  return { ask, begin, seen, state, door, base, service };
}

/** Answers with JSON. */
export const answerJson = (outgoing: ServerResponse, body: object, status = 200, headers = {}): void =>
  void outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
