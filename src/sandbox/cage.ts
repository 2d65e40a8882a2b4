import type { AskedLimits } from './cage-limits.ts';

/** A command to run on a tree. */
export interface CagedCommand {
  readonly run: string;
  /** The folder of the tree, the only writable place. */
  readonly tree: string;
  readonly network: boolean;
  /** Folders of programs that come first on its PATH. */
  readonly programs?: readonly string[];
  /** Folders shown read-only inside the tree, as `[where it is, path in the tree]`. */
  readonly share: readonly (readonly [string, string])[];
  /** Its writes to the tree are discarded; only where the cage `keepsTrees`. */
  readonly discards?: boolean;
  /** Lower limits than the cage's own. */
  readonly limits?: AskedLimits;
  readonly timeoutMs: number;
  /** Time without output, computing or a changed file after which it is ended. */
  readonly idleMs?: number;
  readonly signal: AbortSignal;
}

/** How a command ended; `exit` is null when it did not end by itself. */
export interface CagedResult {
  readonly exit: number | null;
  readonly output: string;
  readonly ms: number;
  readonly ended: 'exited' | 'timeout' | 'idle' | 'limit' | 'aborted' | 'not started';
  /** With `limit`: which resource ran out, in words; measured, not parsed from its output. */
  readonly limit?: string;
}

/** A version of a tool that a file of the repository asks for. */
export interface ProjectTool {
  readonly name: 'node' | 'python';
  /** As the file writes it. */
  readonly version: string;
  /** The file that asks for it. */
  readonly source: string;
  /** Its folder of programs; undefined where no installed version fits. */
  readonly folder?: string;
  /** The installed version. */
  readonly installed?: string;
  /** The version manager that has it, or the first one on this machine. */
  readonly manager?: string;
}

/** Finds the tools that a repository asks for on this machine. */
export interface ToolFinder {
  /** The files that may ask for a version. */
  readonly files: readonly string[];
  find(files: ReadonlyMap<string, Uint8Array>): readonly ProjectTool[];
  /** Whether an installed version (`v22.1.0`) is what a file asks for. */
  fits(installed: string, wanted: string): boolean;
}

/** Where code that a model wrote runs. */
export interface Cage {
  /** Such as `bubblewrap`; `none` because the user's own configuration says so. */
  readonly name: string;
  /** Undefined when the cage works; else one sentence with the missing package. */
  unavailable(): Promise<string | undefined>;
  /** The limits of commands here, and their enforcement, in words. */
  limits(): Promise<string>;
  /** Whether a command can run on an overlay of a tree in this folder; otherwise it needs a fresh tree. */
  keepsTrees(folder: string): Promise<boolean>;
  /** Why a command with network uses that of the machine; undefined when it has its own. */
  sharesNetwork?(): string | undefined;
  /** Finds the tools of a project; without it, commands use those on PATH. */
  readonly tools?: ToolFinder;
  run(command: CagedCommand): Promise<CagedResult>;
}
