import { setTimeout as sleep } from 'node:timers/promises';
import { killNamed, listDescendants, listProcessesWithVariable } from './descendants.ts';
import type { ProcessName } from './process-name.ts';

/** How long a program may take to end itself after each signal; then it is killed. */
const GRACE_MS = { SIGINT: 2500, SIGTERM: 3000 } as const;
/** Sweeps for processes that a program starts while it is being ended. */
const SWEEPS = 5;

/** A running child, as Node names it. */
interface Child {
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  kill(signal: NodeJS.Signals): boolean;
}

/** Every descendant that was ever seen, including those in a session of their own. */
export type Family = Map<number, ProcessName>;

/** Asks a program to end, by signals in order, and then kills it. */
export async function terminateProgram(
  child: Child,
  first: 'SIGINT' | 'SIGTERM',
  family: Family,
  graceMs?: number,
): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (const signal of first === 'SIGINT' ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const)) {
    rememberFamily(pid, family);
    child.kill(signal);
    for (const end = performance.now() + (graceMs ?? GRACE_MS[signal]); performance.now() < end && !gone();)
      await sleep(50);
    if (gone()) return;
  }
  rememberFamily(pid, family);
  endGroup(pid);
  child.kill('SIGKILL');
}

/** Kills everything that a program left: its group, its family, and all processes with the mark of its call. */
export function killLeftovers(
  pid: number | undefined,
  family: Family,
  mark: readonly [name: string, value: string, since: string | undefined],
): void {
  for (const one of family.values()) killNamed(one);
  endGroup(pid);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const left = listProcessesWithVariable(...mark);
    if (left.length === 0) return;
    for (const one of left) killNamed(one);
  }
}

/** Records the current descendants of the program; one that loses its parent later stays known. */
export function rememberFamily(pid: number | undefined, family: Family): void {
  if (pid !== undefined) for (const one of listDescendants(pid)) family.set(one.pid, one);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
