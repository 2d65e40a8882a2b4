import type { InspectionContext, RuleMatch, Subject } from '../model/inspection.ts';
import type { Rule, RuleCheck, RuleRemark } from '../model/rule.ts';

export interface CheckTools {
  readonly context: InspectionContext;
  /** One question to a language model; absent where none may be asked. */
  readonly ask?: AskModel;
  /** Where words decide, no model is asked. */
  readonly asksOnlyDoubts?: boolean;
  /** One question about variables of a text, answered with plain data by name; absent where no model may be asked. */
  readonly extract?: (rule: Rule, names: readonly string[], text: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Asks a judge about a response and a rule that nothing can compute; absent without a judge. */
  readonly judge?: (rule: Rule, text: string) => Promise<RuleMatch>;
  readonly evaluatesExpressions?: boolean;
}

/** A language model's schema-bound answer about one rule; anything else than a valid answer is UNDECIDED. */
export type AskModel = (rule: Rule, text: string) => Promise<RuleMatch>;

/**
 * One kind of check: looks whether `subject` keeps `rule`. An empty list means that it has nothing to say here
 * (NOT_APPLICABLE). A check never throws for what a subject holds; what it could not check is an ERROR match.
 */
export interface Check {
  readonly type: string;
  /** The settings that it has; another one is noted when the rulebook is loaded. */
  readonly keys: readonly string[];
  /**
   * Which files it looks into, whatever is chosen by `only`: one of these that cannot be read does not keep the rule.
   * Absent where it judges no contents of files.
   */
  readonly reads?: (path: string, only?: readonly string[]) => boolean;
  /** The faults of a rule's own settings for this check, found when the rulebook is loaded; empty when it is sound. */
  readonly lint: (check: RuleCheck, rule: Rule) => readonly RuleRemark[];
  readonly run: (
    check: RuleCheck,
    rule: Rule,
    subject: Subject,
    tools: CheckTools,
  ) => Promise<readonly RuleMatch[]> | readonly RuleMatch[];
}
