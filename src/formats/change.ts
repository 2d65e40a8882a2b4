import { z } from 'zod';
import { fingerprintSchema } from './fingerprint.ts';

/** A file to be written into a commit; `content: null` removes it. */
export type FileWrite =
  | { readonly path: string; readonly mode: '100644' | '100755'; readonly content: Uint8Array }
  | { readonly path: string; readonly content: null };

/** One file of a change as git itself reports it; `added`/`deleted` are null for binary files. */
export const changedFileSchema = z.strictObject({
  path: z.string(),
  from: z.string().optional().describe('The old path of a moved file.'),
  status: z.enum(['added', 'modified', 'deleted', 'moved', 'type-changed']),
  oldMode: z.string(),
  newMode: z.string(),
  added: z.int().nullable(),
  deleted: z.int().nullable(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** An attempt that has become a commit; every figure is counted by git against `base`. */
export const changeSchema = z.strictObject({
  attempt: z.int(),
  commit: z.string(),
  tree: z.string(),
  base: z.string().describe('The commit of the target branch that the task builds on.'),
  files: z.array(changedFileSchema),
  added: z.int(),
  deleted: z.int(),
  lost: z.int().describe('All lines of deleted files plus the net shrink of changed ones.'),
  projectLines: z.int().nullable().describe('Lines of the tracked text files at base; null when nothing was lost.'),
  notes: z.string(),
  print: fingerprintSchema.optional().describe('What it is remembered by when it is rejected.'),
});
export type Change = z.infer<typeof changeSchema>;

/** One run of one gate; `error` means that it could not be run, which is neither red nor green. */
export const gateResultSchema = z.strictObject({
  name: z.string(),
  run: z.string(),
  outcome: z.enum(['green', 'red', 'error']),
  base: z.enum(['green', 'red', 'error', 'not run']),
  blocks: z.boolean().describe('Red in a way that sends the change back.'),
  exit: z.int().nullable(),
  ms: z.int(),
  output: z.string().describe('The last lines of what it printed.'),
  why: z.string().optional(),
});
export type GateResult = z.infer<typeof gateResultSchema>;

/** All gates on one tree, and whether they ran in the cage. */
export const gateRunSchema = z.strictObject({
  tree: z.string(),
  cage: z.string(),
  results: z.array(gateResultSchema),
});
export type GateRun = z.infer<typeof gateRunSchema>;

/** The gates that are red on the change and on the base too: they do not block it, and they prove nothing. */
export const redOnBaseToo = (gates: GateRun | undefined): readonly string[] =>
  (gates?.results ?? [])
    .filter(({ outcome, base, blocks }) => outcome === 'red' && base === 'red' && !blocks)
    .map(({ name }) => name);

/** `1 file, +24 -0`, for people. */
export function diffStat(change: Change): string {
  const count = change.files.length;
  return `${count} file${count === 1 ? '' : 's'}, +${change.added} -${change.deleted}`;
}
