import type { InspectionContext, Subject, SubjectFile } from '../../src/rules/model/inspection.ts';
import type { Rule, RuleCheck } from '../../src/rules/model/rule.ts';

/** A rule in which only what a test is about is written out. */
export function aRule(fields: Partial<Rule> = {}): Rule {
  return {
    id: 'R-1',
    version: '1.0.0',
    title: 'No rule is broken',
    severity: 'HIGH',
    priority: 'P1',
    modality: 'MUST',
    category: 'general',
    tags: [],
    stack: [],
    phase: ['IMPLEMENTATION'],
    handler: 'QUICK_FIX',
    scope: 'GLOBAL',
    is_hard_constraint: false,
    checks: [],
    on_missing: 'not_applicable',
    message: 'It is broken here',
    agents: ['all'],
    attached_tool_ids: [],
    waivable: true,
    tests: { violates: [], passes: [] },
    metadata: {},
    ...fields,
  };
}

/** A rule with one check. */
export const aRuleWith = (check: RuleCheck): Rule => aRule({ checks: [check] });

/** A changed file of which every line is new, or those lines alone that are named. */
export function aFile(
  path: string,
  content: string,
  { added, ...fields }: Partial<Omit<SubjectFile, 'added'>> & { readonly added?: readonly number[] } = {},
): SubjectFile {
  const lines = content.split('\n').map((text, at) => ({ line: at + 1, text }));
  return {
    path,
    change: 'modified',
    binary: false,
    content,
    added: lines.filter(({ line }) => added?.includes(line) ?? true),
    ...fields,
  };
}

/** Files, and perhaps prose, that rules are applied to. */
export const aSubject = (files: readonly SubjectFile[], fields: Partial<Subject> = {}): Subject => ({
  files,
  ...fields,
});

/** A moment at which nothing else is known. */
export const CONTEXT: InspectionContext = { now: '2026-01-01T00:00:00.000Z' };
