import { setTimeout as sleep } from 'node:timers/promises';
import { killNamed, listDescendants, listProcessesWithVariable, nameProcess } from './descendants.ts';
import { readProcessStat } from './proc.ts';
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

/** A program and everything it has started, including what left for a session of its own. */
export class ProcessTree {
  /** The program itself; undefined when it never ran. */
  readonly root: ProcessName | undefined;
  private readonly child: Child;
  /** Every descendant that was ever seen; one that loses its parent later stays known. */
  private readonly seen = new Map<number, ProcessName>();
  private readonly mark: readonly [name: string, value: string, since: string | undefined];

  /** `mark`: the variable in the environment of all its processes, by which lost ones are found. */
  constructor(child: Child, mark: readonly [name: string, value: string]) {
    this.child = child;
    this.root = child.pid === undefined ? undefined : nameProcess(child.pid);
    this.mark = [...mark, readProcessStat(child.pid ?? 0)?.startTime];
  }

  /** Remembers the descendants of this moment, and gives them back. */
  look(): readonly ProcessName[] {
    const found = this.child.pid === undefined ? [] : listDescendants(this.child.pid);
    for (const one of found) this.seen.set(one.pid, one);
    return found;
  }

  /** Every process that is known to belong to it. */
  members(): readonly ProcessName[] {
    this.look();
    const root = this.root === undefined ? [] : [this.root];
    const all = [...root, ...this.seen.values(), ...listProcessesWithVariable(...this.mark)];
    return [...new Map(all.map((one) => [one.pid, one])).values()];
  }

  /** Asks the program to end, by signals in order, and then kills it. */
  async terminate(first: 'SIGINT' | 'SIGTERM', graceMs?: number): Promise<void> {
    if (this.child.pid === undefined) return;
    const gone = (): boolean => this.child.exitCode !== null || this.child.signalCode !== null;
    for (const signal of first === 'SIGINT' ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const)) {
      this.look();
      this.child.kill(signal);
      for (const end = performance.now() + (graceMs ?? GRACE_MS[signal]); performance.now() < end && !gone();)
        await sleep(50);
      if (gone()) return;
    }
    this.look();
    this.killGroup();
    this.child.kill('SIGKILL');
  }

  /** Kills what the program left: its group, its descendants, and all processes with the mark of its call. */
  killRest(): void {
    for (const one of this.seen.values()) killNamed(one);
    this.killGroup();
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      const left = listProcessesWithVariable(...this.mark);
      if (left.length === 0) return;
      for (const one of left) killNamed(one);
    }
  }

  private killGroup(): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
  }
}
