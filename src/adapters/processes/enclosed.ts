import type { Outcome } from '../../base/outcome.ts';
import type { Command } from './command.ts';

/** A program to run on a tree, and what it may see of the machine in addition to the system. */
export interface Enclosed {
  readonly program: string;
  readonly args: readonly string[];
  /** Its variables, in addition to those that every command in a cage has. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder it works in, and may write. */
  readonly tree: string;
  /** Its private home, and its place for temporary files; it may write them, and they are gone afterwards. */
  readonly home: string;
  readonly temporary: string;
  /** The folder with the socket that leads out; undefined where there is no cage. */
  readonly door: string | undefined;
}

/** What is run in the place of a program that was put into a cage. */
export interface Enclosing extends Pick<Command, 'program' | 'args' | 'cwd' | 'env' | 'handed' | 'account' | 'bounds'> {
  /** Whether there was a cage in which it began; asked when it has ended by itself. */
  readonly isBuilt: () => boolean;
}

/** Where agents are let at a copy of the project. */
export interface Enclosure {
  /** The name of the cage; undefined: the user's own configuration disables it. */
  readonly cage: string | undefined;
  /** The port at which a caged program asks its model: the network of the cage is its own. */
  readonly port: number;
  /** Why no agent can be put into it, with what to do; undefined when one can. */
  unavailable(): Promise<string | undefined>;
  enclose(wanted: Enclosed): Outcome<Enclosing, string>;
}
