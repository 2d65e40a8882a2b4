/** A command to run on a tree. */
export interface CagedCommand {
  readonly run: string;
  /** The folder of the tree; the only place that may be written. */
  readonly tree: string;
  readonly network: boolean;
  /** Folders shown read-only inside the tree, as `[where it is, path in the tree]`. */
  readonly share: readonly (readonly [string, string])[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a command ended; `exit` is null when it did not end by itself. */
export interface CagedResult {
  readonly exit: number | null;
  readonly output: string;
  readonly ms: number;
  readonly ended: 'exited' | 'timeout' | 'aborted' | 'not started';
}

/** Where code that a model wrote is run. */
export interface Cage {
  /** `bubblewrap`, or `none` because the user's own configuration says so. */
  readonly name: string;
  /** Undefined when the cage works; else one sentence with what to install. */
  unavailable(): Promise<string | undefined>;
  run(command: CagedCommand): Promise<CagedResult>;
}
