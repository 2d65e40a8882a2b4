import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A bare spawn this often: enough to know the machine's mood, little enough not to be part of it. */
const EVERY_MS = 250;

/** Times a bare `git version` again and again while the line works, so that a busy machine is not taken for a slow andon. */
export function startYardstick(): { stop(): Promise<readonly number[]> } {
  const times: number[] = [];
  const over = new AbortController();
  const { signal } = over;
  const measure = async (): Promise<void> => {
    while (!signal.aborted) {
      times.push(await spawnOnce());
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  };
  const measuring = measure();
  return {
    async stop() {
      over.abort();
      await measuring;
      return times;
    },
  };
}

function spawnOnce(): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['version'], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.end();
    child.once('error', reject);
    child.once('close', () => resolve(performance.now() - began));
  });
}
