import { failure } from '../../formats/outcome.ts';

/** One exact substitution: both texts are whole lines, each closed by `\n`; an empty text is no line at all. */
export interface Block {
  readonly search: string;
  readonly replace: string;
}

/** What an implementer wants done to one file. */
export type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'replace'; readonly path: string; readonly blocks: readonly Block[] }
  | { readonly kind: 'delete'; readonly path: string };

/** An implementer's answer, read but not yet held against the world. */
export type Answer =
  | { readonly kind: 'change'; readonly edits: readonly Edit[]; readonly notes: string }
  | { readonly kind: 'no-change'; readonly reason: string };

/** Why an answer could not be read; `detail` is a sentence for the next attempt's brief. */
export interface Unreadable {
  readonly kind: 'empty' | 'malformed';
  readonly detail: string;
}

/** The failure of an answer that says something, but not in the format. */
export const malformed = (detail: string) => failure<Unreadable>({ kind: 'malformed', detail });
