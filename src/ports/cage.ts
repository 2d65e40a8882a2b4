import type { AskedLimits } from '../config/cage-limits.ts';

/** A command to run on a tree. */
export interface CagedCommand {
  readonly run: string;
  /** The folder of the tree; the only place that may be written. */
  readonly tree: string;
  readonly network: boolean;
  /** Folders shown read-only inside the tree, as `[where it is, path in the tree]`. */
  readonly share: readonly (readonly [string, string])[];
  /** What it writes in its tree is gone when it ends; asked for only where the cage `keepsTrees`. */
  readonly discards?: boolean;
  /** Less than what the cage's own limits are. */
  readonly limits?: AskedLimits;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a command ended; `exit` is null when it did not end by itself. */
export interface CagedResult {
  readonly exit: number | null;
  readonly output: string;
  readonly ms: number;
  readonly ended: 'exited' | 'timeout' | 'limit' | 'aborted' | 'not started';
  /** With `limit`: what of the machine it had too much of, or too little, in words; it is measured, not what it printed. */
  readonly limit?: string;
}

/** Where code that a model wrote is run. */
export interface Cage {
  /** `bubblewrap`, or `none` because the user's own configuration says so. */
  readonly name: string;
  /** Undefined when the cage works; else one sentence with what to install. */
  unavailable(): Promise<string | undefined>;
  /** What commands may use here, and what holds them to it, in words. */
  limits(): Promise<string>;
  /** Whether a command can be run for which a tree in this folder changes and yet does not; else it needs a new one. */
  keepsTrees(folder: string): Promise<boolean>;
  /** Why a command with network has that of the machine and not one of its own; undefined when it has its own. */
  sharesNetwork?(): string | undefined;
  run(command: CagedCommand): Promise<CagedResult>;
}
