import type { Handed } from '../../inspection/engine/context-subject.ts';
import type { EngineAnswer } from '../../inspection/engine/rule-engine.ts';
import type { Request } from '../../record/request.ts';

/** Has the journal's writer count an answer to a reminder; returns how often it was ignored so far. */
export type AnswerHook = (answer: Omit<Extract<Request, { do: 'hook' }>, 'do'>) => Promise<number>;

/** What became of an answer to a reminder. */
interface CountedHook {
  readonly rule_id: string;
  readonly answer: 'IGNORE' | 'COMPLY';
  /** What the text showed; null where it counts as nothing. */
  readonly action: 'IGNORED' | 'COMPLIED' | null;
  readonly ignore_count: number | null;
  /** Why it counts as nothing, or is not accepted. */
  readonly why: string | null;
}

/**
 * Counts the answers that an agent outside gives to reminders (`context.hooks`) by the text that it hands over with them, as
 * on the line: what is still found is ignored, whatever was answered, and what is gone is complied with. An IGNORE that the
 * rule does not allow is refused; that it was not done counts all the same.
 */
export async function countHooks(
  { inspection, rules }: EngineAnswer,
  { hooks, digest, context }: Handed,
  answerHook: AnswerHook,
): Promise<readonly CountedHook[]> {
  const counted: CountedHook[] = [];
  for (const [id, answer] of hooks) {
    const rule = rules.get(id);
    const isFound = inspection.findings.some(
      (one) => one.rule === id && one.status === 'VIOLATED' && one.suppressed === undefined,
    );
    const isKept = inspection.results.some((one) => one.rule === id && one.status === 'PASS');
    const why =
      rule === undefined
        ? 'there is no such rule'
        : rule.handler !== 'SOFT_HOOK'
          ? `it is no reminder (${rule.handler})`
          : isFound || isKept
            ? null
            : 'it does not check the input';
    const action = isFound ? 'IGNORED' : 'COMPLIED';
    const ignored =
      why === null
        ? await answerHook({
            rule: id,
            action,
            answer,
            by: (context.agentType ?? 'unknown').slice(0, 100),
            text: digest,
          })
        : null;
    const isRefused = why === null && isFound && answer === 'IGNORE' && rule?.soft_hooks?.can_be_ignored === false;
    counted.push({
      rule_id: id,
      answer,
      action: why === null ? action : null,
      ignore_count: ignored,
      why: isRefused ? 'it may not be ignored (can_be_ignored: false): do what it asks for' : why,
    });
  }
  return counted;
}
