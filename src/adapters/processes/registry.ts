import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failpoint } from '../failpoints.ts';
import { bootId, descendantsOf, killNamed, nameProcess, processesWith } from './descendants.ts';
import type { ProcessName } from './descendants.ts';
import type { ProcessRegistry } from './run.ts';

/** Says in every child's environment whose it is; inherited, so it also finds what a dead agent left behind. */
const MARK = 'ANDON_RUNNING';

/** Keeps a file per live process in `folder`, so that a start after a crash can end what was left. */
export function processRegistry(folder: string): ProcessRegistry {
  return {
    mark: { [MARK]: markOf(folder) },
    began(name, command) {
      failpoint('processes.began.before-write');
      writeFileSync(join(folder, `${name.pid}.json`), JSON.stringify({ ...name, boot: bootId(), command }));
      failpoint('processes.began.after-write');
    },
    ended(name) {
      failpoint('processes.ended.before-remove');
      rmSync(join(folder, `${name.pid}.json`), { force: true });
    },
  };
}

/** A digest, because programs in the cage may read the environment that bwrap was started with. */
const markOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 16);

/** Ends every process that an earlier andon left running, and gives back how many those were. */
export function endLeftovers(folder: string): number {
  let count = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const name = readName(join(folder, file));
    if (name && nameProcess(name.pid)?.startTime === name.startTime) {
      for (const child of descendantsOf(name.pid)) killNamed(child);
      killNamed(name);
      count += 1;
    }
    rmSync(join(folder, file), { force: true });
  }
  for (const orphan of processesWith(MARK, markOf(folder))) {
    killNamed(orphan);
    count += 1;
  }
  return count;
}

function readName(file: string): ProcessName | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as ProcessName & { readonly boot?: unknown };
    if (value.boot !== bootId()) return undefined;
    return typeof value.pid === 'number' && typeof value.startTime === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
