/** How what agents say to each other is checked, one part for each guard; names as in the configuration, in camel case. */
export type MessageSettings = Readonly<typeof STANDARD_MESSAGES>;

/** The defaults: everything is on; thresholds and retries as the seed of this layer has them. */
export const STANDARD_MESSAGES = {
  /** The master switch of the guards on messages between agents. */
  enabled: true as boolean,
  /** Maximum rejected messages in one turn, over all guards. */
  maxTotalRetries: 3,
  responseValidator: {
    enabled: true as boolean,
    flatteryThreshold: 0.2,
    maxRetries: 2,
    /** Further words of praise, in any language; they are added to those that andon knows. */
    patterns: [] as readonly string[],
    technicalTerms: [] as readonly string[],
  },
  reviewGate: { enabled: true as boolean, requireEvidence: true as boolean, downgradeAfterRetries: 2 },
  scopeGuard: {
    enabled: true as boolean,
    violationThreshold: 3,
    allowedPatterns: ['*.test.*', '*.spec.*'] as readonly string[],
    mode: 'block' as 'warn' | 'block',
  },
  todoTracker: { enabled: true as boolean, reminderOnIncomplete: true as boolean },
};
