import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/**
 * Calls `left` when standard output is a pipe and its reader has gone. The kernel reports that only on a write or a
 * poll, and Node.js does not poll. GNU tail does, so one runs along, writes nothing, and ends with andon. Without it,
 * the next write finds out.
 */
export function onReaderClosed(left: () => void): { stop(): void } {
  if (!fstatSync(1).isFIFO()) return { stop: () => {} };
  const words = ['--follow', `--pid=${process.pid}`, '/dev/null'];
  const tail = spawn('tail', words, { stdio: ['ignore', 'inherit', 'ignore'] });
  tail.on('error', () => {});
  tail.once('exit', (_, signal) => signal === 'SIGPIPE' && left());
  tail.unref();
  return { stop: () => void tail.kill() };
}
