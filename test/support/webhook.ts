import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a webhook answers: a status, an ended connection, or never. */
export type WebhookAnswer = number | 'hang up' | 'silent';

/** A server on this machine that keeps what is posted; it answers in this order, and then as the last time. */
export async function aWebhook(answers: readonly WebhookAnswer[] = [200], redirectTo = '') {
  const requests: { readonly body: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      requests.push({ body, headers: plain(request.headers) });
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? 200;
      if (answer === 'hang up') request.socket.destroy();
      else if (answer !== 'silent') response.writeHead(answer, { location: redirectTo }).end('thank you');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, requests, close };
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
