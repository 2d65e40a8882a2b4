import { failure } from '../../../base/outcome.ts';

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
  readonly kind: 'empty' | 'malformed' | 'placeholder' | 'too-many-files';
  readonly detail: string;
}

/** The failure of an answer that says something, but not in the format. */
export const malformed = (detail: string) => failure<Unreadable>({ kind: 'malformed', detail });

/** The failure of an answer that leaves parts of a file out. */
export const placeholder = (path: string, line: string) =>
  failure<Unreadable>({
    kind: 'placeholder',
    detail: `The answer leaves out parts of ${path} (${line}); give the whole file, or search/replace blocks.`,
  });

/** The failure of an answer that gives more files than may change. */
export const tooMany = (maxFiles: number) =>
  failure<Unreadable>({
    kind: 'too-many-files',
    detail: `The answer gives more than ${maxFiles} files; max_files is ${maxFiles}, so change fewer.`,
  });

/** What of the contract an answer is read with. */
export interface Expected {
  readonly targetFile: string | undefined;
  readonly maxFiles: number;
}
