/** What a project's own files say about how it is prepared and checked. */
export interface Stack {
  /** What was recognised, such as `npm` or `cargo`. */
  readonly names: readonly string[];
  readonly setup: readonly string[];
  readonly share: readonly string[];
  readonly gates: readonly { readonly name: string; readonly run: string }[];
  /** What the human should know about a proposal, in sentences. */
  readonly notes: readonly string[];
}

/** The files in the root of a project, for whoever recognises a stack by them. */
export interface Root {
  readonly has: (...names: readonly string[]) => boolean;
  /** The text of the first of these files that is there; empty when none is. */
  readonly text: (...names: readonly string[]) => string;
  readonly names: readonly string[];
}
