import type { Complexity } from './task-contract-shape.ts';

/** What a complexity sets when the contract does not name it: rebuttals, review cycles, US dollars. */
export const COMPLEXITY_LIMITS: Readonly<Record<Complexity, { rebuttals: number; reviewCycles: number; usd: number }>> =
  {
    trivial: { rebuttals: 1, reviewCycles: 2, usd: 0.25 },
    minor: { rebuttals: 2, reviewCycles: 5, usd: 0.5 },
    major: { rebuttals: 4, reviewCycles: 8, usd: 2 },
    critical: { rebuttals: 6, reviewCycles: 10, usd: 5 },
  };

/** The limits of a contract that names neither them nor a complexity; a hung agent shows within ten minutes. */
export const DEFAULT_LIMITS = {
  rebuttals: 2,
  reviewCycles: 5,
  timeoutMinutes: 10,
  maxDiffSize: 200,
  /** Nobody reviews more of them with care; lines alone do not count empty files. */
  maxFiles: 100,
  maxDeleteRatio: 0.05,
  /** Answers of an implementer that may be refused in a row. */
  refusedAnswers: 3,
  /** The first stall halts in 1.0; 2.0 has a two-strike rule. */
  maxStalls: { '1.0': 0, '2.0': 1 },
} as const;
