import { z } from 'zod';
import { keyWithDefault, optionalKey, sectionKey } from '../../base/optional.ts';
import { toCamelKeys } from '../../base/letter-case.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';
import { STANDARD_MESSAGES as usual, type MessageSettings } from './standard-messages.ts';

const retries = (): z.ZodInt => z.int().min(0).max(10);
const terms = () => z.array(z.string().trim().min(1).max(100)).max(500);

function mustBeGlob(glob: string, context: z.RefinementCtx): void {
  const fault = checkGlobPattern(glob);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
}

/** The keys of `enforcement` for messages between agents. */
export const messageFields = () => ({
  enabled: keyWithDefault(
    z.boolean(),
    usual.enabled,
    'Whether what agents say to each other is checked at all: the master switch of the four guards below.',
  ),
  max_total_retries: keyWithDefault(
    retries(),
    usual.maxTotalRetries,
    'Messages of one turn that go back in all, whichever guard objects.',
  ),
  response_validator: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), usual.responseValidator.enabled, 'Whether it is asked.'),
      flattery_threshold: keyWithDefault(
        z.number().min(0).max(1),
        usual.responseValidator.flatteryThreshold,
        'The share of a message that may be praise and empty confirmation, 0 to 1.',
      ),
      max_retries: keyWithDefault(
        retries(),
        usual.responseValidator.maxRetries,
        'Refusals after which a message is passed on with a warning.',
      ),
      patterns: sectionKey(
        z.strictObject({
          korean: optionalKey(terms(), 'Korean stems, each with any ending.'),
          english: optionalKey(terms(), 'English words and phrases, in any case.'),
          chinese: optionalKey(terms(), 'Chinese words.'),
        }),
        'Further words of praise, as they stand; they are added to those that andon knows.',
      ),
      technical_terms: keyWithDefault(
        terms(),
        [],
        'Terms in which a word of praise praises nothing, such as `excellent mode`.',
      ),
    }),
    'Messages that praise and confirm instead of reporting.',
  ),
  review_gate: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), usual.reviewGate.enabled, 'Whether it is asked.'),
      require_evidence: keyWithDefault(
        z.boolean(),
        usual.reviewGate.requireEvidence,
        'Whether an approval needs evidence.',
      ),
      downgrade_after_retries: keyWithDefault(
        retries(),
        usual.reviewGate.downgradeAfterRetries,
        'Refusals after which the verdict becomes NEEDS_REVIEW.',
      ),
    }),
    'Approvals without evidence.',
  ),
  scope_guard: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), usual.scopeGuard.enabled, 'Whether it is asked.'),
      violation_threshold: keyWithDefault(
        z.int().min(1).max(1000),
        usual.scopeGuard.violationThreshold,
        'This many unexpected files are NEEDS_REVIEW, fewer a WARNING.',
      ),
      allowed_patterns: keyWithDefault(
        z.array(z.string().superRefine(mustBeGlob)).max(200),
        [...usual.scopeGuard.allowedPatterns],
        'Globs of files that may change beside the expected ones.',
      ),
      mode: keyWithDefault(
        z.enum(['warn', 'block']),
        usual.scopeGuard.mode,
        'block: NEEDS_REVIEW is exit 1; warn: it is only reported.',
      ),
    }),
    'Files that change unexpectedly. The contract decides what a task may write; this setting does not.',
  ),
  todo_tracker: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), usual.todoTracker.enabled, 'Whether it is asked.'),
      reminder_on_incomplete: keyWithDefault(
        z.boolean(),
        usual.todoTracker.reminderOnIncomplete,
        'Whether the remaining budget is reported at the end of a turn.',
      ),
    }),
    'What of a checklist is done.',
  ),
});

type Messages = {
  readonly [Key in keyof ReturnType<typeof messageFields>]: z.output<ReturnType<typeof messageFields>[Key]>;
};

/** A project's settings of messages. */
export const toMessages = (written: Messages): MessageSettings => ({
  enabled: written.enabled,
  maxTotalRetries: written.max_total_retries,
  responseValidator: {
    ...toCamelKeys(written.response_validator),
    patterns: Object.values(written.response_validator.patterns).flatMap((listed) => listed ?? []),
  },
  reviewGate: toCamelKeys(written.review_gate),
  scopeGuard: toCamelKeys(written.scope_guard),
  todoTracker: toCamelKeys(written.todo_tracker),
});
