import type { Outcome } from '../../base/outcome.ts';
import type { Command } from './command.ts';

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
  /** Whether its cage was built; asked after it ended by itself. */
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
