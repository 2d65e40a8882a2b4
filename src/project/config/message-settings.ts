import { z } from 'zod';
import { keyWithDefault, optionalKey, sectionKey } from '../../base/optional.ts';
import { lazy } from '../../base/lazy.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';

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
    true,
    'Whether what agents say to each other is checked at all: the master switch of the four guards below.',
  ),
  max_total_retries: keyWithDefault(retries(), 3, 'Messages of one turn that go back in all, whichever guard objects.'),
  response_validator: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), true, 'Whether it is asked.'),
      flattery_threshold: keyWithDefault(
        z.number().min(0).max(1),
        0.2,
        'The share of a message that may be praise and empty confirmation, 0 to 1.',
      ),
      max_retries: keyWithDefault(retries(), 2, 'Refusals after which a message is passed on with a warning.'),
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
      enabled: keyWithDefault(z.boolean(), true, 'Whether it is asked.'),
      require_evidence: keyWithDefault(z.boolean(), true, 'Whether an approval needs evidence.'),
      downgrade_after_retries: keyWithDefault(retries(), 2, 'Refusals after which the verdict becomes NEEDS_REVIEW.'),
    }),
    'Approvals without evidence.',
  ),
  scope_guard: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), true, 'Whether it is asked.'),
      violation_threshold: keyWithDefault(
        z.int().min(1).max(1000),
        3,
        'This many unexpected files are NEEDS_REVIEW, fewer a WARNING.',
      ),
      allowed_patterns: keyWithDefault(
        z.array(z.string().superRefine(mustBeGlob)).max(200),
        ['*.test.*', '*.spec.*'],
        'Globs of files that may change beside the expected ones.',
      ),
      mode: keyWithDefault(
        z.enum(['warn', 'block']),
        'block',
        'block: NEEDS_REVIEW is exit 1; warn: it is only reported.',
      ),
    }),
    'Files that change unexpectedly. The contract decides what a task may write; this setting does not.',
  ),
  todo_tracker: sectionKey(
    z.strictObject({
      enabled: keyWithDefault(z.boolean(), true, 'Whether it is asked.'),
      reminder_on_incomplete: keyWithDefault(
        z.boolean(),
        true,
        'Whether the remaining budget is reported at the end of a turn.',
      ),
    }),
    'What of a checklist is done.',
  ),
});

/** A project's settings of messages, defaults filled in. */
export type MessageSettings = {
  readonly [Key in keyof ReturnType<typeof messageFields>]: z.output<ReturnType<typeof messageFields>[Key]>;
};

/** The settings where a configuration says nothing: everything is on. */
export const standardMessages = lazy((): MessageSettings => z.strictObject(messageFields()).parse({}));
