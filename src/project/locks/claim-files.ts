import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonObject } from '../../base/json-object.ts';
import type { Owner } from '../../sandbox/processes/process-name.ts';
import { sha256 } from '../../base/sha256.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { takeFileLock } from './kernel-lock.ts';
import { isAlive, identifyThisProcess } from './holder.ts';

/** How long to wait for the claims: others lock them for moments. */
const PATIENCE_MS = 10_000;
const LARGEST = 16 * 1024;

/**
 * Claims files (paths from the root) in a project's folder, which is made if needed. Claims of a dead process are free;
 * those of this process for the same agent are granted. Throws when the folder is barred or stays locked.
 */
export async function claimFiles(folder: string, agent: string, files: readonly string[]) {
  const door = openDir(folder);
  const nameOf = (file: string): string => `${sha256(posix.normalize(file))}.json`; // `./a.ts` is `a.ts`
  const granted: string[] = [];
  const refused: { file: string; agent: string; pid: number }[] = [];
  await atTheDoor(folder, () => {
    if (door.stat('.gitignore') === undefined) door.put('.gitignore', '*\n');
    for (const file of files) {
      const there = claimIn(door.text(nameOf(file), LARGEST));
      const isMine = there?.holder.pid === process.pid && there.agent === agent;
      if (there !== undefined && !isMine && isAlive(there.holder))
        refused.push({ file, agent: there.agent, pid: there.holder.pid });
      else {
        door.put(nameOf(file), JSON.stringify({ file, agent, holder: identifyThisProcess() } satisfies Claim));
        granted.push(file);
      }
    }
  });
  return {
    granted,
    /** Files of another live process, and its agent. */
    refused,
    release: () =>
      atTheDoor(folder, () => {
        for (const file of granted)
          if (claimIn(door.text(nameOf(file), LARGEST))?.holder.pid === process.pid) door.remove(nameOf(file));
      }),
  };
}

interface Claim {
  readonly file: string;
  readonly agent: string;
  readonly holder: Owner;
}

/** One process at a time reads and claims. */
async function atTheDoor(folder: string, work: () => void): Promise<void> {
  const door = openDir(folder);
  door.makeFolder('', 0o700);
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const lock = takeFileLock(door.plain('.lock'));
    if (lock === 'taken' && performance.now() > end) throw new Error(`${folder} stays locked by another process`);
    if (lock === 'taken') continue;
    try {
      return work();
    } finally {
      lock.release();
    }
  }
}

/** The claim in a file; a damaged one does not count. */
function claimIn(read: ReturnType<ReturnType<typeof openDir>['text']>): Claim | undefined {
  const claim = parseJsonObject<Claim>(read.ok ? (read.value ?? '') : '', ['agent', 'holder']);
  return typeof claim?.agent === 'string' && typeof claim.holder?.pid === 'number' ? claim : undefined;
}
