import { z } from 'zod';
import { once } from '../base/once.ts';
import { HANDLERS, MODALITIES, PHASES, PLACES, PRIORITIES, RULE_SCOPES, RULE_SEVERITIES } from './rule-words.ts';

const glob = z.string().min(1).max(500);
const pattern = z.string().min(1).max(2048);
const example = z.union([
  z.string(),
  z.strictObject({
    text: z.string().optional(),
    plan: z.string().optional(),
    file: z.string().optional(),
    vars: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  }),
]);

/** What is looked for, all parts joined by AND. */
const ruleMatchSchema = once(() =>
  z.strictObject({
    on: z.enum(PLACES).default('added_lines').describe('What is looked at. Default: added_lines.'),
    mode: z
      .enum(['forbid', 'require'])
      .default('forbid')
      .describe('Whether a match is the fault, or its absence. Default: forbid.'),
    pattern: pattern.optional().describe('A regular expression in RE2 syntax; write it in single quotes.'),
    not_pattern: pattern.optional().describe('A line that matches this as well is no match.'),
    keywords: z
      .array(z.string().min(1))
      .optional()
      .describe('The pattern is tried only near one of these words, whatever their case.'),
    file_patterns: z.array(glob).optional().describe('Globs; one without a slash matches in every folder.'),
    exclude_patterns: z.array(glob).optional(),
    context_filter: z.record(z.string(), z.string()).optional(),
  }),
);

/** Where a variable of an expression comes from: exactly one of pack, regex, keywords, count and llm. */
export const ruleExtractSchema = once(() =>
  z
    .strictObject({
      pack: z
        .enum(['money', 'percent', 'discount'])
        .optional()
        .describe('sums of money, shares in hundredths, or those that lower a price'),
      regex: pattern.optional().describe('what it matches, or its first group, in RE2 syntax'),
      keywords: z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(500)
        .optional()
        .describe('whether one of these words is there'),
      count: pattern.optional().describe('how often this pattern is there'),
      llm: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('what a language model is asked to find, where one may be asked'),
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
export type RuleExtract = z.infer<ReturnType<typeof ruleExtractSchema>>;

/** What the name of a variable looks like. */
export const VARIABLE_NAME = /^(?!__)[A-Za-z_]\w{0,63}$/;

/** A check of a kind that andon knows; `type` says which, the other keys are that check's own. */
export const ruleCheckSchema = once(() => z.looseObject({ type: z.string().min(1) }));

/** One rule after reading: every default filled in, every alias resolved. */
const ruleSchema = once(() =>
  z.strictObject({
    id: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/),
    version: z.string(),
    title: z.string(),
    severity: z.enum(RULE_SEVERITIES),
    priority: z.enum(PRIORITIES),
    modality: z.enum(MODALITIES),
    category: z.string(),
    tags: z.array(z.string()),
    stack: z.array(z.string()),
    phase: z.array(z.enum(PHASES)).min(1),
    handler: z.enum(HANDLERS),
    allow_weaker_handler: z.string().min(1).optional(),
    scope: z.enum(RULE_SCOPES),
    scope_id: z.string().optional(),
    is_hard_constraint: z.boolean(),
    condition_text: z.string().optional(),
    action_text: z.string().optional(),
    content: z.string().optional(),
    match: ruleMatchSchema().optional(),
    checks: z.array(ruleCheckSchema()),
    enforcement_expression: z.string().max(1024).optional(),
    on_missing: z.enum(['not_applicable', 'violation', 'needs_review']),
    extract: z.record(z.string().regex(VARIABLE_NAME), ruleExtractSchema()).optional(),
    message: z.string(),
    suggestion: z.string().optional(),
    fallback: z.string().optional(),
    quick_fix: z.strictObject({ type: z.string(), max_fixes: z.int().positive() }).optional(),
    soft_hooks: z
      .strictObject({
        enabled: z.boolean(),
        can_be_ignored: z.boolean(),
        notify_on_ignore: z.boolean(),
        priority_boost_phase: z.enum(PHASES).optional(),
        interceptors: z.array(z.strictObject({ type: z.string(), config: z.record(z.string(), z.unknown()) })),
      })
      .optional(),
    notify_human: z.boolean().optional(),
    rollback: z.boolean().optional(),
    iteration_penalty: z.union([z.int().min(0), z.literal('MAX')]).optional(),
    agents: z.array(z.string()),
    attached_tool_ids: z.array(z.string()),
    waivable: z.boolean(),
    tests: z.strictObject({ violates: z.array(example), passes: z.array(example) }),
    metadata: z.record(z.string(), z.unknown()),
  }),
);
export type Rule = z.infer<ReturnType<typeof ruleSchema>>;
export type RuleCheck = z.infer<ReturnType<typeof ruleCheckSchema>>;
export type RuleExample = z.infer<typeof example>;

/** Where a rule was read from, for messages: a file of the project or the name of a shipped pack. */
export interface RuleSource {
  readonly name: string;
  /** 1-based line of the rule in its file, where it is known. */
  readonly line?: number;
}

/** Something wrong in a rule file; a rulebook with faults is exit code 2. */
export interface RuleFault {
  readonly source: RuleSource;
  /** The JSON path of the wrong value (`$.rules[0].match.pattern`). */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** A rule, and where it was read from. */
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
