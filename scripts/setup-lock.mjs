// One first run at a time may install into this clone: who comes second waits, and takes over from one that died.
import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the exclusive right to install into a folder; calls `waits` once with the holder's process. */
export async function takeSetupLock(root, waits) {
  const lock = join(root, 'node_modules.lock');
  const me = nameOf(process.pid) ?? String(process.pid);
  for (let isTold = false; ;) {
    const holder = claim(lock, me);
    if (holder === me) return heldLock(lock, me);
    if (holder === UNWRITABLE) return { uses() {}, release() {} }; // nothing to install into, so nothing to guard
    if (holder !== undefined && !isTold) waits(holder.split('-')[0]);
    isTold ||= holder !== undefined;
    await sleep(100);
  }
}

const UNWRITABLE = Symbol('a read-only clone');

/**
 * Who holds the lock after this try; undefined when it has to be tried again. The lock is a folder of links: `holder`
 * names the first process, `after-<name>` the one that took over when that was gone. A link has its text from its first
 * moment, and only one can be made under a name; so two never take over from the same one.
 */
function claim(lock, me) {
  try {
    mkdirSync(lock, { recursive: true });
    const before = holderOf(lock);
    if (before !== undefined && isAtWork(lock, before)) return before;
    symlinkSync(me, join(lock, before === undefined ? 'holder' : `after-${before}`));
    // Where the lock was released and taken again in the meantime, the link says nothing.
    return holderOf(lock) === me ? me : undefined;
  } catch (error) {
    return error.syscall === 'symlink' && ['EEXIST', 'ENOENT'].includes(error.code) ? undefined : UNWRITABLE;
  }
}

function holderOf(lock) {
  let holder = textOf(join(lock, 'holder'));
  for (let next = holder; next !== undefined; next = textOf(join(lock, `after-${next}`))) holder = next;
  return holder;
}

/** An npm outlives a holder that was killed, and goes on writing. */
function isAtWork(lock, holder) {
  return [holder, textOf(join(lock, `npm-of-${holder}`))].some((name) => name && nameOf(name.split('-')[0]) === name);
}

function heldLock(lock, me) {
  let isHeld = true;
  return {
    /** Says which process writes on behalf of the holder. */
    uses(pid) {
      const link = join(lock, `npm-of-${me}`);
      rmSync(link, { force: true });
      symlinkSync(nameOf(pid) ?? String(pid), link);
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      const aside = `${lock}.${process.pid}`; // as a whole: no process may enter a lock that is being removed
      if (existsSync(lock)) renameSync(lock, aside); // removed by hand
      rmSync(aside, { recursive: true, force: true });
    },
  };
}

function textOf(link) {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

const HAS_PROC = existsSync('/proc/self/stat');

/** A live process by its number and, where Linux tells it, its start, as the number may be another's by now. */
function nameOf(pid) {
  try {
    if (!HAS_PROC) return process.kill(Number(pid), 0) ? `${pid}-0` : undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ['Z', 'X'].includes(fields[0]) ? undefined : `${pid}-${fields[19]}`;
  } catch (error) {
    return error.code === 'EPERM' ? `${pid}-0` : undefined;
  }
}
