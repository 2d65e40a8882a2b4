import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { aFactory, type Factory, type Watchdog } from '../support/factory.ts';
import { headIn } from '../support/parked.ts';
import { isAlive } from '../support/processes.ts';
import { endOf, faultsOf, transitionsOf, type End } from './look-at-life.ts';
import type { Goal, Life } from './lives.ts';
import { patience } from '../support/patience.ts';

/** How long one goal may take, restarts included. */
const POLL_MS = 15;
/** Commands are given again after this long, when what they were to bring about has not come. */
const AGAIN_MS = 300;

/** What one process of a life is told to do to itself: the first one that is started is number 1. */
export interface Wish {
  readonly process: number;
  readonly failpoint: string;
  /** Instead of a failpoint: what strace is told to do to the daemon from the moment on at which it watches. */
  readonly strace?: readonly string[];
}

/** How a life went. */
export interface Lived {
  readonly end: End;
  /** A process of it died by SIGKILL. */
  readonly died: boolean;
  /** Last words of daemons that ended although nobody killed them. */
  readonly ended: readonly string[];
  /** What is not as it must be whatever happened, in sentences. */
  readonly wrong: readonly string[];
  /** What each process reached, in the order in which they were started; when nothing was wished for. */
  readonly reached: readonly (readonly string[])[];
}

/** Lives a life once: one process is cut off as wished, all others run undisturbed, and a daemon that died is started again. */
export async function live(life: Life, wish?: Wish): Promise<Lived> {
  const factory = await aFactory({ apart: true, ...life.options });
  life.before?.(factory);
  const before = factory.snapshot();
  const crew = new Crew(factory, wish);
  if (wish?.strace !== undefined) await crew.wakeTraced(wish.strace);
  factory.drop(life.contract);
  for (const goal of life.goals) await crew.reach(goal);
  await crew.rest();
  if (wish !== undefined) {
    await crew.wake(); // starting is recovering: what the last step left is put right now
    await crew.rest();
  }
  return {
    end: endOf(factory),
    died: crew.died,
    ended: crew.ended,
    wrong: await faultsOf(factory, before, crew.told),
    reached: wish?.strace === undefined ? crew.reached() : [crew.traced()],
  };
}

/** Takes up a life on the disk that a power loss has left, from the goal that was sought when it came. */
export async function liveOn(
  life: Life,
  factory: Factory,
  { from, before, told }: { readonly from: number; readonly before: Snapshot; readonly told: readonly string[] },
): Promise<Pick<Lived, 'end' | 'wrong'>> {
  const crew = new Crew(factory, UNDISTURBED);
  try {
    await crew.wake();
    for (const goal of life.goals.slice(from)) await crew.reach(goal, 45_000);
    await crew.rest();
    await crew.wake();
  } finally {
    await crew.rest();
  }
  return { end: endOf(factory), wrong: await faultsOf(factory, before, told) };
}

/** Lives a life undisturbed, and says when each goal was reached. */
export async function liveOnce(life: Life, factory: Factory, reached: (goal: number) => void): Promise<void> {
  const crew = new Crew(factory, UNDISTURBED);
  await crew.wake();
  factory.drop(life.contract);
  for (const [at, goal] of life.goals.entries()) {
    await crew.reach(goal);
    reached(at);
  }
  await crew.rest();
}

type Snapshot = Readonly<Record<string, string>>;

const UNDISTURBED: Wish = { process: 0, failpoint: 'none' };

const TRY_AGAIN: Goal = {
  name: 'tried again',
  isReached: () => false,
  act: (factory) => factory.start(['resume', headIn(factory, 'ERIK_HALT.md', 'task_id'), '--path', '1']),
};

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** The daemon and the commands of one life. */
class Crew {
  died = false;
  readonly ended: string[] = [];
  /** Transitions that had been told when a process died. */
  readonly told: string[] = [];
  private readonly pids: number[] = [];
  private readonly factory: Factory;
  private readonly wish: Wish | undefined;
  private readonly log: string;
  private number = 0;
  private dog: Watchdog | undefined;

  constructor(factory: Factory, wish: Wish | undefined) {
    this.factory = factory;
    this.wish = wish;
    this.log = join(factory.folder, 'reached.log');
  }

  async reach(goal: Goal, ms?: number): Promise<void> {
    let isActing = false;
    let last = Number.NEGATIVE_INFINITY;
    if (goal.alone === true) await this.rest();
    for (const began = performance.now(); isActing || !(await goal.isReached(this.factory));) {
      if (performance.now() - began > (ms ?? patience()))
        throw new Error(`it was not ${goal.name}\n${this.dog?.output() ?? ''}`);
      if (goal.alone !== true && !this.isUp()) await this.wake();
      if (!isActing && performance.now() - last > AGAIN_MS) {
        isActing = true;
        last = performance.now();
        void (this.isFault() ? this.act(TRY_AGAIN) : this.act(goal)).finally(() => (isActing = false));
      }
      await sleep(POLL_MS);
    }
  }

  /** Starts the daemon and has strace count its calls. */
  async wakeTraced(words: readonly string[]): Promise<void> {
    await this.wake();
    const pid = this.dog?.pid ?? 0;
    const log = join(this.factory.folder, 'strace.log');
    const tracer = spawn('strace', ['-qq', '-o', log, ...words, '-p', String(pid)], { stdio: 'ignore' });
    onTestFinished(() => void tracer.kill('SIGKILL'));
    for (const began = performance.now(); performance.now() - began < patience(); await sleep(POLL_MS))
      if (/TracerPid:\s*[1-9]/.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    throw new Error('strace did not take hold of the daemon');
  }

  /** Calls that were traced, by name, in order. */
  traced(): readonly string[] {
    const log = join(this.factory.folder, 'strace.log');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    return lines.flatMap((line) => /^(\w+)\(/.exec(line)?.[1] ?? []);
  }

  /** Stops the daemon as a human does. */
  async rest(): Promise<void> {
    if (this.dog === undefined) return;
    const { signal } = await this.dog.stop();
    if (signal === 'SIGKILL') {
      await this.wake();
      return this.rest();
    }
    this.dog = undefined;
  }

  reached(): readonly (readonly string[])[] {
    const lines = existsSync(this.log) ? readFileSync(this.log, 'utf8').split('\n') : [];
    return this.pids.map((pid) =>
      lines.flatMap((line) => (line.startsWith(`${pid} `) ? [line.split(' ')[1] ?? ''] : [])),
    );
  }

  private async act(goal: Goal): Promise<void> {
    const acting = this.armed(() => goal.act?.(this.factory));
    if (acting === undefined) return;
    this.pids.push(acting.child.pid ?? 0);
    if ((await acting.ended).signal === 'SIGKILL') this.die();
  }

  /** A disk that failed may have halted the line; a human who has put it right says so. */
  private isFault(): boolean {
    return this.wish !== undefined && this.factory.isHalted() && this.factory.breaker() === 'fault';
  }

  private isUp(): boolean {
    return this.dog !== undefined && isAlive(this.dog.pid);
  }

  private die(): void {
    this.died = true;
    this.told.push(...transitionsOf(this.factory));
  }

  async wake(): Promise<void> {
    if (this.dog !== undefined) await this.mourn(this.dog);
    try {
      this.dog = await this.armed(() => this.factory.watch());
      this.pids.push(this.dog.pid);
    } catch (error) {
      const isWished = this.wish?.failpoint.includes(String(error).includes('(SIGKILL)') ? ':kill' : ':error=');
      if (isWished !== true) throw error;
      if (this.wish?.failpoint.includes(':kill') === true) this.die();
      else this.ended.push(lastLine(String(error)));
    }
  }

  private async mourn(dog: Watchdog): Promise<void> {
    const { signal } = await dog.stop(); // it is gone already; this says how
    if (signal === 'SIGKILL') return this.die();
    this.ended.push(lastLine(dog.output()));
  }

  /** The environment holds the wish while the process in question is started, and only then. */
  private armed<Value>(start: () => Value): Value {
    const { env } = this.factory;
    const number = this.number + 1;
    if (this.wish?.process === number && this.wish.strace === undefined) env['ANDON_FAILPOINT'] = this.wish.failpoint;
    if (this.wish === undefined) env['ANDON_FAILPOINT'] = `*:log=${this.log}`;
    try {
      const started = start();
      if (started !== undefined) this.number = number;
      return started;
    } finally {
      delete env['ANDON_FAILPOINT'];
    }
  }
}
