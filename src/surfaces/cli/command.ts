import type { Shell } from './shell.ts';

/** What a command is given: arguments and options as typed, and the shell it was typed in. */
export interface Invocation extends Shell {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Every command there is. */
  readonly commands: readonly CliCommand[];
}

/** Flags as commander reads them, such as `--out <file>`, and their help text. */
export type OptionRow = readonly [flags: string, text: string];

/** One command of the command line; its code is loaded only when it is typed. */
export interface CliCommand {
  /** Name and arguments as commander reads them, such as `show <task>`. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly OptionRow[];
  /** Its own code refuses words that the usage does not list, for it knows the command to type instead. */
  readonly refusesWords?: true;
  /** Text below the options of its help. */
  readonly after?: string;
  load(): Promise<{ run(invocation: Invocation): Promise<number> | number }>;
}

/** Commands that the help lists under one heading. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CliCommand[];
}

/** The option of every command that has facts to print. */
export const JSON_OPTION: OptionRow = ['--json', 'Print facts for programs'];
