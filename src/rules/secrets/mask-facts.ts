import type { Finding } from '../../record/finding.ts';
import type { Facts } from '../../record/facts.ts';
import type { TamperingReport } from '../../record/gate-tampering.ts';
import type { JudgeReport } from '../../record/review.ts';
import { withoutSecrets } from './mask.ts';

/**
 * What a station found out, as it may be kept for ever: the words of agents, gates and git without secrets. What andon
 * still has to compare or to write back (the change, a partial answer, a contract) is not touched.
 */
export function maskFacts(facts: Facts): Facts {
  const { feedback, strike, review, report, panel, rebuttal, fault, judgeUnreadable, mergeBlocked, unavailable, cord } =
    facts;
  const { tampered, gates, bending, change, panelAgain } = facts;
  return {
    ...facts,
    ...(feedback && { feedback: feedback.map((one) => ({ ...one, text: withoutSecrets(one.text) })) }),
    ...(strike && { strike: { ...strike, why: withoutSecrets(strike.why) } }),
    ...(review && { review: { ...inText({ ...review, findings: [] }), findings: review.findings.map(maskFinding) } }),
    ...(report && { report: maskReport(report) }),
    ...(panel && { panel: inText(panel) }),
    ...(panelAgain && { panelAgain: inText(panelAgain) }),
    ...(rebuttal && { rebuttal: inText(rebuttal) }),
    ...(fault !== undefined && { fault: withoutSecrets(fault) }),
    ...(judgeUnreadable !== undefined && { judgeUnreadable: withoutSecrets(judgeUnreadable) }),
    ...(mergeBlocked && { mergeBlocked: { ...mergeBlocked, reason: withoutSecrets(mergeBlocked.reason) } }),
    ...(unavailable && { unavailable: { ...unavailable, reason: withoutSecrets(unavailable.reason) } }),
    ...(cord && { cord: { ...cord, reason: withoutSecrets(cord.reason) } }),
    ...(tampered && { tampered: { ...tampered, edited: withoutSecrets(tampered.edited) } }),
    ...(gates && {
      gates: { ...gates, results: gates.results.map((one) => ({ ...one, output: withoutSecrets(one.output) })) },
    }),
    ...(bending && { bending: maskTampering(bending) }),
    ...(change && { change: { ...change, notes: withoutSecrets(change.notes) } }),
  };
}

/** A judge's report without secrets; masked before it is written anywhere, so that its digest is that of what is kept. */
export const maskReport = (report: JudgeReport): JudgeReport => ({
  ...report,
  summary: withoutSecrets(report.summary),
  blocking: report.blocking.map(maskFinding),
  fixes: report.fixes.map(withoutSecrets),
  suggestions: report.suggestions.map(withoutSecrets),
  securityFlags: report.securityFlags.map(withoutSecrets),
  evidence: report.evidence.map((line) => ({ ...line, quote: withoutSecrets(line.quote) })),
  ...(report.tied && { tied: inText(report.tied) }),
  ...(report.answers && { answers: inText(report.answers) }),
  ...(report.panel && { panel: inText(report.panel) }),
});

const maskTampering = (bending: TamperingReport): TamperingReport => ({
  ...bending,
  bends: bending.bends.map((bend) => ({
    ...bend,
    what: withoutSecrets(bend.what),
    ...(bend.tests && { tests: bend.tests.map(withoutSecrets) }),
    ...(bend.output !== undefined && { output: withoutSecrets(bend.output) }),
  })),
});

const maskFinding = (finding: Finding): Finding => ({
  ...finding,
  description: withoutSecrets(finding.description),
  ...(finding.evidence !== undefined && { evidence: withoutSecrets(finding.evidence) }),
  ...(finding.fix !== undefined && { fix: withoutSecrets(finding.fix) }),
});

/** Every text of a value without secrets. */
function inText<Value>(value: Value): Value {
  if (typeof value === 'string') return withoutSecrets(value) as Value;
  if (Array.isArray(value)) return value.map(inText) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inText(inner)])) as Value;
}
