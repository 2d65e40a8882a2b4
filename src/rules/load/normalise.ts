import type { Rule, WrittenRule } from '../model/rule.ts';
import type { RulePlace } from '../model/rule-words.ts';
import { isWeaker, type Ladder } from '../enforce/ladder.ts';
import type { RuleRemark } from './rule-faults.ts';

/** Fills in the defaults that follow from other keys and from the ladder. */
export function normalise(written: WrittenRule, ladder: Ladder, category = 'general') {
  const rung = ladder[written.severity];
  const { id, severity, is_hard_constraint: isHard, match, allow_weaker_handler: reason } = written;
  const title = written.title ?? written.message ?? id;
  const handler = written.handler ?? rung.handler;
  const rule: Rule = {
    ...written,
    title,
    priority: rung.priority,
    modality: written.modality ?? rung.modality,
    category: written.category ?? category,
    stack: written.stack.map((name) => name.toLowerCase()),
    handler,
    match: match && { ...match, on: match.on ?? usualPlace(written) },
    checks: written.checks ?? (hasOnlyTitle(written) ? [{ type: 'plan' }] : []),
    message: written.message ?? title,
    waivable: !isHard && (written.waivable ?? rung.priority !== 'P0'),
  };
  const isWeak = isWeaker(handler, rung.handler);
  const notes = [
    ...(isHard && written.waivable === true
      ? [
          `${id}: a hard constraint is waived only with \`signed_by\`, or by you at a halt; \`waivable: true\` is not gone by`,
        ]
      : []),
    ...(isWeak && reason !== undefined
      ? [`${id}: ${handler} is weaker than ${severity} asks for (${rung.handler}): ${reason}`]
      : []),
  ];
  return { rule, faults: faultsOf(written, rule, ladder), notes };
}

/** A rule that consists of its title is meant by it, as one with a body is by its body. */
const hasOnlyTitle = (written: WrittenRule): boolean =>
  written.title !== undefined &&
  [written.match, written.content, written.action_text, written.enforcement_expression].every(
    (part) => part === undefined,
  ) &&
  written.metadata['metric_threshold'] === undefined;

type Narrowing = Pick<Rule, 'phase' | 'action_text' | 'enforcement_expression'> & {
  readonly match?: WrittenRule['match'];
};

/** Where a rule looks that names no place: a `match` that only narrows means answers; the review phase looks at what is reviewed. */
function usualPlace({ match, phase, action_text: action, enforcement_expression: expression }: Narrowing): RulePlace {
  const isNarrowing = [match?.pattern, match?.not_pattern, match?.keywords, match?.file_patterns].every(
    (part) => part === undefined,
  );
  if (isNarrowing && (action !== undefined || expression !== undefined)) return 'response';
  return phase.length === 1 && phase[0] === 'REVIEW' ? 'review' : 'added_lines';
}

function faultsOf(written: WrittenRule, rule: Rule, ladder: Ladder): RuleRemark[] {
  const faults: RuleRemark[] = [];
  const rung = ladder[rule.severity];
  if (written.priority !== undefined && written.priority !== rung.priority)
    faults.push({
      path: ['priority'],
      message: `priority ${written.priority} does not agree with severity ${rule.severity}, which is ${rung.priority}`,
      remedy: 'remove the priority, or correct one of the two',
    });
  if (isWeaker(rule.handler, rung.handler) && written.allow_weaker_handler === undefined)
    faults.push({
      path: ['handler'],
      message: `the handler ${rule.handler} is weaker than severity ${rule.severity} asks for (${rung.handler})`,
      remedy: 'choose a stricter handler or a lower severity, or give the reason in `allow_weaker_handler`',
    });
  if (rule.is_hard_constraint && !rung.mayBeHard)
    faults.push({
      path: ['is_hard_constraint'],
      message: `a rule of severity ${rule.severity} cannot be a hard constraint`,
      remedy: 'raise the severity to HIGH or CRITICAL, or remove is_hard_constraint',
    });
  return faults;
}
