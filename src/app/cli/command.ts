import { userInfo } from 'node:os';

/** What a command is given: arguments and options as typed, and the shell it was typed in. */
export interface Invocation extends Shell {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
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

/** What a command sees of where it was typed. */
export interface Shell {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Listens to a signal from now on, which then does not end the process by itself. */
  readonly onSignal: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void) => void;
}

/** The shell that started this process; `npm start -- …` runs in andon's own folder, and the bootstrap says where the user typed. */
export const readShell = (): Shell => ({
  cwd: process.env['ANDON_CWD'] ?? process.cwd(),
  env: process.env,
  onSignal: (signal, listener) => void process.on(signal, listener),
});

export function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
