import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskTrouble } from '../formats/disk-trouble.ts';
import { inOneTerminalLine } from '../formats/plain-text.ts';
import { whyNoWrites } from './open-floor.ts';
import type { Place } from './open-floor.ts';
import { startWatchdog } from './watchdog.ts';
import type { Watchdog } from './watchdog.ts';
import type { News } from './world.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A disk that is still full is spoken of this often. */
const SAY_MS = 60_000;
/** A watchdog that breaks so often although the disk takes writes in between is not helped by waiting. */
const TRIES = 5;

/** Watches a repository; while its disk takes nothing, nothing runs, and when it does again the line goes on by itself. */
export async function keepWatch(
  place: Place,
  env: NodeJS.ProcessEnv,
  say: (news: News) => void,
  options: { readonly projects?: number } = {},
): Promise<Watchdog> {
  let dog = await startWatchdog(place, env, say, options);
  const stopping = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const keep = async (): Promise<string> => {
    for (let times = 1; ; times += 1) {
      const began = performance.now();
      const reason = await Promise.race([dog.broken, stopped]);
      if (reason === undefined) return 'stopped';
      if (performance.now() - began > SAY_MS) times = 1;
      if (!isDiskTrouble(reason) || times > TRIES) return reason;
      await dog.stop().catch(() => {}); // its disk may refuse that too; the next start recovers
      const again = await startAgain(place, reason, say, stopping.signal, () =>
        startWatchdog(place, env, say, options),
      );
      if (again === undefined) return reason;
      dog = again;
    }
  };
  const broken = keep().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  return {
    place,
    broken,
    get floor() {
      return dog.floor;
    },
    async stop() {
      stopping.abort();
      await broken;
      await dog.stop().catch((error: unknown) => {
        if (!isDiskTrouble(error instanceof Error ? error.message : String(error))) throw error; // said already
      });
    },
  };
}

/** Waits until the disk takes writes again; undefined when a human stops it before. */
async function startAgain(
  place: Place,
  reason: string,
  say: (news: News) => void,
  signal: AbortSignal,
  start: () => Promise<Watchdog>,
): Promise<Watchdog | undefined> {
  const word = (text: string): void => say({ kind: 'word', level: 'warn', text });
  let said = Number.NEGATIVE_INFINITY;
  let why = reason;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    if (performance.now() - said >= SAY_MS) {
      word(`nothing runs: the disk takes no more (${inOneTerminalLine(why, 200)}); andon goes on when it does`);
      said = performance.now();
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
    try {
      why = whyNoWrites(place) ?? '';
      if (why !== '') continue;
      const dog = await start();
      word('the disk takes writes again; going on');
      return dog;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
      if (!isDiskTrouble(why)) throw error;
    }
  }
}
