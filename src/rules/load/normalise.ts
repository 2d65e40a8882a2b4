import type { Rule, WrittenRule } from '../model/rule.ts';
import type { RulePlace } from '../model/rule-words.ts';
import type { Ladder } from '../enforce/ladder.ts';

/** Fills in the defaults that follow from other keys and from the ladder. */
export function normalise(written: WrittenRule, ladder: Ladder, category = 'general'): Rule {
  const rung = ladder[written.severity];
  const { id, is_hard_constraint: isHard, match } = written;
  const title = written.title ?? written.message ?? id;
  return {
    ...written,
    title,
    priority: rung.priority,
    modality: written.modality ?? rung.modality,
    category: written.category ?? category,
    stack: written.stack.map((name) => name.toLowerCase()),
    handler: written.handler ?? rung.handler,
    match: match && { ...match, on: match.on ?? usualPlace(written) },
    checks: written.checks ?? (hasOnlyTitle(written) ? [{ type: 'plan' }] : []),
    message: written.message ?? title,
    waivable: !isHard && (written.waivable ?? rung.priority !== 'P0'),
  };
}

/** A rule that consists of its title is meant by it, as one with a body is by its body. */
const hasOnlyTitle = (written: WrittenRule): boolean =>
  written.title !== undefined &&
  [written.match, written.content, written.action_text, written.enforcement_expression].every(
    (part) => part === undefined,
  ) &&
  written.metadata['metric_threshold'] === undefined;

/** Where a rule looks that names no place: a `match` that only narrows means answers; the review phase looks at what is reviewed. */
function usualPlace({ match, phase, action_text: action, enforcement_expression: expression }: WrittenRule): RulePlace {
  const isNarrowing = [match?.pattern, match?.not_pattern, match?.keywords, match?.file_patterns].every(
    (part) => part === undefined,
  );
  if (isNarrowing && (action !== undefined || expression !== undefined)) return 'response';
  return phase.length === 1 && phase[0] === 'REVIEW' ? 'review' : 'added_lines';
}
