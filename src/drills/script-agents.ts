import type { Scripted } from './drill.ts';
import { TARGET } from './sample.ts';
import { finding, issue, judges, reviewPasses, says, writes, type Call, type Stations } from './scenario.ts';

/** Expands the short answers of a drill's file for the stand-ins. */
export const scriptAgents = ({ implementer, reviewer, judge }: Scripted): Stations => ({
  ...(implementer && {
    implementer: implementer.map(({ writes: texts, says: words, ...more }) =>
      texts === undefined
        ? says(words ?? '', more)
        : writes(typeof texts === 'string' ? { [TARGET]: texts } : texts, more),
    ),
  }),
  ...(reviewer && {
    reviewer: reviewer.map(({ verdict, critical = false, findings = [], ...more }) =>
      reviewPasses({
        structured: {
          verdict,
          critical_security_flaw: critical,
          findings: findings.map((one) => inFull(one, finding)),
        },
        ...more,
      }),
    ),
  }),
  ...(judge && {
    judge: judge.map(({ verdict, issues, report, ...more }) =>
      verdict === undefined
        ? more
        : judges(
            verdict,
            { ...(issues && { blocking_issues: issues.map((one) => inFull(one, issue)) }), ...report },
            more,
          ),
    ),
  }),
});

/** A finding or a blocking issue; a text is its description. */
function inFull(one: string | Call, make: (description: string, more?: Call) => Call): Call {
  if (typeof one === 'string') return make(one);
  const { description, ...more } = one;
  return make(String(description), more);
}
