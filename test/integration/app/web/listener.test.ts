import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { openListener, type RequestHandler } from '../../../../src/app/web/listener.ts';
import { Readers } from '../../../../src/app/web/readers.ts';
import { aBoard } from '../../../support/live-boards.ts';

/** Everything that nobody holds is forgotten now. */
function forget(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** A listener that gives everybody this answer. */
async function aListener(answer: RequestHandler, slowMs = 30_000) {
  const server = await openListener({ port: 0, letIn: () => undefined, answer, slowMs });
  onTestFinished(() => server.close());
  return server.url;
}

/** Somebody who asks, and until somebody else ends it. */
function asks(url: string): { readonly socket: Socket; readonly over: Promise<void> } {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return { socket, over: new Promise((resolve) => socket.once('close', () => resolve())) };
}

/** The readers of a board that says a megabyte whenever it changes, over a real connection each. */
async function aBigBoard(slowMs: number) {
  const { live, change } = aBoard();
  const readers = new Readers(live, 'x');
  const left = Promise.withResolvers<void>();
  const url = await aListener((request) => {
    const stream = readers.open({ signal: request.signal, lastId: undefined, mayRead: () => true });
    request.signal.addEventListener('abort', () => left.resolve());
    return Promise.resolve(new Response(stream ?? null, { headers: { 'content-type': 'text/event-stream' } }));
  }, slowMs);
  let changes = 0;
  const timer = setInterval(() => change(`${(changes += 1)} ${'x'.repeat(1_000_000)}`), 5);
  onTestFinished(() => {
    clearInterval(timer);
    readers.close();
  });
  return { readers, url, left: left.promise };
}

it('drops a reader who reads nothing, and keeps nothing of him', async () => {
  const { readers, url, left } = await aBigBoard(100);
  const { socket } = asks(url);
  socket.pause(); // what the kernel takes for him he may have
  await left;
  expect(readers.count).toBe(0);
});

it('forgets a reader who vanishes without a word', async () => {
  const { readers, url, left } = await aBigBoard(60_000);
  const { socket } = asks(url);
  socket.once('data', () => socket.resetAndDestroy());
  await left;
  expect(readers.count).toBe(0);
});

it('hears that somebody left, however much was forgotten since he asked', async () => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const url = await aListener(({ signal }) => {
    signal.addEventListener('abort', () => left.resolve());
    asked.resolve();
    return Promise.resolve(new Response(new ReadableStream()));
  });
  const { socket } = asks(url);
  await asked.promise;
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise(setImmediate);
    forget();
  }
  socket.resetAndDestroy();
  await left.promise;
});

it('gives a reader who is slow all the time he needs, as long as he takes something', async () => {
  const SIZE = 8_000_000;
  const url = await aListener(() => Promise.resolve(new Response('x'.repeat(SIZE))));
  const { socket, over } = asks(url);
  let taken = 0;
  socket.on('data', (bytes: Buffer) => {
    taken += bytes.length;
    if (taken >= SIZE) socket.end();
  });
  await over;
  expect(taken).toBeGreaterThan(SIZE);
});

it('ends an answer that broke off as one that broke off, never as a whole one', async () => {
  const read = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('half of it'));
      await read.promise;
      controller.error(new Error('the disk is gone'));
    },
  });
  const url = await aListener(() => Promise.resolve(new Response(stream)));
  const { socket, over } = asks(url);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
    if (answer.includes('half of it')) read.resolve();
  });
  await over;
  expect(answer).toContain('half of it');
  expect(answer).not.toMatch(/\r\n0\r\n/); // what a whole answer in chunks ends with
});
