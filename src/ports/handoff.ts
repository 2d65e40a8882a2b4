import type { Outcome } from '../base/outcome.ts';

/** The project's `_handoff/` folder. Every write is atomic, and durable when it returns. */
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
  /** Appends a line; a file above 5 MB first becomes `<name>.1`, replacing the older one. */
  append(name: string, line: string): void;
  /** False when the file is missing: another process moved or deleted it. */
  rename(from: string, to: string): boolean;
  /** The same, but only for the expected text, and never over an existing file: then false. */
  renameToFree(from: string, to: string, isMeant: (text: string) => boolean): boolean;
  remove(name: string): void;
  /** Removes a file if its text is the expected one; a newer file in its place stays. */
  take(name: string, isMeant: (text: string) => boolean): boolean;
  exists(name: string): boolean;
  /** When a file got its name, in milliseconds since 1970; undefined when it does not exist. */
  namedAt(name: string): number | undefined;
  /** A file of that name in the root of the project, and when it was written; undefined when it does not exist. */
  beside(name: string): { readonly text: Outcome<string, string>; readonly writtenAt: number } | undefined;
  /** Moves such a file into the folder if it has the expected text and the name is free there. */
  takeIn(name: string, text: string): boolean;
  /** Removes such a file if it has the expected text. */
  removeBeside(name: string, text: string): boolean;
  /** Contract files waiting in `queue/`, by name, oldest first. */
  queued(): readonly string[];
  /** The folders in `tasks/`: parked tasks. */
  aside(): readonly string[];
  /** Removes an empty folder in `tasks/`; one with content stays. */
  removeAside(taskId: string): void;
  /** A file as users know it, from the root of the project. */
  shown(name: string): string;
  /** The folders in `archive/`: archived tasks. */
  archived(): readonly string[];
  bytesOfArchived(taskId: string): number;
  /** Removes an archived task's folder. */
  removeArchived(taskId: string): void;
}
