import { IN_BACKGROUND } from '../../sandbox/processes/start-andon.ts';
import { isAlive, isOfThisNamespace, type Holder } from '../../project/locks/holder.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { openDir } from '../../base/system/safe-fs.ts';

/** What a watchdog in the background prints: why it did not start, and of what it died. */
export const OUTPUT = 'background.out';
/** Where it reports that it watches, in the state folder of its first repository. */
const STARTED = 'background.json';
const LARGEST = 64 * 1024;

/** What a watchdog in the background has begun to watch. */
interface Started {
  readonly pid: number;
  readonly roots: readonly string[];
}

export const isDetachedWatchdog = (env: NodeJS.ProcessEnv): boolean => env[IN_BACKGROUND] !== undefined;

/** Reports that this process watches these repositories. */
export const noteStarted = (state: string, roots: readonly string[]): void =>
  openDir(state).put(STARTED, JSON.stringify({ pid: process.pid, roots } satisfies Started), 0o600);

/** The repositories that a process reports to watch; undefined while it has not reported. */
export function readStartedRoots(state: string, pid: number): readonly string[] | undefined {
  const read = openDir(state).text(STARTED, LARGEST);
  const started = parseJsonObject<Started>(read.ok ? (read.value ?? '') : '', ['pid', 'roots']);
  return started?.pid === pid && Array.isArray(started.roots) ? started.roots : undefined;
}

/** The last lines that a watchdog in the background has printed. */
export function readLastOutput(state: string, most: number): readonly string[] {
  const lines = openDir(state).lines(OUTPUT, LARGEST);
  return lines.ok ? lines.value.filter((line) => line.trim() !== '').slice(-most) : [];
}

/** Whether this very process of this machine still runs; false where it is in another container and cannot be seen. */
export const isRunning = (holder: Holder): boolean => isOfThisNamespace(holder) && isAlive(holder);

/** Asks a process of this machine to end, if it is still the one that was named. */
export function terminateProcess(holder: Holder): void {
  if (isRunning(holder)) process.kill(holder.pid, 'SIGTERM');
}
