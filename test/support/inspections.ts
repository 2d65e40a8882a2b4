import type { Inspection, RuleFinding, RuleMatch, RuleResult } from '../../src/rules/model/inspection.ts';

/** What a check found out. */
export const aMatch = (part: Partial<RuleMatch> = {}): RuleMatch => ({
  layer: 'exact',
  status: 'VIOLATED',
  confidence: 1,
  reason: 'it is broken',
  places: [],
  ...part,
});

/** What became of a rule. */
export const aResult = (part: Partial<RuleResult> = {}): RuleResult => ({
  rule: 'R-1',
  title: 'No rule is broken',
  modality: 'MUST',
  severity: 'HIGH',
  status: 'VIOLATED',
  confidence: 1,
  reason: 'it is broken',
  layers: [],
  ...part,
});

/** One violation. */
export const aFinding = (part: Partial<RuleFinding> = {}): RuleFinding => ({
  rule: 'R-1',
  title: 'No rule is broken',
  severity: 'HIGH',
  priority: 'P1',
  modality: 'MUST',
  handler: 'QUICK_FIX',
  hard: false,
  status: 'VIOLATED',
  message: 'It is broken here',
  reason: 'it is broken',
  confidence: 1,
  file: 'src/a.ts',
  line: 3,
  excerpt: 'const a = broken;',
  fingerprint: 'f'.repeat(64),
  ...part,
});

/** A whole inspection, as reporters are given it. */
export const anInspection = (part: Partial<Inspection> = {}): Inspection => ({
  surface: 'ci',
  mode: 'strict',
  threshold: 70,
  subject: 'the change since origin/main (2 files)',
  results: [aResult()],
  findings: [aFinding()],
  score: 0,
  exit: 1,
  because: ['1 MUST rule is violated: R-1'],
  faults: [],
  warnings: [],
  trace: [],
  ...part,
});
