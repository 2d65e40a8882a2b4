/** Whether a plan does first what a rule wants last: the rule says `after`, the plan `before`, or the other way round. */
export function isReversed(rule: string, plan: string): boolean {
  const [ruleBefore, ruleAfter] = [BEFORE.test(rule), AFTER.test(rule)];
  const [planBefore, planAfter] = [BEFORE.test(plan), AFTER.test(plan)];
  return (
    (ruleAfter && !ruleBefore && planBefore && !planAfter) || (ruleBefore && !ruleAfter && planAfter && !planBefore)
  );
}

const BEFORE = /\bbefore\b|(?:하기|되기)?\s?전에|之前/iu;
const AFTER = /\b(?:after|afterwards)\b|(?:한|된)\s?(?:뒤|후|다음)|之后|以后/iu;
