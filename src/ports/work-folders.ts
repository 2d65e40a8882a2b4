/** Folders in the state folder that a task works in. */
export interface WorkFolders {
  /** A folder for a tree of this task; `checkOut` fills it. */
  tree(taskId: string, name: string): string;
  /** Lays out the judge's desk afresh and gives back its folder; what is in `keep` stays. */
  desk(taskId: string, files: ReadonlyMap<string, string>, keep: readonly string[]): string;
  /** An empty folder for programs that need none. */
  empty(taskId: string): string;
  /** Keeps what was sent to an agent and what came back, for people to look at. */
  keepCall(taskId: string, call: number, what: 'prompt' | 'answer', text: string): void;
  /** What was kept of a call; undefined when it is gone. */
  readCall(taskId: string, call: number, what: 'prompt' | 'answer'): string | undefined;
  /** The prepared base tree for a digest, and whether `setup` has already run in it. */
  prepared(digest: string): { readonly folder: string; readonly done: boolean };
  markPrepared(digest: string): void;
  /** Where a shared path really lies; undefined when it is not there, or a link leads it out of `folder`. */
  shared(folder: string, path: string): string | undefined;
  /** Removes trees and desk of a task that has ended. */
  tidy(taskId: string): void;
}
