import type { Bounds } from './bounds.ts';
import type { ProcessName } from './descendants.ts';
import type { Beyond } from './life-signs.ts';
import type { NotStarted } from './not-started.ts';
import type { Sign } from './silence.ts';

/** A program to run to its end. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. */
  readonly input: string;
  /** What the program reads from its descriptor 3, to the end. */
  readonly handed?: Uint8Array;
  /** Told what the program writes into its descriptor 4. */
  readonly account?: (text: string) => void;
  readonly signal: AbortSignal;
  readonly hardMs: number;
  /** Awake time without a sign of life after which the program is ended. */
  readonly idleMs?: number;
  /** Only output shows that it works: what its processes compute or write does not. */
  readonly onlyOutput?: true;
  /** The folder in which files that change show that it works; default: `cwd`. */
  readonly worksIn?: string;
  /** What else than output, CPU time and files may show that the silent program works; undefined = nothing does. */
  readonly alsoAlive?: Beyond;
  /** Whether a chunk is a sign of progress; default: any byte is. */
  readonly isLife?: (chunk: string, stream: 'stdout' | 'stderr') => boolean;
  /**
   * Takes standard output as it comes: then nothing of it is kept, `isLife` is not asked about it, and the cap is that
   * of who takes it. It must not throw.
   */
  readonly follow?: (chunk: Uint8Array) => 'life' | 'no life' | 'too much';
  /** The first signal when the program must end (SIGTERM comes after SIGINT); the whole tree is killed in the end. */
  readonly firstSignal?: 'SIGINT' | 'SIGTERM';
  /** How long it may take to end after each signal; default: some seconds. */
  readonly graceMs?: number;
  readonly outputCap?: number;
  /** What it and all it starts may use; with more they are ended at once. */
  readonly bounds?: Bounds;
}

/** How a program ended; the first cause wins. */
export interface Ending {
  readonly ended: 'exited' | 'idle' | 'hard' | 'aborted' | 'too much output' | 'out of bounds' | 'missing';
  /** With `out of bounds`: which of them, in words. */
  readonly passed?: string;
  /** With `missing`: why it did not begin. */
  readonly notStarted?: NotStarted;
  readonly exit: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** With `idleMs`: what last showed that it works. */
  readonly lastSign?: Sign;
  /** Whether both streams, as far as they were kept, were valid UTF-8. */
  readonly utf8: boolean;
}

/** Told about every process that lives, so that a next start can end what a crash left behind. */
export interface ProcessRegistry {
  /** Variables that mark every child and whatever it starts, also what outlives its parent in a session of its own. */
  readonly mark: Readonly<Record<string, string>>;
  began(process: ProcessName, command: string): void;
  ended(process: ProcessName): void;
}
