import type { MessageCheck } from './message-check.ts';

/** A FAIL without a finding cannot be fixed. */
export const noFinding: MessageCheck<'no_finding', 'review'> = {
  id: 'no_finding',
  phase: 'review',
  question: 'Does the local reviewer say FAIL and name nothing?',
  check({ verdict, findings }) {
    return verdict === 'FAIL' && findings.length === 0 ? 'the reviewer said FAIL and named no finding' : undefined;
  },
};
