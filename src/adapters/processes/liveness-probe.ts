import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listServers, type ProcessName } from './descendants.ts';
import { createUsageMeter } from './resource-usage.ts';
import type { LookForLife } from './silence.ts';

/** Files of a folder that are scanned; a larger one is represented by its first files. */
const MOST_FILES = 2000;

/** Where to look for signs of life of a silent program. */
export interface LivenessProbe {
  /** The current processes of the program. */
  readonly processes: () => readonly ProcessName[];
  /** The folder it works in. */
  readonly folder: string;
  /** The awake time between two polls. */
  readonly everyMs: number;
  /** A sign of life specific to the program; asked when no other was found. */
  readonly also?: (() => Promise<string | undefined>) | undefined;
}

/** Polls CPU time and writes of the whole process tree, the files of its folder, and the extra sign. */
export function lookForLife({ processes, folder, everyMs, also }: LivenessProbe): LookForLife {
  const measure = createUsageMeter();
  let before = '';
  return async (restarts) => {
    const work = measure(processes(), everyMs, restarts);
    const now = fingerprintOf(folder);
    const changed = now !== before && !restarts;
    before = now;
    if (work !== undefined) return work;
    if (changed) return 'a file changed in its folder';
    return also?.();
  };
}

/** The number of files, their total size, and the time of the last change. */
function fingerprintOf(folder: string): string {
  const queue = [folder];
  let [count, size, newest] = [0, 0, 0];
  for (let next = queue.pop(); next !== undefined && count < MOST_FILES; next = queue.pop()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      count += 1;
      size += stat.isFile() ? stat.size : 0;
      newest = Math.max(newest, stat.mtimeMs);
      if (stat.isDirectory()) queue.push(path);
    }
  }
  return `${count} ${size} ${newest}`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A service outside of a program's process tree that may work for it. */
export interface Beyond {
  /** A sign that it may be at work; gets the awake time between two questions. */
  readonly says: (everyMs: number) => Promise<string | undefined>;
  /**
   * How it is started on this machine. A visible one must also have worked since the last question; an invisible one is
   * trusted.
   */
  readonly server?: { readonly program: string; readonly command: string } | undefined;
}

/** Probes the service that works for a program, and its CPU time where that is visible. */
export function probeExternal({ says, server }: Beyond, everyMs: number): () => Promise<string | undefined> {
  const measure = createUsageMeter();
  let isFirst = true;
  return async () => {
    const what = await says(everyMs);
    if (what === undefined) return undefined;
    const processes = server === undefined ? [] : listServers(server.program, server.command);
    if (processes.length === 0) return what;
    const work = measure(processes, everyMs, isFirst);
    isFirst = false;
    return work === undefined ? undefined : `${what}, and ${work} of its server`;
  };
}
