import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import { readFinding, type Finding } from '../../rules/model/finding.ts';
import { reviewAnswerFor, spokenReviewSchema } from '../record/agent-answers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { describeContract } from './brief.ts';
import type { Brief } from '../../agents/agent.ts';
import { fenceText, fenceRule, fenceProjectRules, type ProjectRule } from '../../agents/fence.ts';
import { readOnlyObject } from '../../agents/json-objects.ts';

export interface LocalOpinion {
  readonly verdict: 'PASS' | 'FAIL';
  readonly critical: boolean;
  readonly findings: readonly Finding[];
}

/** The reviewer's brief: contract, diff and gate evidence, fenced; answered in one JSON object. */
export function briefLocalReviewer(
  record: TaskRecord,
  view: {
    readonly diff: string;
    readonly gates: string;
    readonly nonce: string;
    readonly rules?: readonly ProjectRule[];
  },
): Brief {
  const { nonce } = view;
  const prompt = [
    'You are the local reviewer: a first pass over a change for syntax and security. You change nothing.',
    fenceRule(nonce),
    fenceText('contract', describeContract(record, true), nonce),
    fenceText('gates', view.gates, nonce),
    fenceText('diff', view.diff, nonce),
    ...explainRejectedReview(record, nonce),
    ...[fenceProjectRules(view.rules ?? [], nonce)].filter((part) => part !== ''),
    'Report what is wrong with the change itself. severity high or critical = it must be fixed before it goes on. critical_security_flaw is true only for a critical security flaw (a hardcoded key, an injection, a removed check).',
    'Answer with one JSON object: {"verdict": "PASS" or "FAIL", "critical_security_flaw": true or false, "findings": [{"severity", "category", "file", "line", "description", "evidence"}]}. No other text.',
  ].join('\n\n');
  return { prompt, schema: jsonSchemaForModel(reviewAnswerFor(false)) };
}

/** Why the reviewer's last answer about this change was sent back, in andon's words. */
export function explainRejectedReview({ lastFacts: { strike } }: TaskRecord, nonce: string): readonly string[] {
  if (strike?.station !== 'local-reviewer' || strike.kind !== 'refused') return [];
  return [
    'Your last answer did not count. Answer again and correct this:',
    fenceText('why it did not count', strike.why, nonce),
  ];
}

/** Anything but exactly one opinion is unreadable, and unreadable is never a pass. */
export function readLocalReview(text: string): Outcome<LocalOpinion, string> {
  const opinion = readOnlyObject({ text }, 'verdict', (value) => spokenReviewSchema().safeParse(value));
  if (!opinion.ok) return opinion;
  const { verdict: word, critical_security_flaw: flaw, critical: isCritical, findings: found, issues } = opinion.value;
  const verdict = word.trim().toUpperCase();
  if (verdict !== 'PASS' && verdict !== 'FAIL')
    return failure(`unknown verdict "${word.slice(0, 40)}"; PASS and FAIL are known`);
  const findings: Finding[] = [];
  for (const [at, spoken] of (found ?? issues ?? []).entries()) {
    const finding = readFinding(spoken, 'reviewer', flaw ?? isCritical ?? false);
    if (finding === undefined) return failure(`finding ${at + 1} has no description or an unknown severity`);
    findings.push(finding);
  }
  const critical =
    flaw === true ||
    isCritical === true ||
    findings.some(({ security, severity }) => security && severity === 'critical');
  return success({ verdict, critical, findings });
}
