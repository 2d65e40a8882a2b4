import { classifyDiskError, describeDiskError } from '../../base/disk-trouble.ts';
import { printErrorLine } from './print.ts';

const STREAMS = { stdout: 'standard output', stderr: 'standard error' } as const;
type Stream = keyof typeof STREAMS;

/** A reader that has left (`andon logs | head`), or a terminal that was closed, ends the output and not the work. */
const LEFT: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED']);
const streams: Stream[] = [];
const lost = new Map<Stream, Error>();

/** Watches streams for write errors, before the first write. Naming a stream creates it, which takes time. */
export function watchStream(...names: readonly Stream[]): void {
  streams.push(...names);
  for (const name of names)
    process[name].on('error', (error: NodeJS.ErrnoException) => {
      if (!LEFT.has(error.code) && !lost.has(name)) lost.set(name, error);
    });
}

/** The exit code once all output is flushed: never 0 where some of it could not be written, which is reported. */
export async function flushed(exitCode: number): Promise<number> {
  await Promise.all(streams.map(allWritten));
  if (lost.size === 0) return exitCode;
  for (const [name, { message }] of lost) {
    const why = describeDiskError(classifyDiskError(message));
    printErrorLine(`The output cannot be written to ${STREAMS[name]} (${why}). The command itself was carried out.`);
  }
  return exitCode === 0 ? 1 : exitCode;
}

/** Whether all output so far was written and its reader is still there. */
export async function isFlushed(): Promise<boolean> {
  const { stdout } = process;
  const isWritten = await new Promise<boolean>((resolve) => {
    if (stdout.destroyed) resolve(false);
    else stdout.write('', (error) => resolve(!error));
  });
  return isWritten && !stdout.destroyed && !lost.has('stdout');
}

function allWritten(name: Stream): Promise<void> {
  const stream = process[name];
  return new Promise((resolve) => {
    // Even a write of nothing stops a background job of a terminal with `stty tostop`.
    if (stream.destroyed || (stream.isTTY && stream.writableLength === 0)) resolve();
    else stream.write('', () => resolve());
  });
}
