import type { Outcome } from '../../base/outcome.ts';
import type { Command } from './command.ts';

/** A program that is to work on a tree, and what of the machine it is to see besides the system. */
export interface Enclosed {
  readonly program: string;
  readonly args: readonly string[];
  /** Its variables besides those that every command of a cage has. */
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
  /** The cage of that name; undefined: there is none, because the user's own configuration says so. */
  readonly cage: string | undefined;
  /** The port at which a caged program asks its model: the network of the cage is its own. */
  readonly port: number;
  /** Why no agent can be put into it, with what to do; undefined when one can. */
  unavailable(): Promise<string | undefined>;
  enclose(wanted: Enclosed): Outcome<Enclosing, string>;
}
