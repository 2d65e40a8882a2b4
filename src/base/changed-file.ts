import { z } from 'zod';
import { lazy } from './lazy.ts';

/** A file of a commit to write; `content: null` removes it. */
export type FileWrite =
  | { readonly path: string; readonly mode: '100644' | '100755'; readonly content: Uint8Array }
  | { readonly path: string; readonly content: null };

/** One file of a change, from git; `added` and `deleted` are null for binary files. */
export const changedFileSchema = lazy(() =>
  z.strictObject({
    path: z.string(),
    from: z.string().optional().describe('The old path of a moved file.'),
    status: z.enum(['added', 'modified', 'deleted', 'moved', 'type-changed']),
    oldMode: z.string(),
    newMode: z.string(),
    added: z.int().nullable(),
    deleted: z.int().nullable(),
  }),
);
export type ChangedFile = z.infer<ReturnType<typeof changedFileSchema>>;

/** A file that an agent edited in place; the path is relative to the root of the tree. */
export type EditedFile =
  | { readonly path: string; readonly content: string; readonly executable: boolean }
  | { readonly path: string; readonly content: null }
  /** Why it is refused (a link, no text, too large), as a sentence for the next brief. */
  | { readonly path: string; readonly unfit: string };

/** What a changed file holds before and after; undefined where it is not there. */
export interface BothSides<Content> {
  readonly path: string;
  readonly before: Content | undefined;
  readonly after: Content | undefined;
}

/** The paths that a change touches in a file: its own, and the old one of a move. */
export const getTouchedPaths = ({
  path,
  from,
}: {
  readonly path: string;
  readonly from?: string | undefined;
}): readonly string[] => (from === undefined ? [path] : [path, from]);
