/** What a command is given: arguments and options as typed, the folder it was typed in, the environment. */
export interface Invocation {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One command of the command line; its code is loaded only when it is typed. */
export interface CliCommand {
  /** Name and arguments as commander reads them, such as `show <task>`. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, text: string])[];
  load(): Promise<{ run(invocation: Invocation): Promise<number> | number }>;
}
