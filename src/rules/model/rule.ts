import { z } from 'zod';
import type { JsonPath } from '../../base/fault.ts';
import { lazy } from '../../base/lazy.ts';
import { isVersion } from '../../base/find-version.ts';
import { VARIABLE_NAME, type RuleFault, type RuleSource } from '../../project/config/rule-fault.ts';
import {
  HANDLERS,
  MODALITIES,
  PHASES,
  PLACES,
  PRIORITIES,
  QUICK_FIX_TYPES,
  RULE_SCOPES,
  RULE_SEVERITIES,
  type RulePlace,
} from './rule-words.ts';

/** A word of a list, whatever its case; JSON Schema shows the list. */
export const ruleWord = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess((given) => (typeof given === 'string' ? given.trim().toUpperCase() : given), z.enum(words));

const text = lazy(() => z.string().max(20_000).describe('text'));
/** Text that is not blank. */
export const ruleLine = lazy(() => z.string().trim().min(1).max(2000).describe('text that is not blank'));
const names = lazy(() => z.array(z.string().min(1).max(200)).max(200).describe('a list of names'));
/** What the line does about a violation. */
export const handlerWord = lazy(() =>
  ruleWord(HANDLERS).describe('TERMINATE, QUICK_FIX, LOG_ONLY or SOFT_HOOK. Default: by severity'),
);
const phaseWord = lazy(() => ruleWord(PHASES).describe('ANALYSIS, TASKS, IMPLEMENTATION, REVIEW or TEST'));

const globs = lazy(() =>
  z
    .union([z.array(z.string().min(1).max(500)).max(200), z.string().min(1).max(500)])
    .transform((written) => [written].flat())
    .describe('globs such as *.ts or src/**; one without a slash matches in every folder'),
);

/** A regular expression; a backslash in double quotes shows by the control character that YAML makes of it. */
const pattern = lazy(() =>
  z
    .string()
    .min(1)
    .max(2048)
    .refine((value) => !/\p{Cc}/u.test(value), {
      message: 'it holds a control character, as "\\b" in double quotes makes one',
      params: { remedy: 'use single quotes for regular expressions: there a backslash is only a backslash' },
    })
    .describe("a regular expression in RE2 syntax, at most 2048 characters, in single quotes: '\\bword\\b'"),
);

const matchSchema = lazy(() =>
  z.strictObject({
    on: z
      .enum(PLACES)
      .optional()
      .describe(`one of ${PLACES.join(', ')}. Default: added_lines`),
    mode: z.enum(['forbid', 'require']).default('forbid').describe('forbid or require. Default: forbid'),
    pattern: pattern().optional(),
    not_pattern: pattern().optional().describe('a line that matches this as well is no match'),
    keywords: names().optional(),
    file_patterns: globs().optional(),
    exclude_patterns: globs().optional(),
    context_filter: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
      .optional()
      .describe('names and the values they must have, such as agent_type: Implementer'),
  }),
);

/** A check of a kind that andon knows; `type` says which, the other keys are that check's own. */
const checkSchema = lazy(() => z.looseObject({ type: z.string().min(1) }).describe('a check with its `type`'));

const exampleSchema = lazy(() =>
  z
    .union([
      z.string(),
      z.strictObject({
        text: z.string().optional(),
        plan: z.string().optional(),
        file: z.string().optional(),
        vars: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
      }),
    ])
    .describe('an example: a text, or { text, plan, file, vars }'),
);

/** The review cycles that a violation adds. */
export const penaltySchema = lazy(() =>
  z
    .union([z.int().min(0).max(1000), z.string().regex(/^\+?(?:MAX|\d{1,3})$/)])
    .transform((written): number | 'MAX' =>
      typeof written === 'number' ? written : written.endsWith('MAX') ? 'MAX' : Number(written),
    )
    .describe('what a violation adds to the review cycles: a whole number, or MAX'),
);

/** A rule as a file of `andon.rules/v1` writes it; every default that follows from nothing else is filled in. */
export const ruleSchema = lazy(() =>
  z.strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/)
      .describe('a letter, then letters, digits, `_`, `.` and `-`; at most 64'),
    version: z
      .union([z.string(), z.number()])
      .transform(String)
      .refine(isVersion, { message: 'it is no version' })
      .default('1.0.0')
      .describe("a version in quotes, such as '1.0.0'"),
    title: ruleLine().optional(),
    severity: ruleWord(RULE_SEVERITIES).describe('CRITICAL, HIGH, MEDIUM or LOW'),
    priority: ruleWord(PRIORITIES).optional().describe('P0 to P3; follows from the severity and must agree with it'),
    modality: ruleWord(MODALITIES).optional().describe('MUST, SHOULD or MAY. Default: by severity'),
    category: ruleLine().optional(),
    tags: names().default([]),
    stack: names().default([]),
    phase: z
      .union([z.array(phaseWord()).min(1), phaseWord()])
      .transform((written) => PHASES.filter((phase) => [written].flat().includes(phase)))
      .default([...PHASES])
      .describe('one phase or a list of them'),
    handler: handlerWord().optional(),
    allow_weaker_handler: ruleLine()
      .optional()
      .describe('the reason why a handler weaker than the severity is right here'),
    scope: ruleWord(RULE_SCOPES).default('GLOBAL').describe('GLOBAL, SCENARIO or STEP'),
    scope_id: ruleLine().optional(),
    is_hard_constraint: z.boolean().default(false).describe('true or false'),
    condition_text: text().optional(),
    action_text: text().optional(),
    content: text().optional(),
    match: matchSchema().optional().describe('what is looked for, all parts joined by AND'),
    checks: z.array(checkSchema()).max(50).optional(),
    enforcement_expression: z.string().min(1).max(1024).optional().describe('an expression, at most 1024 characters'),
    on_missing: z.enum(['not_applicable', 'violation', 'needs_review']).default('not_applicable'),
    extract: z
      .record(
        z.string().regex(VARIABLE_NAME).describe('the name of a variable: letters, digits and `_`'),
        ruleExtractSchema(),
      )
      .optional()
      .describe('where the variables of the expression come from'),
    message: ruleLine().optional(),
    suggestion: ruleLine().optional(),
    fallback: ruleLine().optional(),
    quick_fix: z
      .strictObject({
        type: z.enum(QUICK_FIX_TYPES).describe('TYPE-A, TYPE-B, TYPE-C or TYPE-D'),
        max_fixes: z.int().min(1).default(5).describe('how many places one fix may touch'),
      })
      .optional(),
    soft_hooks: z
      .strictObject({
        enabled: z.boolean().default(true),
        can_be_ignored: z.boolean().default(true),
        notify_on_ignore: z.boolean().default(false),
        priority_boost_phase: phaseWord().optional(),
        interceptors: z
          .array(
            z.strictObject({
              type: z.literal('referrer').describe('referrer, the one interceptor that is known'),
              config: z
                .looseObject({
                  threshold: z.int().min(1).optional().describe('a whole number from 1'),
                  upgrade_to: z.enum(['P1', 'P2']).optional().describe('P1 or P2'),
                })
                .default({}),
            }),
          )
          .max(20)
          .default([]),
      })
      .optional(),
    notify_human: z
      .boolean()
      .optional()
      .describe('whether a human is notified of a violation; default: as its priority says'),
    rollback: z
      .boolean()
      .optional()
      .describe('whether the work begins again from the target branch; default: as its priority says'),
    iteration_penalty: penaltySchema().optional(),
    agents: names().default([]),
    attached_tool_ids: names().default([]),
    waivable: z.boolean().optional(),
    tests: z
      .strictObject({
        violates: z.array(exampleSchema()).max(200).default([]).describe('a list of examples'),
        passes: z.array(exampleSchema()).max(200).default([]).describe('a list of examples'),
      })
      .default({ violates: [], passes: [] }),
    metadata: z.record(z.string(), z.unknown()).default({}),
  }),
);
export type WrittenRule = z.output<ReturnType<typeof ruleSchema>>;

/** What follows from the other keys where a file does not name it. */
type Derived = 'title' | 'priority' | 'modality' | 'category' | 'handler' | 'checks' | 'message' | 'waivable';

/** One rule after reading: every default filled in. */
export type Rule = Omit<WrittenRule, Derived | 'match'> & {
  [Key in Derived]: NonNullable<WrittenRule[Key]>;
} & { match?: (NonNullable<WrittenRule['match']> & { on: RulePlace }) | undefined };

/** Whether a rule's `match` looks for something by itself, and does not only narrow. */
export const looksForSomething = (match: Rule['match']): boolean =>
  match !== undefined &&
  (match.pattern !== undefined || (match.keywords ?? []).length > 0 || match.on === 'diff_paths');

export type RuleExtract = NonNullable<WrittenRule['extract']>[string];
export type RuleCheck = z.infer<ReturnType<typeof checkSchema>>;
export type RuleExample = z.infer<ReturnType<typeof exampleSchema>>;

/** One fault of a rule, or of its file: where below it, what was found and expected, and what to do. */
export interface RuleRemark {
  readonly path: JsonPath;
  readonly message: string;
  readonly remedy: string;
}

export interface PlacedRule {
  readonly rule: Rule;
  readonly source: RuleSource;
}

/** What was accepted in an older or foreign spelling, and how it reads now. */
export interface RuleNote {
  readonly source: RuleSource;
  readonly message: string;
}

/** All rules of a project, read once. */
export interface Rulebook {
  readonly rules: readonly PlacedRule[];
  readonly faults: readonly RuleFault[];
  readonly notes: readonly RuleNote[];
}

/** Where a variable of an expression comes from: exactly one of pack, regex, keywords, count and llm. */
const ruleExtractSchema = lazy(() =>
  z
    .strictObject({
      pack: z
        .enum(['money', 'percent', 'discount'])
        .optional()
        .describe('sums of money, shares in hundredths, or those that lower a price'),
      regex: z.string().min(1).max(2048).optional().describe('its match, or the first group of it, in RE2 syntax'),
      keywords: z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(500)
        .optional()
        .describe('whether one of these words is there'),
      count: z.string().min(1).max(2048).optional().describe('how often this pattern is there'),
      llm: z.string().min(1).max(1000).optional().describe('a question for a language model, where one may be asked'),
      pick: z
        .enum(['max', 'min', 'first', 'last', 'sum', 'count', 'all'])
        .optional()
        .describe('which of several. Default: max of a pack, first of a regex'),
      type: z
        .enum(['number', 'text', 'boolean'])
        .optional()
        .describe('number, text or boolean. Default: text of a regex or llm'),
    })
    .refine(
      ({ pack, regex, keywords, count, llm }) =>
        [pack, regex, keywords, count, llm].filter((one) => one !== undefined).length === 1,
      { message: 'it needs exactly one of pack, regex, keywords, count and llm' },
    ),
);
