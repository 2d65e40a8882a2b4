import type { Handed } from '../../rules/files/context-subject.ts';
import type { EngineAnswer } from '../../rules/files/rule-engine.ts';
import { formatDoubt, isUnchecked, type RuleFinding } from '../../rules/model/inspection.ts';
import { formatPlace } from '../../base/format-place.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Rule } from '../../rules/model/rule.ts';
import { PRIORITIES, type Phase } from '../../rules/model/rule-words.ts';
import type { CallTools, ToldViolation, ToolAnswer } from './tool.ts';

export const toRuleFacts = (rule: Rule) => ({
  id: rule.id,
  title: toTerminalLine(rule.title, 200),
  phase: rule.phase.length === 1 ? rule.phase[0] : rule.phase,
  severity: rule.severity,
  priority: rule.priority,
  handler: rule.handler,
});

/** The rules of a phase; nothing is checked, so nothing passes. */
export function listPhaseRules(rules: readonly Rule[], phase: Phase | undefined): ToolAnswer {
  const facts = { status: 'SKIPPED', phase: phase ?? null, rules: rules.map(toRuleFacts), results: [], violations: [] };
  const what = phase === undefined ? 'all phases' : phase;
  return {
    summary: `SKIPPED: nothing to look at; ${rules.length} rules for ${what}`,
    facts,
    isError: false,
  };
}

/** Every result of an inspection; what could not be checked makes it an error. */
export async function answerResults(answer: EngineAnswer, handed: Handed, tools: CallTools): Promise<ToolAnswer> {
  const seen = sortedOut(answer);
  await reportViolations(seen.acting, tools);
  const status = statusOf(answer, seen);
  return {
    summary: [
      `${status}: ${answer.inspection.results.length} rules checked ${answer.inspection.subject}`,
      ...linesOf(seen),
    ].join('\n'),
    facts: { status, ...factsOf(answer, seen, handed) },
    isError: status === 'ERROR',
  };
}

/** The handler with the highest priority among the violations; PASS without any. */
export async function answerVerdict(answer: EngineAnswer, handed: Handed, tools: CallTools): Promise<ToolAnswer> {
  const seen = sortedOut(answer);
  await reportViolations(seen.acting, tools);
  const gravest = seen.acting.toSorted((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority))[0];
  // What is only written down now is no reason to interrupt, and no pass either.
  const waiting = seen.later.length > 0 ? 'LOG_ONLY' : 'PASS';
  const isOpen = seen.unchecked.length > 0 && gravest?.handler !== 'TERMINATE';
  const action = isOpen ? null : (gravest?.handler ?? waiting);
  return {
    summary: [action ?? 'error: some rules could not be checked, so there is no answer', ...linesOf(seen)].join('\n'),
    facts: {
      action,
      highest_priority: gravest?.priority ?? null,
      status: statusOf(answer, seen),
      ...factsOf(answer, seen, handed),
    },
    isError: isOpen,
  };
}

type Seen = ReturnType<typeof sortedOut>;

function sortedOut({ inspection: { findings, mode } }: EngineAnswer) {
  const violated = findings.filter(({ status }) => status === 'VIOLATED');
  const counting = violated.filter(({ suppressed }) => suppressed === undefined);
  return {
    /** Violations that count now. */
    acting: counting.filter(({ deferredTo, hard }) => deferredTo === undefined || hard),
    /** Violations whose priority may act only in a later phase. */
    later: counting.filter(({ deferredTo, hard }) => deferredTo !== undefined && !hard),
    suppressed: violated.filter(({ suppressed }) => suppressed !== undefined),
    /** What could not be checked, or is undecided although it must be kept. */
    unchecked: findings.filter((finding) => isUnchecked(finding, mode)),
    /** What words alone do not decide. */
    unsure: findings.filter((finding) => finding.not_sure !== undefined),
  };
}

function statusOf({ inspection: { results } }: EngineAnswer, seen: Seen): string {
  if (seen.acting.length > 0 || seen.later.length > 0) return 'VIOLATED';
  const has = (status: string): boolean => results.some((result) => result.status === status);
  if (has('ERROR')) return 'ERROR';
  if (has('UNDECIDED')) return 'UNDECIDED';
  if (has('PASS') || seen.suppressed.length > 0) return 'PASS';
  return has('NOT_COVERED') ? 'NOT_COVERED' : 'SKIPPED';
}

/** As many as a caller can take in one stream; the answer holds them all. */
const MOST_REPORTED = 50;

async function reportViolations(acting: readonly RuleFinding[], tools: CallTools): Promise<void> {
  for (const finding of acting.slice(0, MOST_REPORTED)) await tools.tell(toViolation(finding));
}

const toViolation = (finding: RuleFinding): ToldViolation => ({
  rule_id: finding.rule,
  violation: {
    location: placeOf(finding),
    message: toTerminalLine(finding.message, 500),
    suggestion: finding.suggestion === undefined ? null : toTerminalLine(finding.suggestion, 500),
  },
  priority: finding.priority,
  handler: finding.handler,
});

const placeOf = ({ file, line }: RuleFinding): string =>
  file === undefined ? '' : toTerminalLine(formatPlace(file, line), 300);

function factsOf({ inspection, rules }: EngineAnswer, seen: Seen, handed: Handed): Readonly<Record<string, unknown>> {
  const skipped = inspection.trace.flatMap(({ step, rule, outcome }) =>
    step === 'select' && rule !== undefined ? [{ rule_id: rule, why: toTerminalLine(outcome, 300) }] : [],
  );
  return {
    phase: inspection.phase ?? null,
    score: inspection.score,
    results: inspection.results.map((result) => ({
      rule_id: result.rule,
      status: result.status === 'NOT_APPLICABLE' ? 'SKIPPED' : result.status,
      confidence: result.confidence,
      reason: toTerminalLine(result.reason, 300),
      severity: result.severity,
      priority: rules.get(result.rule)?.priority ?? null,
      handler: rules.get(result.rule)?.handler ?? null,
    })),
    skipped,
    violations: seen.acting.map(toViolation),
    deferred: seen.later.map((finding) => ({ ...toViolation(finding), deferred_to: finding.deferredTo ?? null })),
    suppressed: seen.suppressed.map((finding) => ({ ...toViolation(finding), by: finding.suppressed?.by ?? null })),
    unchecked: seen.unchecked.map(({ rule, status, reason }) => ({
      rule_id: rule,
      status,
      reason: toTerminalLine(reason, 300),
    })),
    not_sure: seen.unsure.map(({ rule, reason, not_sure: answer }) => ({
      rule_id: rule,
      reason: toTerminalLine(reason, 300),
      answered_by: answer,
    })),
    ignored_context: handed.ignored.map((key) => toTerminalLine(key, 60)),
  };
}

const MOST_LINES = 50;

function linesOf({ acting, later, suppressed, unchecked, unsure }: Seen): string[] {
  const lines = [
    ...acting.map(
      (one) => `${one.priority} ${one.handler} ${one.rule} ${placeOf(one)}: ${toViolation(one).violation.message}`,
    ),
    ...later.map((one) => `later (${one.deferredTo ?? ''}): ${one.priority} ${one.rule} ${placeOf(one)}`),
    ...suppressed.map((one) => `suppressed (${one.suppressed?.by ?? ''}): ${one.rule} ${placeOf(one)}`),
    ...unchecked.map((one) => `${one.status}: ${one.rule}: ${toTerminalLine(one.reason, 200)}`),
    ...unsure
      .filter((one) => !unchecked.includes(one))
      .map((one) => `NOT SURE: ${toTerminalLine(formatDoubt(one.rule, one.reason, one.not_sure ?? ''), 500)}`),
  ];
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more`] : lines;
}
