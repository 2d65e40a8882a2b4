/** A piece of a text: the bytes it begins and ends at, and how many the whole text has. */
export interface TextPiece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

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
  /** A piece of what was kept of a call, whole characters of at most `most` bytes from byte `from` on; undefined when it is gone. */
  pieceOfCall(
    taskId: string,
    call: number,
    what: 'prompt' | 'answer',
    piece: { readonly from: number; readonly most: number },
  ): TextPiece | undefined;
  /** Keeps an answer word for word and durably, before anything is made of it; those of earlier calls go. */
  keepReceived(taskId: string, call: number, received: Uint8Array): void;
  /** What was received in a call; undefined when nothing was, or when it is gone. */
  readReceived(taskId: string, call: number): string | undefined;
  /** Removes what was received: the line has moved, and it is used up. */
  forgetReceived(taskId: string): void;
  /** The prepared base tree for a digest, and whether `setup` has already run in it. */
  prepared(digest: string): { readonly folder: string; readonly done: boolean };
  markPrepared(digest: string): void;
  /** The real path of a shared path; undefined when it does not exist, or a link leads it out of `folder`. */
  shared(folder: string, path: string): string | undefined;
  /** A fingerprint of a shared folder: the names, sizes and times of its content, up to a limit. */
  markOf(path: string): string;
  /** What is kept of a gate's run on a base, by its digest; undefined when nothing is. */
  readBaseRun(digest: string): string | undefined;
  keepBaseRun(digest: string, text: string): void;
  forgetBaseRun(digest: string): void;
  /** What a model said of a rule and a text, by its digest; undefined when nothing is kept. The oldest are forgotten. */
  readOpinion(digest: string): string | undefined;
  keepOpinion(digest: string, text: string): void;
  /** Makes sure that a file or folder of a tree is not there before a command writes it. */
  clear(folder: string, path: string): void;
  /** The texts that a command has written at a path of its tree: those of a plain file, or of the `.xml` files in a folder. */
  written(folder: string, path: string): readonly string[];
  /** Removes trees and desk of a task that has ended. */
  tidy(taskId: string): void;
}
