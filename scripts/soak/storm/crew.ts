import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Told } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
/** What takes longer than this does not happen; a drain says so itself before. */
const PATIENCE_MS = 300_000;

/** One process with some of the projects; whenever it is killed another one takes its place. */
export class Crew {
  readonly folders: readonly (readonly [number, string])[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #seed: number;
  readonly #broke: (reason: string) => void;
  #child: ChildProcess | undefined;
  #said: Told['kind'] | undefined;
  #isKilled = false;

  constructor(
    folders: readonly (readonly [number, string])[],
    { env, seed }: { readonly env: Readonly<Record<string, string>>; readonly seed: number },
    broke: (reason: string) => void,
  ) {
    [this.folders, this.#env, this.#seed, this.#broke] = [folders, env, seed, broke];
    this.start();
    process.once('exit', () => this.end());
  }

  start(): void {
    const flags = ['--disable-warning=ExperimentalWarning'];
    const child = spawn(process.execPath, [...flags, WORKER, JSON.stringify(this.folders), String(this.#seed)], {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    [this.#child, this.#said, this.#isKilled] = [child, undefined, false];
    child.stdin.on('error', () => {}); // it was killed
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = JSON.parse(line) as Told;
      if (told.kind === 'broke') this.#broke(told.reason);
      else if (child === this.#child) this.#said = told.kind;
    });
    child.once('close', (code, signal) => {
      if (child === this.#child && !this.#isKilled) this.#broke(`andon ended by itself with ${code ?? signal}`);
    });
  }

  get isOpen(): boolean {
    return this.#said === 'open';
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** SIGKILL, whatever it is doing, and a new one in its place. */
  async killAndStart(): Promise<void> {
    if (this.#isKilled) return;
    const child = this.#child;
    this.#isKilled = true;
    const gone = new Promise((resolve) => child?.once('close', resolve));
    child?.kill('SIGKILL');
    await gone;
    this.start();
  }

  /** Gives an order and waits until it is carried out. */
  async order(order: Order, until: Told['kind']): Promise<void> {
    this.#said = undefined;
    this.#child?.stdin?.write(`${order}\n`);
    await this.until(until);
  }

  async until(kind: Told['kind']): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (this.#said !== kind) {
      if (performance.now() > end) throw new Error(`it did not happen in ${PATIENCE_MS / 1000} s: ${kind}`);
      await sleep(10);
    }
  }

  end(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
  }
}
