/**
 * How what agents say to each other is checked where a configuration says nothing: everything is on; thresholds and
 * retries as the seed of this layer has them. `messageFields` explains each key.
 */
export const STANDARD_MESSAGES = {
  enabled: true,
  maxTotalRetries: 3,
  responseValidator: {
    enabled: true,
    flatteryThreshold: 0.2,
    maxRetries: 2,
    patterns: [] as readonly string[],
    technicalTerms: [] as readonly string[],
  },
  reviewGate: { enabled: true, requireEvidence: true, downgradeAfterRetries: 2 },
  scopeGuard: {
    enabled: true,
    violationThreshold: 3,
    allowedPatterns: ['*.test.*', '*.spec.*'] as readonly string[],
    mode: 'block' as 'warn' | 'block',
  },
  todoTracker: { enabled: true, reminderOnIncomplete: true },
};

export type MessageSettings = Readonly<typeof STANDARD_MESSAGES>;
