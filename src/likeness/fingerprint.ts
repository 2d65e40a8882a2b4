import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { formSchema, computeForms } from './code-form.ts';
import { fingerprint } from '../base/fingerprint.ts';

/** The fingerprint of a rejected change, in addition to its tree: enough to recognise it in disguise. */
export const fingerprintSchema = lazy(() =>
  z.strictObject({
    files: z
      .record(z.string(), z.string())
      .describe('Changed path → print of its normal form (no spacing, quotes alike); "deleted" for a file that went.'),
    lines: z
      .array(z.string())
      .describe('Prints of the added lines in normal form; of very large changes a fixed sample.'),
    forms: z
      .record(z.string(), formSchema())
      .optional()
      .describe(
        'Changed path → prints that are blind to comments, to names, to order; not of deleted or very large files.',
      ),
  }),
);
export type Fingerprint = z.infer<ReturnType<typeof fingerprintSchema>>;

/** Kept hashes of added lines of one change; more would only grow the journal. */
const KEPT_LINES = 2000;
/** Longer texts are compared by tokens alone: all forms of these take a fifth of a second. */
const FORMED_CHARACTERS = 96 * 1024;
/** Shorter lines (a brace, `return`, a blank) are in every change and are ignored. */
const TELLING_TOKENS = 3;

/**
 * Makes the fingerprint of a change: `contents` are its files after the change (undefined = deleted), `addKnown` its new
 * lines.
 */
export function takeFingerprint(
  contents: ReadonlyMap<string, string | undefined>,
  added: readonly string[],
): Fingerprint {
  const files = [...contents].map(([path, text]) => [
    path,
    text === undefined ? 'deleted' : fingerprint(toNormalForm(text)),
  ]);
  const telling = added.map(tokens).filter(({ length }) => length >= TELLING_TOKENS);
  const lines = [...new Set(telling.map((one) => fingerprint(one.join(' '))))].toSorted();
  const forms = [...contents].flatMap(([path, text]) =>
    text === undefined || text.length > FORMED_CHARACTERS ? [] : [[path, computeForms(path, text)] as const],
  );
  return {
    files: Object.fromEntries(files) as Record<string, string>,
    lines: lines.slice(0, KEPT_LINES),
    forms: Object.fromEntries(forms),
  };
}

/** A text without formatting: tokens only, one kind of quote, no commas or semicolons before a break. */
export const toNormalForm = (text: string): string => tokens(text).join(' ');

const tokens = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [])
    .map((token) => (token === '"' || token === '`' ? "'" : token))
    .filter((token) => token !== ';' && token !== ',');
