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
  /** The contract's text, or why it cannot be read. */
  readonly text: Outcome<string, string>;
  /** Its task, if it has one. */
  readonly taskId: string | undefined;
  readonly priority: number;
  /** Tasks that must be merged before, by its own claim. */
  readonly after: readonly string[];
  /** Its earliest start, by its own claim: ISO 8601, UTC. */
  readonly notBefore: string | undefined;
  /** Its spec, by its own claim, and its number there. */
  readonly spec: { readonly name: string; readonly part: number } | undefined;
  /** What it may write; undefined for an unreadable contract. */
  readonly scope: WaitingScope | undefined;
  /** It is the active contract already, so it comes before all others. */
  readonly goesFirst: boolean;
  /** Whether its active name is free; other conditions are decided over all contracts. */
  readonly waitsFor: 'its turn' | 'a place';
}

/** The waiting contracts, with taking one out and giving it back. It does not decide their order. */
export interface Queue {
  /** All waiting contracts in order of arrival, while the named tasks run; the queue decides how many may run. */
  waiting(underWay: readonly string[]): readonly Waiting[];
  /** The current text of a contract of that name; undefined when it is gone. */
  read(name: string): Outcome<string | undefined, string>;
  /** Takes one out to begin it; false when it is gone, has changed, or another process was faster. */
  claim(one: Waiting): boolean;
  /** Gives back a claimed contract that has not begun: returns its new name; undefined when it is gone. */
  release(taskId: string, text: string): string | undefined;
  /** Takes one out for good and returns its new path; undefined when it is gone or has changed. */
  withdraw(one: Waiting): string | undefined;
}
