import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { maskKnown } from '../../base/known-secrets.ts';
import { closedObject } from '../../base/shape.ts';

const testOutcome = lazy(() => z.enum(['passed', 'failed', 'skipped']));

/**
 * The state of a gate on a base. A red gate ran twice; `flaky` gave different results, so it is neither red nor green.
 * `impossible` is allowed for a contract's gate: what it runs comes with the change.
 */
export const baseRunSchema = closedObject(() => ({
  outcome: z.enum(['green', 'red', 'flaky', 'impossible']),
  exit: z.int().nullable(),
  ms: z.int(),
  output: z.string(),
  passed: z
    .strictObject({ format: z.string(), count: z.int() })
    .optional()
    .describe('The number of tests that passed, by its machine-readable results; left out where it is unknown.'),
  tests: z
    .strictObject({ format: z.string(), outcomes: z.array(z.tuple([z.string(), testOutcome()])) })
    .optional()
    .describe('Every test of a gate that is not green, where andon can read them.'),
  unwritten: z.string().optional().describe('The configured results file, where the gate did not write it.'),
}));
export type BaseRun = z.infer<ReturnType<typeof baseRunSchema>>;

/** A project gate that is not green on the base and has no consent: the task must not start. */
export const baseRedSchema = closedObject(() => ({
  gate: z.string(),
  run: z.string(),
  commit: z.string(),
  tree: z.string(),
  outcome: z.enum(['red', 'flaky']),
  exit: z.int().nullable(),
  output: z.string(),
  key: z.string().optional().describe('Only in older journals.'),
  also: z.array(z.string()).describe('Further gates that are not green there; each is asked about by itself.'),
  tests: z
    .strictObject({ format: z.string(), passed: z.int(), failed: z.int() })
    .optional()
    .describe('Counted where andon can read the results; only then can they be compared test by test.'),
  unwritten: z.string().optional().describe('The configured results file, where the gate did not write it.'),
}));
export type BaseRed = z.infer<ReturnType<typeof baseRedSchema>>;

/** With no test that passes, a comparison would let everything pass. */
export const hasTestsToCompare = ({ tests }: BaseRed): boolean => tests !== undefined && tests.passed > 0;

/** A person's ruling on a gate that is not green on the base; it applies to that gate on that tree only. */
export const gateConsentSchema = closedObject(() => ({
  gate: z.string(),
  run: z.string(),
  tree: z.string().describe('The tree of the base on which the gate is not green.'),
  way: z
    .enum(['made green', 'test by test'])
    .describe('The task shall make it green; or no test that passed on the base may be red or missing after.'),
  halt: z.string().optional().describe('The halt at which it was given.'),
}));
export type GateConsent = z.infer<ReturnType<typeof gateConsentSchema>>;

/** Whether a kept command is this one: values of this machine in it were masked when it was kept. */
export const isSameCommand = (kept: string, run: string): boolean => kept === run || kept === maskKnown(run);

export const findConsent = (
  consents: readonly GateConsent[],
  { name, run }: { readonly name: string; readonly run: string },
  tree: string,
): GateConsent | undefined =>
  consents.findLast((one) => one.gate === name && isSameCommand(one.run, run) && one.tree === tree);
