import type { Outcome } from '../base/outcome.ts';

/** The project's `_handoff/` folder. Every write is whole or absent, and durable when it returns. */
export interface Handoff {
  readonly folder: string;
  /** What blocks the paths of andon's own folders and logs (a link, a FIFO); undefined when nothing does. */
  barred(): string | undefined;
  /** Makes the folder; throws a Problem when it is barred. */
  prepare(): void;
  /** The text of a file; undefined when it does not exist; a reason when it is no plain, readable file. */
  read(name: string): Outcome<string | undefined, string>;
  /** The last line of a growing file; undefined when it does not exist. */
  lastLine(name: string): string | undefined;
  /** `mayReplace` is asked last, so that a newer file is not overwritten; returns false when it refuses. */
  write(name: string, text: string, mayReplace?: () => boolean): boolean;
  /** Puts a line at the end of a file; one that has grown above 5 MB becomes `<name>.1` first, in place of the one before. */
  append(name: string, line: string): void;
  /** False when the file is missing: another process moved or deleted it. */
  rename(from: string, to: string): boolean;
  /** The same, but only of the text that is meant, and never over a file that has the other name: false then too. */
  renameToFree(from: string, to: string, isMeant: (text: string) => boolean): boolean;
  remove(name: string): void;
  /** Removes a file if its text is the expected one; a newer file in its place stays. */
  take(name: string, isMeant: (text: string) => boolean): boolean;
  exists(name: string): boolean;
  /** When a file got the name that it has, in milliseconds since 1970; undefined when it is not there. */
  namedAt(name: string): number | undefined;
  /** A file of that name in the root of the project, and when it was written; undefined when it does not exist. */
  beside(name: string): { readonly text: Outcome<string, string>; readonly writtenAt: number } | undefined;
  /** Moves such a file into the folder if its text is the one that is meant and no file has that name there. */
  takeIn(name: string, text: string): boolean;
  /** Removes such a file if its text is the one that is meant. */
  removeBeside(name: string, text: string): boolean;
  /** Contract files waiting in `queue/`, by name, oldest first. */
  queued(): readonly string[];
  /** The folders in `tasks/`: tasks that are parked. */
  aside(): readonly string[];
  /** Removes a folder in `tasks/` that is empty; one that holds anything stays. */
  removeAside(taskId: string): void;
  /** A file as people know it, from the root of the project. */
  shown(name: string): string;
  /** The folders in `archive/`: tasks whose papers were put there. */
  archived(): readonly string[];
  bytesOfArchived(taskId: string): number;
  /** Removes the folder of a task in `archive/` with all that is in it. */
  removeArchived(taskId: string): void;
}
