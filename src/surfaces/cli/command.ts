import type { Shell } from './shell.ts';

/** What a command is given: arguments and options as typed, and the shell it was typed in. */
export interface Invocation extends Shell {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Every command there is. */
  readonly commands: readonly CliCommand[];
}

/** One command of the command line; its code is loaded only when it is typed. */
export interface CliCommand {
  /** Name and arguments as commander reads them, such as `show <task>`. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, text: string])[];
  /** What its help says below the options. */
  readonly after?: string;
  load(): Promise<{ run(invocation: Invocation): Promise<number> | number }>;
}

/** The option of every command that has facts to print. */
export const JSON_OPTION = ['--json', 'print facts for programs'] as const;
