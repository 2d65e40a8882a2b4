import type { Outcome } from '../base/outcome.ts';

/** The write scope of a contract, as written: paths may begin with the name of the project. */
interface WaitingScope {
  readonly project: string;
  readonly allowedPaths: readonly string[];
  readonly forbiddenPaths: readonly string[];
}

export interface Waiting {
  /** Its name here, used in claims and messages. */
  readonly name: string;
  /** The contract as it was read, or why it cannot be read. */
  readonly text: Outcome<string, string>;
  /** The task that it is about, where it says one. */
  readonly taskId: string | undefined;
  readonly priority: number;
  /** Tasks that it says must be merged before. */
  readonly after: readonly string[];
  /** The moment before which it says it must not begin: ISO 8601, UTC. */
  readonly notBefore: string | undefined;
  /** The spec that it says it is a part of, and its number there. */
  readonly spec: { readonly name: string; readonly part: number } | undefined;
  /** What it may write; undefined where it is no contract that can be read. */
  readonly scope: WaitingScope | undefined;
  /** It is the active contract already, so it comes before all others. */
  readonly goesFirst: boolean;
  /** Whether there is a place in which it could begin; what else it waits for is decided over all of them. */
  readonly waitsFor: 'its turn' | 'a place';
}

/** Who works on what: the contracts that wait, and taking one out or giving it back. Whose turn comes when is not its matter. */
export interface Queue {
  /** Everything that waits, as it arrived, while the tasks that are named are under way; how many those may be is the queue's own matter. */
  waiting(underWay: readonly string[]): readonly Waiting[];
  /** What a contract of that name says now; undefined when it is gone. */
  read(name: string): Outcome<string | undefined, string>;
  /** Takes one out to begin it; false when it is gone, has changed, or another process was faster. */
  claim(one: Waiting): boolean;
  /** Gives back what was claimed and has not begun: it waits again, under the name that is answered; undefined when it is not there any more. */
  release(taskId: string, text: string): string | undefined;
  /** Takes one out for good and returns its new path; undefined when it is gone or has changed. */
  withdraw(one: Waiting): string | undefined;
}
