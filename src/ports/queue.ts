import type { Outcome } from '../base/outcome.ts';

/** A contract that nobody has begun. */
export interface Waiting {
  /** What it is called here; whoever claims it, and whoever is told of it, knows it by that. */
  readonly name: string;
  /** The contract as it was read, or why it cannot be read. */
  readonly text: Outcome<string, string>;
  /** The task that it is about, where it says one. */
  readonly taskId: string | undefined;
  readonly priority: number;
  /** Why it has not begun: others come first, or there is no place in which it could. */
  readonly waitsFor: 'its turn' | 'a place';
}

/** Who works on what: the contracts that wait, in the order in which their turn comes, and taking one out or giving it back. */
export interface Queue {
  /** Everything that waits, while the tasks that are named are under way; how many those may be is the queue's own matter. */
  waiting(underWay: readonly string[]): readonly Waiting[];
  /** What a contract of that name says now; undefined when it is gone. */
  read(name: string): Outcome<string | undefined, string>;
  /** Takes one out, to begin it; false when it is gone, says something else now, or somebody was faster. */
  claim(one: Waiting): boolean;
  /** Gives back what was claimed and has not begun: it waits again, under the name that is answered; undefined when it is not there any more. */
  release(taskId: string, text: string): string | undefined;
}
