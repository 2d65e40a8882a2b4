import type { Outcome } from '../base/outcome.ts';

/** What a contract says that it may write, as it is written: paths may begin with the name of the project. */
interface WaitingScope {
  readonly project: string;
  readonly allowedPaths: readonly string[];
  readonly forbiddenPaths: readonly string[];
}

/** A contract that nobody has begun. */
export interface Waiting {
  /** What it is called here; whoever claims it, and whoever is told of it, knows it by that. */
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
  /** It lies in the place already, so its turn comes before that of all others. */
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
  /** Takes one out, to begin it; false when it is gone, says something else now, or somebody was faster. */
  claim(one: Waiting): boolean;
  /** Gives back what was claimed and has not begun: it waits again, under the name that is answered; undefined when it is not there any more. */
  release(taskId: string, text: string): string | undefined;
  /** Takes one out for good; where it lies then is answered, undefined when it is gone or says something else now. */
  withdraw(one: Waiting): string | undefined;
}
