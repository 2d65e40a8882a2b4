import { z } from 'zod';
import { fingerprint } from '../base/fingerprint.ts';
import { lazy } from '../base/lazy.ts';

/** An edit of a text that keeps its meaning. */
export type Disguise = 'spacing' | 'comments' | 'names' | 'order';

/** Hashes of a source file, each ignoring more: spacing; comments too; names; order; both. */
export const formsSchema = lazy(() =>
  // Older versions wrote more keys, which are dropped.
  z.object({
    spacing: z.string(),
    comments: z.string(),
    names: z.string(),
    order: z.string(),
    both: z.string(),
    own: z.array(z.string()).describe('Hashes of the names that the file declares: a rejection may ask for one.'),
  }),
);
export type CodeForms = Readonly<z.infer<ReturnType<typeof formsSchema>>>;

/** The weakest disguise that makes two texts equal; undefined when they differ in more. */
export function findDisguise(now: CodeForms, before: CodeForms): readonly Disguise[] | undefined {
  if (now.spacing === before.spacing) return ['spacing'];
  if (now.comments === before.comments) return ['comments'];
  if (now.names === before.names) return ['names'];
  if (now.order === before.order) return ['order'];
  return now.both === before.both ? ['names', 'order'] : undefined;
}

/** The fingerprint of a rejected change, in addition to its tree: enough to recognise it in disguise. */
export const fingerprintSchema = lazy(() =>
  z.strictObject({
    files: z
      .record(z.string(), z.string())
      .describe('Changed path → hash of its normal form (no spacing, quotes alike); "deleted" for a deleted file.'),
    lines: z
      .array(z.string())
      .describe('Hashes of the added lines in normal form; of very large changes a fixed sample.'),
    forms: z
      .record(z.string(), formsSchema())
      .optional()
      .describe('Changed path → hashes that ignore comments, names or order; only of files that were parsed.'),
  }),
);
export type Fingerprint = z.infer<ReturnType<typeof fingerprintSchema>>;

/** Kept hashes of added lines of one change; more would only grow the journal. */
const KEPT_LINES = 2000;
/** Shorter lines (a brace, `return`, a blank) are in every change and are ignored. */
const TELLING_TOKENS = 3;

/**
 * Makes the fingerprint of a change: `contents` are its files after the change (undefined = deleted), `added` its new
 * lines, `forms` those of its files that were parsed.
 */
export function takeFingerprint(
  contents: ReadonlyMap<string, string | undefined>,
  added: readonly string[],
  forms: Readonly<Record<string, CodeForms>> = {},
): Fingerprint {
  const files = [...contents].map(([path, text]) => [
    path,
    text === undefined ? 'deleted' : fingerprint(toNormalForm(text)),
  ]);
  const telling = added.map(tokens).filter(({ length }) => length >= TELLING_TOKENS);
  const lines = [...new Set(telling.map((one) => fingerprint(one.join(' '))))].toSorted();
  return { files: Object.fromEntries(files) as Record<string, string>, lines: lines.slice(0, KEPT_LINES), forms };
}

/** A text without formatting: tokens only, one kind of quote, no commas or semicolons before a break. */
export const toNormalForm = (text: string): string => tokens(text).join(' ');

const tokens = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [])
    .map((token) => (token === '"' || token === '`' ? "'" : token))
    .filter((token) => token !== ';' && token !== ',');
