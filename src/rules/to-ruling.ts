import {
  isDoubt,
  isUnchecked,
  type Inspection,
  type InspectionContext,
  type RuleFinding,
  type RuleResult,
  type Subject,
} from './model/inspection.ts';
import type { Rule } from './model/rule.ts';
import type { Phase } from './model/rule-words.ts';
import type { Mode } from '../project/config/config-words.ts';
import { MOMENTS_OF_TASK, type RuledFinding, type RuledMoment, type Ruling } from './model/ruling.ts';
import type { ReadRulebook } from './load/read-rulebook.ts';
import type { Suppressions } from './enforce/suppress.ts';
import { runRules, type Enforcement } from './run-rules.ts';
import { withoutGaps } from '../base/without-gaps.ts';
import { mayIgnore } from './soft-hooks.ts';
import { findConsequences } from './enforce/ladder.ts';

/** What the line knows beyond the inspection when it decides about a violation. */
interface RulingContext {
  readonly moment: RuledMoment;
  readonly book: Pick<ReadRulebook, 'rules' | 'ladder'>;
  /** Fingerprints that a human waived at a halt of this task. */
  readonly waived: ReadonlySet<string>;
}

/** Applies rules at a moment of a task, and says what the line does about each violation. */
export async function ruleAt(
  moment: RuledMoment,
  book: ReadRulebook & { readonly suppressions: Suppressions },
  subject: Subject,
  context: InspectionContext,
  enforcement: Omit<Enforcement, 'surface'>,
  waived: ReadonlySet<string> = new Set(),
): Promise<Ruling> {
  const { phase } = MOMENTS_OF_TASK[moment];
  const inspection = await runRules(book, subject, { ...context, phase }, { ...enforcement, surface: 'line' });
  return toRuling(inspection, { moment, book, waived });
}

/** What the line does about each violation: handler by handler, by the phase's matrix, and never more than evidence carries. */
export function toRuling(inspection: Inspection, context: RulingContext): Ruling {
  const exact = new Set(
    inspection.results
      .filter(({ layers }) => layers.some(({ layer, status }) => layer === 'exact' && status === 'VIOLATED'))
      .map(({ rule }) => rule),
  );
  const unsure = new Set(inspection.results.filter(isUnsure).map(({ rule }) => rule));
  const doubts = inspection.findings.filter(({ status, rule }) => status === 'UNDECIDED' && unsure.has(rule));
  return {
    moment: context.moment,
    phase: MOMENTS_OF_TASK[context.moment].phase,
    score: Math.round(inspection.score),
    found: [
      ...inspection.findings
        .filter(({ status }) => status === 'VIOLATED')
        .map((finding) => ruled(finding, context, exact.has(finding.rule))),
      ...doubts.map((finding) => doubted(finding, context, inspection.mode)),
    ],
    unchecked: [
      ...inspection.faults.map(({ where, what, remedy }) => `${where}: ${what}; ${remedy}`),
      ...inspection.findings
        .filter((finding) => isUnchecked(finding) && !isSoftOpinion(finding, inspection) && !doubts.includes(finding))
        .map(
          ({ rule, status, reason }) =>
            `${rule}: ${status === 'ERROR' ? 'could not be checked' : 'undecided'}: ${reason}`,
        ),
    ],
  };
}

/** Whether only words, and a model that was asked about them, leave a rule undecided. */
const isUnsure = ({ layers }: RuleResult): boolean =>
  layers.some(isDoubt) &&
  layers.every((match) => match.status !== 'UNDECIDED' || isDoubt(match) || match.layer === 'llm');

/** What a judge could not tell of a rule that would only be told anyway. */
const isSoftOpinion = ({ rule, status, hard }: RuleFinding, { results }: Inspection): boolean =>
  status === 'UNDECIDED' &&
  !hard &&
  (results.find((one) => one.rule === rule)?.layers ?? []).some((one) => one.layer === 'llm' && one.status === status);

/** What was put off until this phase and was not found again in it, as it acts now that its phase has come. */
export function surfacing(
  putOff: readonly RuledFinding[],
  phase: Phase,
  found: readonly RuledFinding[],
): readonly RuledFinding[] {
  const known = new Set(found.map(({ fingerprint }) => fingerprint));
  return putOff
    .filter(({ until, fingerprint }) => until === phase && !known.has(fingerprint))
    .map(({ until: _until, because: _because, ...one }) => ({ ...one, does: DEEDS[one.handler] }));
}

const LONGEST_REASON = 600;

/** A rule that is not sure, also after an agent gave no answer. In strict mode a MUST rule then stops the line. */
function doubted(finding: RuleFinding, { waived }: RulingContext, mode: Mode): RuledFinding {
  const { hard, modality, not_sure: answer } = finding;
  const isStopping = mode === 'strict' && (modality === 'MUST' || hard);
  const base = {
    ...aboutFinding(finding),
    reason: finding.reason.slice(0, LONGEST_REASON),
    not_sure: answer ?? 'the agent that `llm` names gave no answer that counts',
  };
  return waived.has(finding.fingerprint)
    ? { ...base, does: 'suppressed', by: 'waiver', because: WAIVED }
    : { ...base, does: isStopping ? 'stop' : 'not_sure' };
}

const aboutFinding = ({ rule, title, priority, handler, hard, message, fingerprint }: RuleFinding) => ({
  rule,
  title,
  priority,
  handler,
  hard,
  message,
  fingerprint,
});

const WAIVED = 'a human waived it at a halt';

/** What follows from a handler; nothing of priority 0 is ever put off. */
const DEEDS: Readonly<Record<RuledFinding['handler'], RuledFinding['does']>> = {
  TERMINATE: 'stop',
  QUICK_FIX: 'quick_fix',
  LOG_ONLY: 'log',
  SOFT_HOOK: 'hook',
};

function ruled(finding: RuleFinding, { moment, book, waived }: RulingContext, isExact: boolean): RuledFinding {
  const rule = book.rules.find((one) => one.rule.id === finding.rule)?.rule;
  const { priority, handler, hard, fingerprint, violation, suppressed, deferredTo: until } = finding;
  const { suggestion, file, line, excerpt } = finding;
  const base = withoutGaps({
    ...aboutFinding(finding),
    suggestion,
    file,
    line,
    excerpt,
    fix: rule?.quick_fix && { type: rule.quick_fix.type, most: rule.quick_fix.max_fixes },
    violation,
    reason: violation && finding.reason.slice(0, LONGEST_REASON),
  });
  if (waived.has(fingerprint)) return { ...base, does: 'suppressed', by: 'waiver', because: WAIVED };
  if (suppressed !== undefined)
    return { ...base, does: 'suppressed', by: suppressed.by, because: `${suppressed.by}: ${suppressed.reason}` };
  if (until !== undefined) return { ...base, does: 'later', until, because: `${priority} acts in ${until}` };
  const does = deedOf(rule, handler, hard);
  // A judge's word against a hard constraint quotes the answer, and goes back to its author before it stops anything.
  const isProven = isExact || (hard && violation === 'llm_judge_failed');
  // Before any work is done a heuristic may stop the line; afterwards only what can be shown does.
  if ((does === 'stop' || does === 'quick_fix') && !isProven && moment !== 'contract')
    return { ...base, does: 'log', because: 'only a heuristic says so; it informs and decides nothing here' };
  return withoutGaps({
    ...base,
    does,
    because: finding.countsBecause,
    ...(rule === undefined ? {} : findConsequences(rule, priority, does === 'stop', book.ladder)),
  });
}

/** A hard constraint stops whatever its handler; a hook that may not be ignored is a fix. */
function deedOf(rule: Rule | undefined, handler: RuledFinding['handler'], isHard: boolean): RuledFinding['does'] {
  if (isHard) return 'stop';
  return handler === 'SOFT_HOOK' && rule !== undefined && !mayIgnore(rule) ? 'quick_fix' : DEEDS[handler];
}
