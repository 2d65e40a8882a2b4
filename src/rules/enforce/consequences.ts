import type { Rule } from '../../rule-model/rule.ts';
import type { RulePriority } from '../../rule-model/rule-words.ts';
import { LADDER, getRung, type Ladder } from './ladder.ts';

/** Consequences of a violation in addition to its handler, unless its action implies them. */
export interface Consequences {
  /** A human is notified, although nothing halts. */
  readonly notify?: true;
  /** Whether the attempt is set aside, so that the work begins again from the target. */
  readonly rollback?: boolean;
  /** What it adds to the iterations of the task; `MAX` ends them. */
  readonly penalty?: number | 'MAX';
}

/**
 * What `priority_mapping`, or the rule itself, says of a violation. A halt tells a human in any case, and goes back to the
 * target by default; everything else does neither by default.
 */
export function findConsequences(
  rule: Pick<Rule, 'notify_human' | 'rollback' | 'iteration_penalty'>,
  priority: RulePriority,
  isStop: boolean,
  ladder: Ladder = LADDER,
): Consequences {
  const [rung, usual] = [getRung(priority, ladder), getRung(priority)];
  const notify = rule.notify_human ?? rung.notifyHuman;
  const goesBack = rule.rollback ?? (isStop && rung.rollback === usual.rollback ? true : rung.rollback);
  const penalty =
    rule.iteration_penalty ?? (rung.iterationPenalty === usual.iterationPenalty && isStop ? 0 : rung.iterationPenalty);
  return {
    ...(notify && !isStop ? { notify } : {}),
    ...(goesBack === isStop ? {} : { rollback: goesBack }),
    ...(penalty === 0 || (isStop && penalty === 'MAX') ? {} : { penalty }),
  };
}
