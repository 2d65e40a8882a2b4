import { z } from 'zod';
import { closedObject } from './shape.ts';

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

/** The ruling on a gate and tree, if any. */
export const findConsent = (
  consents: readonly GateConsent[],
  { name, run }: { readonly name: string; readonly run: string },
  tree: string,
): GateConsent | undefined => consents.findLast((one) => one.gate === name && one.run === run && one.tree === tree);
