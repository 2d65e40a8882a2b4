/** A piece of a text: the bytes of its beginning and end, and the size of the whole text. */
export interface TextPiece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

/** Folders in the state folder for the work of a task. */
export interface WorkFolders {
  /** A folder for a tree of this task; `checkOut` fills it. */
  tree(taskId: string, name: string): string;
  /** Makes the judge's folder from scratch and returns it; the content of `keep` stays. */
  desk(taskId: string, files: ReadonlyMap<string, string>, keep: readonly string[]): string;
  /** An empty folder for programs that need none. */
  empty(taskId: string): string;
  /** Keeps a request to an agent and its answer, for people to read. */
  keepCall(taskId: string, call: number, what: 'prompt' | 'answer', text: string): void;
  /** A kept text of a call; undefined when it is gone. */
  readCall(taskId: string, call: number, what: 'prompt' | 'answer'): string | undefined;
  /**
   * A piece of a kept text: whole characters of at most `most` bytes from byte `from` on; undefined when it is gone.
   */
  pieceOfCall(
    taskId: string,
    call: number,
    what: 'prompt' | 'answer',
    piece: { readonly from: number; readonly most: number },
  ): TextPiece | undefined;
  /** Lends the last lines of a running call to boards in other processes; not durable, and overwritten each time. */
  lendTail(taskId: string, call: number, text: string): void;
  /** Removes these lines at the end of the call. */
  removeTail(taskId: string, call: number): void;
  /** Keeps an answer verbatim and durably before it is processed; those of earlier calls are removed. */
  keepReceived(taskId: string, call: number, received: Uint8Array): void;
  /** The received answer of a call; undefined when it does not exist. */
  readReceived(taskId: string, call: number): string | undefined;
  /** Removes the received answer after its use. */
  forgetReceived(taskId: string): void;
  /** The prepared base tree for a digest, and whether `setup` has already run in it. */
  prepared(digest: string): { readonly folder: string; readonly done: boolean };
  /** Notes that `setup` has run, and makes folders for the caches of tools in the shared folders. */
  markPrepared(digest: string, share: readonly string[]): void;
  /** The real path of a shared path; undefined when it does not exist, or a link leads it out of `folder`. */
  shared(folder: string, path: string): string | undefined;
  /** A fingerprint of a shared folder: the names, sizes and times of its content, up to a limit. */
  markOf(path: string): string;
  /** The kept run of a gate on a base, by digest. */
  readBaseRun(digest: string): string | undefined;
  keepBaseRun(digest: string, text: string): void;
  forgetBaseRun(digest: string): void;
  /** A model's opinion of a rule and a text, by digest; the oldest are forgotten. */
  readOpinion(digest: string): string | undefined;
  keepOpinion(digest: string, text: string): void;
  /** Makes sure that a file or folder of a tree is not there before a command writes it. */
  clear(folder: string, path: string): void;
  /** The texts that a command has written at a path of its tree: those of a plain file, or of the `.xml` files in a folder. */
  written(folder: string, path: string): readonly string[];
  /** Removes trees and desk of a task that has ended. */
  tidy(taskId: string): void;
}
