import { failure } from '../../../base/outcome.ts';

/** One exact substitution of whole lines, each closed by `\n`; an empty text is no line. */
export interface Block {
  readonly search: string;
  readonly replace: string;
}

export type Edit =
  /** `isNew`: a diff adds the file, so there may be none yet. */
  | { readonly kind: 'write'; readonly path: string; readonly content: string; readonly isNew?: true }
  | { readonly kind: 'replace'; readonly path: string; readonly blocks: readonly Block[] }
  | { readonly kind: 'delete'; readonly path: string };

/** An implementer's answer, parsed but not yet checked. */
export type ImplementerAnswer =
  | { readonly kind: 'change'; readonly edits: readonly Edit[]; readonly notes: string }
  | { readonly kind: 'no-change'; readonly reason: string };

/** Why an answer is unreadable; `detail` is a sentence for the next brief. */
export interface UnreadableAnswer {
  readonly kind: 'empty' | 'malformed' | 'placeholder' | 'too-many-files';
  readonly detail: string;
}

export const malformedAnswer = (detail: string) => failure<UnreadableAnswer>({ kind: 'malformed', detail });

export const elidedAnswer = (path: string) =>
  failure<UnreadableAnswer>({
    kind: 'placeholder',
    detail: `The answer has only a placeholder for ${path}; give the whole file, or search/replace blocks.`,
  });

export const oversizedAnswer = (maxFiles: number) =>
  failure<UnreadableAnswer>({
    kind: 'too-many-files',
    detail: `The answer gives more than ${maxFiles} files; max_files is ${maxFiles}, so change fewer.`,
  });

export interface Expected {
  readonly targetFile: string | undefined;
  readonly maxFiles: number;
}
