import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, once, writes } from './scenario.ts';

const RULE = `schema: andon.rules/v1
rules:
  - id: no-draft
    version: "1.0.0"
    title: No drafts
    severity: CRITICAL
    category: docs
    phase: IMPLEMENTATION
    match: { on: added_lines, pattern: 'DRAFT' }
    message: A document that is merged is no draft
`;
const files = { '.andon/rules/drill.yaml': RULE };
const draft = `${FINAL}\nDRAFT\n`;
const [bad, good] = [writes({ [TARGET]: draft }), writes({ [TARGET]: FINAL })];

/** A P0 rule stops the line before any gate or reviewer sees the change. */
export const ruleViolation: Drill = {
  name: 'rule_violation',
  breaker: 'rule_violation',
  injects: 'a change that a P0 rule of the project forbids',
  situations: [
    {
      injects: 'a document with the word that the rule forbids',
      files,
      agents: { implementer: [once(bad), good] },
      halt: {
        breaker: 'rule_violation',
        says: `[no-draft] ${TARGET}`,
        figures: { 'implementer calls': 1, 'reviewer calls': 0, 'judge calls': 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { 'implementer calls': 2 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'the same; the human waives it once, with a reason',
      files,
      agents: { implementer: [bad] },
      halt: { breaker: 'rule_violation', says: 'no draft', path: 2 },
      end: { status: 'merged', figures: { 'implementer calls': 1 }, holds: { [TARGET]: draft } },
    },
    {
      injects: 'one step below: the same rule as P1 is a quick fix',
      files: { '.andon/rules/drill.yaml': RULE.replace('CRITICAL', 'HIGH') },
      agents: { implementer: [once(bad), good] },
      end: {
        status: 'merged',
        figures: { 'implementer calls': 2, 'reviewer calls': 1, 'review cycles': 0 },
        holds: { [TARGET]: FINAL },
      },
    },
  ],
};
