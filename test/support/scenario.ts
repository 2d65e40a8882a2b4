import { finding, reviewPasses, type Call } from '../../src/app/drills/scenario.ts';

export { FINAL, aScenario, issue, judges, reviewPasses, createReply, writes } from '../../src/app/drills/scenario.ts';
export type { Call, Stations } from '../../src/app/drills/scenario.ts';

/** A reviewer that finds one fault. */
export const reviewFails = (description: string, more: Call = {}): Call =>
  reviewPasses({
    structured: { verdict: 'FAIL', critical_security_flaw: false, findings: [finding(description)] },
    ...more,
  });

/** The same answer this many times, then none. */
export const answerTimes = (count: number, call: Call): Call => ({ ...call, times: count });
export const answerOnce = (call: Call): Call => answerTimes(1, call);
