import { fork, type ChildProcess } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import type { Stage } from '../stage.ts';

const STREAMS = 50;
const CHUNKS = 60;
/** As quick as a fast model writes. */
const EVERY_MS = 20;
/** The text around a word in a stream. */
const FILLER = 'x'.repeat(300);

/** What the model door adds to every chunk of 50 streams at once, beside the same streams without it, and its memory. */
export async function door(_stage: Stage, { pairs }: Options): Promise<Measured> {
  const service = createServer((incoming, answer) => {
    incoming.resume();
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    void stream((text) => answer.write(text)).then(() => answer.end());
  });
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  const direct = (service.address() as AddressInfo).port;
  const child = fork(join(import.meta.dirname, '../door-process.ts'), [`http://127.0.0.1:${direct}/v1`], {
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  try {
    const { port } = (await told(child)) as { port: number };
    const [without, through, added, memory]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = 0; round <= pairs; round += 1) {
      const one = percentile(await delays(direct, '/v1/chat/completions'), 95);
      const other = percentile(await delays(port, '/chat/completions'), 95);
      child.send('memory');
      const { memory: bytes } = (await told(child)) as { memory: number };
      memory.push(bytes / 1e6);
      if (round === 0) continue; // the first pair is thrown away
      without.push(one);
      through.push(other);
      added.push(other - one);
    }
    return {
      name: 'door',
      notes: [
        `${STREAMS} streams at once, ${CHUNKS} chunks each, one every ${EVERY_MS} ms; the delay of a chunk is from its write by the service to its reading by the program, 95th percentile of a round.`,
        'Service and program are one process and the door another; what the door adds is the difference of the two sides.',
      ],
      sides: [
        { label: 'without a door', unit: 'ms', values: without },
        { label: 'through the door', unit: 'ms', values: through },
        { label: 'memory of the door', unit: 'MB', values: memory },
      ],
      figures: [
        { key: 'door.added', label: 'added to a chunk', value: median(added) },
        { key: 'door.memory', label: 'memory', value: (memory.at(-1) ?? Number.NaN) / (memory[1] ?? Number.NaN) },
      ],
    };
  } finally {
    child.disconnect();
    service.closeAllConnections();
    service.close();
  }
}

async function stream(write: (text: string) => void): Promise<void> {
  for (let at = 0; at < CHUNKS; at += 1) {
    write(`data: {"at":${performance.now()},"choices":[{"delta":{"content":"${FILLER}"}}]}\n\n`);
    await sleep(EVERY_MS);
  }
  write('data: {"at":null,"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":60}}\n\n');
}

/** How long every chunk of all streams was on its way, in milliseconds. */
async function delays(port: number, path: string): Promise<readonly number[]> {
  const found: number[] = [];
  await Promise.all(Array.from({ length: STREAMS }, () => read(port, path, (ms) => found.push(ms))));
  return found;
}

function read(port: number, path: string, took: (ms: number) => void): Promise<void> {
  return new Promise((done, fail) => {
    const headers = { authorization: 'Bearer dummy', 'content-type': 'application/json' };
    const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (answer) => {
      answer.on('data', (bytes: Buffer) => {
        const now = performance.now();
        for (const [, at = ''] of bytes.toString().matchAll(/"at":([\d.]+)/g)) took(now - Number(at));
      });
      answer.once('end', done);
      answer.once('error', fail);
    });
    asked.once('error', fail);
    asked.end('{"model":"m1","stream":true}');
  });
}

const told = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, fail) => {
    child.once('message', resolve);
    child.once('exit', (code) => fail(new Error(`the door ended with ${code}`)));
  });
