/** How what agents say to each other is checked, one part for each guard; names as in the configuration, in camel case. */
export interface MessageSettings {
  /** The master switch of the guards on messages between agents. */
  readonly enabled: boolean;
  /** Maximum rejected messages in one turn, over all guards. */
  readonly maxTotalRetries: number;
  readonly responseValidator: {
    readonly enabled: boolean;
    /** The share of praise and empty confirmation, 0 to 1, that a message may hold. */
    readonly flatteryThreshold: number;
    readonly maxRetries: number;
    /** Further words of praise, in any language; they are added to those that andon knows. */
    readonly patterns: readonly string[];
    /** Terms in which a word of praise praises nothing, such as `perfect hash`. */
    readonly technicalTerms: readonly string[];
  };
  readonly reviewGate: {
    readonly enabled: boolean;
    readonly requireEvidence: boolean;
    /** Rejections before the approval becomes NEEDS_REVIEW. */
    readonly downgradeAfterRetries: number;
  };
  readonly scopeGuard: {
    readonly enabled: boolean;
    /** Unexpected files from which it is NEEDS_REVIEW instead of a WARNING. */
    readonly violationThreshold: number;
    /** Globs of files that may change beside those that are expected. */
    readonly allowedPatterns: readonly string[];
    readonly mode: 'warn' | 'block';
  };
  readonly todoTracker: { readonly enabled: boolean; readonly reminderOnIncomplete: boolean };
}

/** The defaults: everything is on; thresholds and retries as the seed of this layer has them. */
export const STANDARD_MESSAGES: MessageSettings = {
  enabled: true,
  maxTotalRetries: 3,
  responseValidator: { enabled: true, flatteryThreshold: 0.2, maxRetries: 2, patterns: [], technicalTerms: [] },
  reviewGate: { enabled: true, requireEvidence: true, downgradeAfterRetries: 2 },
  scopeGuard: {
    enabled: true,
    violationThreshold: 3,
    allowedPatterns: ['*.test.*', '*.spec.*'],
    mode: 'block',
  },
  todoTracker: { enabled: true, reminderOnIncomplete: true },
};
