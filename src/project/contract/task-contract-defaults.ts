/** The complexity of a task; it sets the missing limits. */
export const COMPLEXITIES = ['trivial', 'minor', 'major', 'critical'] as const;
export type Complexity = (typeof COMPLEXITIES)[number];

/** The limits of a contract that names a complexity and not the limit. */
export const COMPLEXITY_LIMITS: Readonly<
  Record<Complexity, { max_rebuttals: number; max_review_cycles: number; budget_usd: number }>
> = {
  trivial: { max_rebuttals: 1, max_review_cycles: 2, budget_usd: 0.25 },
  minor: { max_rebuttals: 2, max_review_cycles: 5, budget_usd: 0.5 },
  major: { max_rebuttals: 4, max_review_cycles: 8, budget_usd: 2 },
  critical: { max_rebuttals: 6, max_review_cycles: 10, budget_usd: 5 },
};

/** The limits without a complexity; a hung agent is noticed within ten minutes. */
export const DEFAULT_CONTRACT_LIMITS = {
  rebuttals: 2,
  reviewCycles: 5,
  timeoutMinutes: 10,
  maxDiffSize: 200,
  /** More files cannot be reviewed with care; lines alone do not count empty files. */
  maxFiles: 100,
  maxDeleteRatio: 0.05,
  /** Refused answers of an implementer in a row. */
  refusedAnswers: 3,
  /** The first stall halts in 1.0; 2.0 has a two-strike rule. */
  maxStalls: { '1.0': 0, '2.0': 1 },
} as const;
