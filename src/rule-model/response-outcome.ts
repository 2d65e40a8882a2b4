import type { ViolationType } from './rule-words.ts';

/** One failure of a response, as its author sees it. */
export interface ConstraintViolation {
  /** Null where it is no rule's, but that of relevance or grounding. */
  readonly rule_id: string | null;
  readonly rule_name: string;
  readonly violation_type: ViolationType | 'rule_violated';
  readonly details: string;
}

/** What came of a response: whether it may be delivered, and what is delivered in its place. */
export interface ResponseOutcome {
  /** Whether what is delivered, or what was given where nothing is, holds. */
  readonly passed: boolean;
  /** Of the last text that was written for the question; they stay also where a fallback is delivered. */
  readonly violations: readonly ConstraintViolation[];
  /** Undecided rules, one sentence each: never delivered in silence. */
  readonly unverified: readonly string[];
  /** Number of regenerations. */
  readonly attempts: number;
  readonly fallback_used: boolean;
  /** The very text that was checked; null where none may be delivered. */
  readonly delivered: { readonly text: string; readonly from: 'response' | 'regenerated' | 'fallback' } | null;
  /** Nothing may be delivered: a human decides. */
  readonly escalated: boolean;
}
