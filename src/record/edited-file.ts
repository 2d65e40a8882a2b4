/** A file that an agent edited in place; the path is relative to the root of the tree. */
export type EditedFile =
  | { readonly path: string; readonly content: string; readonly executable: boolean }
  | { readonly path: string; readonly content: null }
  /** Why it is refused (a link, no text, too large), as a sentence for the next brief. */
  | { readonly path: string; readonly unfit: string };
