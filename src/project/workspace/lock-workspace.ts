import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock, type HeldLock, type LockOptions, type NotFree } from '../locks/daemon-lock.ts';
import { readCurrentHolder, describeHolderHost } from '../locks/holder.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import type { Workspace } from './load-workspace.ts';
import { statSync } from 'node:fs';

/** Takes the repository's lock; throws a Problem that names the holder when there is one that stays. */
export async function lockWorkspace(
  place: Workspace,
  doing: string,
  lost: (reason: string) => void,
  options: LockOptions = {},
): Promise<HeldLock> {
  refuseForeignRoot(place.facts);
  const where = { stateFolder: place.state, commonDir: place.facts.commonDir, root: place.facts.root };
  let lock = await takeLock(where, doing, lost, options);
  for (const end = performance.now() + MOMENTS_MS; !lock.ok && performance.now() < end;) {
    if (lock.why.isInDoubt || readCurrentHolder(where)?.doing === 'watch') break;
    await sleep(50);
    lock = await takeLock(where, doing, lost, options);
  }
  if (lock.ok) return lock.value;
  throw createBusyProblem(lock.why, place.facts.root);
}

function createBusyProblem({ holder, isInDoubt }: NotFree, root: string): Problem {
  const { pid, doing } = holder;
  const busy = (what: string, remedy: string): Problem => new Problem('busy', what, remedy, 1);
  const process = `pid ${pid}, ${doing} ${toTerminalLine(describeHolderHost(holder), 100)}`.trim();
  if (isInDoubt)
    return busy(
      `an andon (${process}) held this repository last, and whether it still runs cannot be known here`,
      `stop it there; if that machine is gone, andon watch --break-lock`,
    );
  const there = holder.root === undefined || holder.root === root ? '' : `, in ${toTerminalLine(holder.root, 400)}`;
  return busy(
    pid === 0
      ? 'another andon works in this repository, by another path or for another user'
      : `another andon (${process}) works in this repository${there}`,
    'use it, or stop it first',
  );
}

/** A command holds the lock for moments; another one waits so long. */
const MOMENTS_MS = 3000;

/**
 * Refuses to write into a repository of another user as root, as in a container with a mounted checkout: its owner could
 * change neither the merged files nor git's own. Throws a Problem.
 */
export function refuseForeignRoot({ root }: { readonly root: string }): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(root);
  if (uid === 0) return;
  throw new Problem(
    'conflict',
    `andon runs as root, and ${root} belongs to user ${uid}, who could not change what is written there`,
    `run andon as that user (docker run --user ${uid}:${gid}, sudo -u '#${uid}'), or chown the repository to root`,
  );
}
