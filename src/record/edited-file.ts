/** A file as an agent that works on the files itself has left it, by its path from the root of the tree. */
export type EditedFile =
  | { readonly path: string; readonly content: string; readonly executable: boolean }
  /** It is gone. */
  | { readonly path: string; readonly content: null }
  /** It cannot be taken (a link, no text, too large), in a sentence for the next attempt's brief. */
  | { readonly path: string; readonly unfit: string };
