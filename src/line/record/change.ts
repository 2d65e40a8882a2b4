import { z } from 'zod';
import { changedFileSchema } from '../../base/changed-file.ts';
import { fingerprintSchema } from '../../source/change-fingerprint.ts';
import { closedObject } from '../../base/shape.ts';

/** An attempt as a commit; git counts every figure against `base`. */
export const changeSchema = closedObject(() => ({
  attempt: z.int(),
  commit: z.string(),
  tree: z.string(),
  base: z.string().describe('The commit of the target branch that the task builds on.'),
  files: z.array(changedFileSchema()),
  added: z.int(),
  deleted: z.int(),
  bytes: z
    .int()
    .optional()
    .describe('What it adds: the bytes of its new lines and of its binary files; not counted of thousands of files.'),
  lost: z.int().describe('All lines of deleted files plus the net shrink of changed ones.'),
  projectLines: z.int().nullable().describe('Lines of the tracked text files at base; null when nothing was lost.'),
  notes: z.string(),
  authors: z
    .array(z.string())
    .optional()
    .describe('Whose commits it is made of, as `Name <email>`; left out where all are of andon.'),
  print: fingerprintSchema().optional().describe('What it is remembered by when it is rejected.'),
}));
export type Change = z.infer<ReturnType<typeof changeSchema>>;

/** One run of a gate; `error`: it did not run; `flaky`: its results differ. Neither is red or green. */
const gateResultSchema = closedObject(() => ({
  name: z.string(),
  run: z.string(),
  outcome: z.enum(['green', 'red', 'flaky', 'error']),
  base: z.enum(['green', 'red', 'flaky', 'impossible', 'error', 'not run']),
  blocks: z.boolean().describe('Sends the change back.'),
  consent: z
    .literal('test by test')
    .optional()
    .describe('Not green, and allowed by a human who wanted it compared test by test: nothing green was lost.'),
  exit: z.int().nullable(),
  ms: z.int(),
  output: z.string().describe('The last lines of what it printed.'),
  why: z.string().optional(),
  passed: z
    .int()
    .optional()
    .describe('The number of tests that passed, by its machine-readable results; left out where it is unknown.'),
  failures: z
    .array(z.strictObject({ name: z.string(), message: z.string().optional() }))
    .optional()
    .describe('The first failed tests, by its machine-readable results.'),
  fewer: z
    .strictObject({ runner: z.string(), before: z.int(), after: z.int().nullable() })
    .optional()
    .describe('Fewer tests passed in it than on the base, or the count has become unknown (null).'),
}));
export type GateResult = z.infer<ReturnType<typeof gateResultSchema>>;

/** All gates on one tree, and whether they ran in the sandbox. */
export const gateRunSchema = closedObject(() => ({
  tree: z.string(),
  cage: z.string(),
  results: z.array(gateResultSchema()),
}));
export type GateRun = z.infer<ReturnType<typeof gateRunSchema>>;

export const listNonGreen = (gates: GateRun | undefined): readonly GateResult[] =>
  (gates?.results ?? []).filter(({ outcome }) => outcome !== 'green');

/** `test (2 failed: adds; subtracts)`: a red gate by its name and those of its failed tests. */
export function nameRedGate({ name, failures = [] }: Pick<GateResult, 'name' | 'failures'>): string {
  if (failures.length === 0) return name;
  const named = failures.slice(0, NAMED_TESTS).map((test) => test.name.slice(0, 80));
  const more = failures.length > NAMED_TESTS ? '; …' : '';
  return `${name} (${failures.length} failed: ${named.join('; ')}${more})`;
}

/** The same of several; of a holdout gate only its name, because reasons reach the agents. */
export const nameRedGates = (red: readonly GateResult[], holdout: readonly { readonly name: string }[]): string =>
  red.map((gate) => (holdout.some(({ name }) => name === gate.name) ? gate.name : nameRedGate(gate))).join(', ');

const NAMED_TESTS = 3;

export function formatDiffStat(change: Change): string {
  const count = change.files.length;
  return `${count} file${count === 1 ? '' : 's'}, +${change.added} -${change.deleted}`;
}
