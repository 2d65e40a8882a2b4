import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { handlerWord, penaltySchema, ruleLine, ruleSchema } from '../model/rule.ts';

/** What one priority does, as a project may set it (`priority_mapping`). */
const mappingSchema = lazy(() =>
  z.strictObject({
    action: handlerWord().optional(),
    notify_human: z.boolean().optional(),
    rollback: z.boolean().optional(),
    iteration_penalty: penaltySchema().optional(),
  }),
);
export type PriorityMapping = z.output<ReturnType<typeof mappingSchema>>;

/** A rule file; its rules are checked one by one. */
export const ruleFileSchema = lazy(() =>
  z.strictObject({
    $schema: z.string().optional().describe('for editors'),
    schema: z.literal('andon.rules/v1').optional().describe('andon.rules/v1'),
    extends: z
      .union([z.array(ruleLine()).max(20), ruleLine()])
      .transform((written) => [written].flat())
      .default([])
      .describe('packs that are shipped with andon'),
    priority_mapping: z
      .strictObject({
        P0: mappingSchema().optional(),
        P1: mappingSchema().optional(),
        P2: mappingSchema().optional(),
        P3: mappingSchema().optional(),
      })
      .default({})
      .describe('what priorities do, where it is not the usual'),
    rules: z.array(z.unknown()).optional().describe('a list of rules'),
    rule: z.record(z.string(), z.unknown()).optional().describe('one rule below it, indented'),
  }),
);
export type RuleFileSettings = z.output<ReturnType<typeof ruleFileSchema>>;

export const ruleFileJsonSchema = (): object => ({
  title: 'Rules of andon',
  description: 'A file below .andon/rules/, in YAML or JSON.',
  ...z.toJSONSchema(
    ruleFileSchema().extend({
      rules: z.array(ruleSchema()).optional().describe('a list of rules'),
      rule: ruleSchema().optional().describe('a single rule'),
    }),
    { io: 'input' },
  ),
});
