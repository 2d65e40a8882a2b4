import type { Bounds } from './bounds.ts';
import type { ProcessName } from './process-name.ts';
import type { Beyond } from './liveness-probe.ts';
import type { Sign } from './watch-silence.ts';
import type { NotStarted } from './describe-start-failure.ts';
import type { Outcome } from '../../base/outcome.ts';

/** A program to run to its end. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. */
  readonly input: string;
  /** Data for the program's descriptor 3. */
  readonly handed?: Uint8Array;
  /** Called with the output of the program's descriptor 4. */
  readonly account?: (text: string) => void;
  readonly signal: AbortSignal;
  readonly hardMs: number;
  /** Awake time without a sign of life, after which the program is ended. */
  readonly idleMs?: number | undefined;
  /** Only output is a sign of life; computing and writing are not. */
  readonly onlyOutput?: boolean | undefined;
  /** The folder whose changing files are a sign of life; default: `cwd`. */
  readonly worksIn?: string | undefined;
  /** A further sign of life of a silent program. */
  readonly alsoAlive?: Beyond;
  /** Whether a chunk is a sign of progress; default: any byte is, or with `follow` only what that says. */
  readonly isLife?: (chunk: string, stream: 'stdout' | 'stderr') => boolean;
  /**
   * Takes standard output as it comes. Then it is not kept, `isLife` is asked only about standard error, and the
   * caller sets the cap. Must not throw.
   */
  readonly follow?: (chunk: Uint8Array) => 'life' | 'no life' | 'too much';
  /** The first signal to end the program (SIGTERM comes after SIGINT); the whole tree is killed at last. */
  readonly firstSignal?: 'SIGINT' | 'SIGTERM' | undefined;
  /** How long it may take to end after each signal; default: some seconds. */
  readonly graceMs?: number | undefined;
  readonly outputCap?: number;
  /** Limits of it and its descendants; exceeding one ends them at once. */
  readonly bounds?: Bounds | undefined;
}

/** The end of a program; the first cause wins. */
export interface Ending {
  readonly ended: 'exited' | 'idle' | 'hard' | 'aborted' | 'too much output' | 'out of bounds' | 'missing';
  /** With `out of bounds`: which one, as a sentence. */
  readonly passed?: string;
  /** With `missing`: why it did not begin. */
  readonly notStarted?: NotStarted;
  readonly exit: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** With `idleMs`: the last sign of life. */
  readonly lastSign?: Sign;
  /** Whether the kept part of both streams is valid UTF-8. */
  readonly utf8: boolean;
}

/** Records every live process, so that the next start can end leftovers of a crash. */
export interface ProcessRegistry {
  /**
   * Variables that mark every child and its descendants, including those that outlive their parent in a session of
   * their own.
   */
  readonly mark: Readonly<Record<string, string>>;
  began(process: ProcessName, command: string): void;
  ended(process: ProcessName): void;
}

/** A program to run on a tree, and what it may see of the machine in addition to the system. */
export interface Enclosed {
  readonly program: string;
  readonly args: readonly string[];
  /** Its variables, in addition to those that every command in a cage has. */
  readonly env: Readonly<Record<string, string>>;
  /** Its writable working folder. */
  readonly tree: string;
  /** Its private home and temporary folder, writable and removed afterwards. */
  readonly home: string;
  readonly temporary: string;
  /** The folder with the socket that leads out; undefined without a cage. */
  readonly door: string | undefined;
}

/** The program that replaces one in a cage. */
export interface Enclosing extends Pick<Command, 'program' | 'args' | 'cwd' | 'env' | 'handed' | 'account' | 'bounds'> {
  /** Whether its cage was built and its command ended; asked after it ended by itself. */
  readonly isBuilt: () => boolean;
}

/** Where agents edit a copy of the project. */
export interface Enclosure {
  /** The name of the cage; undefined: the user's own configuration disables it. */
  readonly cage: string | undefined;
  /** The port of the model for a caged program: the network of the cage is its own. */
  readonly port: number;
  /** Why it cannot hold an agent, with a remedy; undefined when it can. */
  unavailable(): Promise<string | undefined>;
  enclose(wanted: Enclosed): Outcome<Enclosing, string>;
}
