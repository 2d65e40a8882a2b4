import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/**
 * Calls `left` when standard output is a pipe and its reader has left. The kernel tells that only to who writes into the
 * pipe, or polls it, which Node.js does not: GNU tail does, writes nothing, and ends with andon. Where there is no such
 * tail, the next word finds out.
 */
export function onPipeLeft(left: () => void): { stop(): void } {
  if (!fstatSync(1).isFIFO()) return { stop: () => {} };
  const words = ['--follow', `--pid=${process.pid}`, '/dev/null'];
  const tail = spawn('tail', words, { stdio: ['ignore', 'inherit', 'ignore'] });
  tail.on('error', () => {});
  tail.once('exit', (_, signal) => signal === 'SIGPIPE' && left());
  tail.unref();
  return { stop: () => void tail.kill() };
}
