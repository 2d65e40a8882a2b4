import { z } from 'zod';
import { optionalKey } from '../../base/optional.ts';
import { toCamelKeys } from '../../base/letter-case.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';
import { STANDARD_MESSAGES, type MessageSettings } from './standard-messages.ts';

const retries = (): z.ZodInt => z.int().min(0).max(10);
const terms = () => z.array(z.string().trim().min(1).max(100)).max(500);

function mustBeGlob(glob: string, context: z.RefinementCtx): void {
  const fault = checkGlobPattern(glob);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
}

/** The keys of `enforcement` for messages between agents. */
export const messageFields = () => ({
  enabled: optionalKey(
    z.boolean(),
    'Whether what agents say to each other is checked at all: the master switch of the four guards below. Default: true.',
  ),
  max_total_retries: optionalKey(
    retries(),
    'Messages of one turn that go back in all, whichever guard objects. Default: 3.',
  ),
  response_validator: optionalKey(
    z.strictObject({
      enabled: optionalKey(z.boolean(), 'Whether it is asked. Default: true.'),
      flattery_threshold: optionalKey(
        z.number().min(0).max(1),
        'The share of a message that may be praise and empty confirmation, 0 to 1. Default: 0.2.',
      ),
      max_retries: optionalKey(retries(), 'Refusals after which a message is passed on with a warning. Default: 2.'),
      patterns: optionalKey(
        z.strictObject({
          korean: optionalKey(terms(), 'Korean stems, each with any ending.'),
          english: optionalKey(terms(), 'English words and phrases, in any case.'),
          chinese: optionalKey(terms(), 'Chinese words.'),
        }),
        'Further words of praise, as they stand; they are added to those that andon knows.',
      ),
      technical_terms: optionalKey(
        terms(),
        'Terms in which a word of praise praises nothing, such as `excellent mode`.',
      ),
    }),
    'Messages that praise and confirm instead of reporting.',
  ),
  review_gate: optionalKey(
    z.strictObject({
      enabled: optionalKey(z.boolean(), 'Whether it is asked. Default: true.'),
      require_evidence: optionalKey(z.boolean(), 'Whether an approval needs evidence. Default: true.'),
      downgrade_after_retries: optionalKey(
        retries(),
        'Refusals after which the verdict becomes NEEDS_REVIEW. Default: 2.',
      ),
    }),
    'Approvals without evidence.',
  ),
  scope_guard: optionalKey(
    z.strictObject({
      enabled: optionalKey(z.boolean(), 'Whether it is asked. Default: true.'),
      violation_threshold: optionalKey(
        z.int().min(1).max(1000),
        'This many unexpected files are NEEDS_REVIEW, fewer a WARNING. Default: 3.',
      ),
      allowed_patterns: optionalKey(
        z.array(z.string().superRefine(mustBeGlob)).max(200),
        'Globs of files that may change beside the expected ones. Default: *.test.* and *.spec.*.',
      ),
      mode: optionalKey(
        z.enum(['warn', 'block']),
        'block: NEEDS_REVIEW is exit 1; warn: it is only reported. Default: block.',
      ),
    }),
    'Files that change unexpectedly. The contract decides what a task may write; this setting does not.',
  ),
  todo_tracker: optionalKey(
    z.strictObject({
      enabled: optionalKey(z.boolean(), 'Whether it is asked. Default: true.'),
      reminder_on_incomplete: optionalKey(
        z.boolean(),
        'Whether the remaining budget is reported at the end of a turn. Default: true.',
      ),
    }),
    'What of a checklist is done.',
  ),
});

type Written = {
  readonly [Key in keyof ReturnType<typeof messageFields>]?: z.infer<ReturnType<typeof messageFields>[Key]>;
};

/** A project's settings of messages, over the defaults. */
export function toMessages({
  enabled,
  max_total_retries: maxTotalRetries,
  response_validator: { patterns = {}, ...validator } = {},
  review_gate: gate = {},
  scope_guard: scope = {},
  todo_tracker: todos = {},
}: Written = {}): MessageSettings {
  const usual = STANDARD_MESSAGES;
  return {
    enabled: enabled ?? usual.enabled,
    maxTotalRetries: maxTotalRetries ?? usual.maxTotalRetries,
    responseValidator: {
      ...usual.responseValidator,
      ...toCamelKeys(validator),
      patterns: Object.values(patterns).flatMap((listed) => listed ?? []),
    },
    reviewGate: { ...usual.reviewGate, ...toCamelKeys(gate) },
    scopeGuard: { ...usual.scopeGuard, ...toCamelKeys(scope) },
    todoTracker: { ...usual.todoTracker, ...toCamelKeys(todos) },
  };
}
