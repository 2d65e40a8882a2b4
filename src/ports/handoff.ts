import type { Outcome } from '../formats/outcome.ts';

/** The project's `_handoff/` folder. Every write is whole or absent, and durable when it returns. */
export interface Handoff {
  readonly folder: string;
  prepare(): void;
  /** The text of a file; undefined when there is none; a reason when it is no plain, readable file. */
  read(name: string): Outcome<string | undefined, string>;
  /** `mayReplace` is asked last of all, so that what somebody puts there meanwhile is not written over; false when it says no. */
  write(name: string, text: string, mayReplace?: () => boolean): boolean;
  append(name: string, line: string): void;
  /** False when there was nothing to rename: somebody was faster, or deleted it. */
  rename(from: string, to: string): boolean;
  /** The same, but only of the text that is meant, and never over a file that has the other name: false then too. */
  renameToFree(from: string, to: string, isMeant: (text: string) => boolean): boolean;
  remove(name: string): void;
  /** Removes a file if its text is the one that is meant; what somebody put in its place meanwhile stays. */
  take(name: string, isMeant: (text: string) => boolean): boolean;
  exists(name: string): boolean;
  /** Contract files waiting in `queue/`, by name, oldest first. */
  queued(): readonly string[];
}
