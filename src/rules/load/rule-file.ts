import { z } from 'zod';
import { isVersion } from '../../base/version.ts';
import { ruleCheckSchema, ruleExtractSchema, VARIABLE_NAME } from '../../rule-model/rule.ts';
import { handlerWord, modalityWord, phaseWord, priorityWord, scopeWord, severityWord } from './rule-file-words.ts';
import { PLACES } from '../../rule-model/rule-words.ts';

const text = z.string().max(20_000).describe('text');
const line = z.string().trim().min(1).max(2000).describe('text that is not blank');
const names = z.array(z.string().min(1).max(200)).max(200).describe('a list of names');
const globs = z
  .union([z.array(z.string().min(1).max(500)).max(200), z.string().min(1).max(500)])
  .describe('globs such as *.ts or src/**; one without a slash matches in every folder');

/** A regular expression; what YAML made of a backslash in double quotes is seen by its control characters. */
const pattern = z
  .string()
  .min(1)
  .max(2048)
  .refine((value) => !/\p{Cc}/u.test(value), {
    message: 'it holds a control character, as "\\b" in double quotes makes one',
    params: { remedy: 'use single quotes for regular expressions: there a backslash is only a backslash' },
  })
  .describe("a regular expression in RE2 syntax, at most 2048 characters, in single quotes: '\\bword\\b'");

const matchPart = z.strictObject({
  on: z
    .enum(PLACES)
    .optional()
    .describe(`one of ${PLACES.join(', ')}. Default: added_lines`),
  mode: z.enum(['forbid', 'require']).optional().describe('forbid or require. Default: forbid'),
  pattern: pattern.optional(),
  not_pattern: pattern.optional(),
  keywords: names.optional(),
  file_patterns: globs.optional(),
  exclude_patterns: globs.optional(),
  context_filter: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .optional()
    .describe('names and the values they must have, such as agent_type: Implementer'),
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const example = z
  .union([
    z.string(),
    z.strictObject({
      text: z.string().optional(),
      plan: z.string().optional(),
      file: z.string().optional(),
      vars: z.record(z.string(), value).optional(),
    }),
  ])
  .describe('an example: a text, or { text, plan, file, vars }');
const examples = z.array(example).max(200).describe('a list of examples');

const penalty = z
  .union([z.int().min(0).max(1000), z.string().regex(/^\+?(?:MAX|\d{1,3})$/)])
  .describe('what a violation adds to the review cycles: a whole number, or MAX');

/** A rule as a file writes it: every spelling that is accepted, nothing filled in. */
export const writtenRuleSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/)
    .describe('a letter, then letters, digits, `_`, `.` and `-`; at most 64'),
  version: z
    .union([z.string(), z.number()])
    .transform(String)
    .refine(isVersion, { message: 'it is no version' })
    .optional()
    .describe("a version in quotes, such as '1.0.0'"),
  title: line.optional(),
  name: line.optional().describe('the same as title'),
  description: text.optional().describe('the same as content, where there is none'),
  severity: severityWord,
  priority: priorityWord.optional(),
  modality: modalityWord.optional(),
  category: line.optional(),
  tags: names.optional(),
  stack: names.optional(),
  phase: z
    .union([z.array(phaseWord).min(1), phaseWord])
    .optional()
    .describe('one phase or a list of them'),
  handler: handlerWord.optional(),
  allow_weaker_handler: line.optional().describe('the reason why a handler weaker than the severity is right here'),
  scope: z
    .union([z.array(line).max(50), scopeWord])
    .optional()
    .describe('GLOBAL, SCENARIO or STEP'),
  scope_id: line.optional(),
  is_hard_constraint: z.boolean().optional().describe('true or false'),
  condition_text: text.optional(),
  action_text: text.optional(),
  content: text.optional(),
  match: matchPart.optional().describe('what is looked for, all parts joined by AND'),
  checks: z.array(ruleCheckSchema().describe('a check with its `type`')).max(50).optional(),
  enforcement_expression: z.string().min(1).max(1024).optional().describe('an expression, at most 1024 characters'),
  on_missing: z.enum(['not_applicable', 'violation', 'needs_review']).optional(),
  extract: z
    .record(
      z.string().regex(VARIABLE_NAME).describe('the name of a variable: letters, digits and `_`'),
      ruleExtractSchema(),
    )
    .optional()
    .describe('where the variables of the expression come from'),
  message: line.optional(),
  suggestion: line.optional(),
  fallback: line.optional(),
  quick_fix: z
    .strictObject({
      type: z.enum(['TYPE-A', 'TYPE-B', 'TYPE-C', 'TYPE-D']).describe('TYPE-A, TYPE-B, TYPE-C or TYPE-D'),
      max_fixes: z.int().min(1).max(100).optional().describe('how many places one fix may touch'),
    })
    .optional(),
  soft_hooks: z
    .strictObject({
      enabled: z.boolean().optional(),
      can_be_ignored: z.boolean().optional(),
      notify_on_ignore: z.boolean().optional(),
      priority_boost_phase: phaseWord.optional(),
      interceptors: z
        .array(z.strictObject({ type: line, config: z.record(z.string(), z.unknown()).optional() }))
        .max(20)
        .optional(),
    })
    .optional(),
  notify_human: z
    .boolean()
    .optional()
    .describe('whether a human is told of a violation; default: as its priority says'),
  rollback: z
    .boolean()
    .optional()
    .describe('whether the work begins again from the target branch; default: as its priority says'),
  iteration_penalty: penalty.optional(),
  agents: names.optional(),
  attached_tool_ids: names.optional(),
  waivable: z.boolean().optional(),
  tests: z.strictObject({ violates: examples.optional(), passes: examples.optional() }).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type WrittenRule = z.infer<typeof writtenRuleSchema>;

/** What one priority does, as a project may set it (`priority_mapping`). */
const mappingPart = z.strictObject({
  action: handlerWord.optional(),
  notify_human: z.boolean().optional(),
  rollback: z.boolean().optional(),
  iteration_penalty: penalty.optional(),
});
export type MappingPart = z.infer<typeof mappingPart>;

/** A whole rule file; `rule` is the older form for a single one. */
export const ruleFileSchema = z.strictObject({
  $schema: z.string().optional().describe('for editors'),
  schema: z.literal('andon.rules/v1').optional().describe('andon.rules/v1'),
  extends: z
    .union([z.array(line).max(20), line])
    .optional()
    .describe('packs that are shipped with andon'),
  priority_mapping: z
    .strictObject({
      P0: mappingPart.optional(),
      P1: mappingPart.optional(),
      P2: mappingPart.optional(),
      P3: mappingPart.optional(),
    })
    .optional()
    .describe('what priorities do, where it is not the usual'),
  rules: z.array(writtenRuleSchema).optional().describe('a list of rules'),
  rule: writtenRuleSchema.optional().describe('a single rule'),
});
export type RuleFile = z.infer<typeof ruleFileSchema>;

/** The JSON Schema of a rule file, for editors. */
export const ruleFileJsonSchema = (): object => ({
  title: 'Rules of andon',
  description: 'A file below .andon/rules/, in YAML or JSON.',
  ...z.toJSONSchema(ruleFileSchema, { io: 'input' }),
});
