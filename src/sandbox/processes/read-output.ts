import type { Readable } from 'node:stream';
import type { Command, Ending } from './command.ts';

/** Bytes of one stream that are kept and read; a program that prints more is ended. */
const OUTPUT_CAP = 8 * 1024 * 1024;

const STREAMS = ['stdout', 'stderr'] as const;

/** The kept output of one stream of a program. */
interface Output {
  readonly text: string;
  /** Whether it was UTF-8; a character cut by the cap does not count. */
  readonly valid: boolean;
}

/** Reads both streams of a program up to its cap. `overflow` is called when it printed more, `alive` at a sign of life. */
export function readOutput(
  streams: Readonly<Record<(typeof STREAMS)[number], Readable | null>>,
  { follow, isLife = () => follow === undefined, outputCap = OUTPUT_CAP }: Command,
  { overflow, alive }: { readonly overflow: () => void; readonly alive: () => void },
) {
  const kept = { stdout: createCollector(outputCap), stderr: createCollector(outputCap) };
  const stop = (stream: (typeof STREAMS)[number]): void => {
    streams[stream]?.destroy(); // nothing more is read; further output gets a SIGPIPE
    overflow();
  };
  for (const stream of STREAMS) {
    streams[stream]?.on('data', (chunk: Buffer) => {
      if (stream === 'stdout' && follow) {
        const sign = follow(chunk);
        if (sign === 'too much') stop(stream);
        if (sign === 'life') alive();
        return;
      }
      if (!kept[stream].take(chunk)) stop(stream);
      if (isLife(chunk.toString('latin1'), stream)) alive();
    });
  }
  return {
    /** Reads no more: a grandchild may hold the pipes open. */
    close(): void {
      for (const stream of STREAMS) streams[stream]?.destroy();
    },
    result(): Pick<Ending, 'stdout' | 'stderr' | 'utf8'> {
      const [stdout, stderr] = [kept.stdout.read(), kept.stderr.read()];
      return { stdout: stdout.text, stderr: stderr.text, utf8: stdout.valid && stderr.valid };
    },
  };
}

/** Keeps the beginning of a stream, up to a cap. */
function createCollector(cap: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    /** False once the cap is passed; later output is dropped. */
    take(chunk: Buffer): boolean {
      if (size < cap) chunks.push(chunk.subarray(0, cap - size));
      size += chunk.length;
      return size <= cap;
    },
    read(): Output {
      const bytes = Buffer.concat(chunks);
      try {
        return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), valid: true };
      } catch {
        return { text: bytes.toString('utf8'), valid: size > cap };
      }
    },
  };
}
