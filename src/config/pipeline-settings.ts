import { z } from 'zod';
import { inCamelCase } from '../base/in-camel-case.ts';
import type { InCamelCase } from '../base/in-camel-case.ts';
import { once } from '../base/once.ts';

const share = once(() => z.number().min(0).max(1).optional());

/** `pipeline` of a project's configuration, in YAML as in TOML (`[pipeline.enforcement]`). */
export const pipelineSchema = once(() =>
  z.strictObject({
    profile: z
      .enum(['default', 'production'])
      .optional()
      .describe(
        'Which defaults hold: production writes a response anew twice, and checks relevance and grounding (0.8). Default: default.',
      ),
    enforcement: z
      .strictObject({
        enabled: z.boolean().optional().describe('Hold responses against the rules at all. Default: true.'),
        max_retries: z
          .int()
          .min(0)
          .max(3)
          .optional()
          .describe('How often a response that fails is written anew, 0 to 3. Default: 1.'),
        deterministic_enabled: z
          .boolean()
          .optional()
          .describe('Evaluate enforcement_expression (lane 1). Default: true.'),
        llm_judge_enabled: z
          .boolean()
          .optional()
          .describe('Let a language model judge rules that have none (lane 2), where one is asked. Default: true.'),
        llm_judge_models: z
          .array(z.string().min(1).max(200))
          .max(5)
          .optional()
          .describe(
            'The models that judge, of the provider that llm names, each taking over from the one before it. Default: none, which is the model of llm.',
          ),
        always_enforce_global: z
          .boolean()
          .optional()
          .describe('Hold every response against GLOBAL hard constraints, whatever was asked. Default: true.'),
        relevance_check_enabled: z
          .boolean()
          .optional()
          .describe('Check that a response addresses what was asked. Default: false.'),
        relevance_threshold: share().describe('The least score of relevance, 0 to 1. Default: 0.5.'),
        relevance_strategy: z
          .enum(['embedding', 'cross_encoder', 'offline', 'llm_judge'])
          .optional()
          .describe('By what relevance is measured. Default: embedding.'),
        relevance_refusal_bypass: z
          .boolean()
          .optional()
          .describe('A response that says that it does not know is relevant. Default: true.'),
        grounding_check_enabled: z
          .boolean()
          .optional()
          .describe('Check that the context carries a response. Default: false.'),
        grounding_threshold: share().describe('The least score of grounding, 0 to 1. Default: 0.75.'),
        grounding_strategy: z
          .enum(['llm_judge', 'cross_encoder', 'offline'])
          .optional()
          .describe('By what grounding is measured. Default: llm_judge.'),
        tool_call_check_enabled: z
          .boolean()
          .optional()
          .describe(
            'Hold what a tool or a retrieval brought (the context) against what was asked, and leave out what is not about it. Default: false.',
          ),
      })
      .optional()
      .describe('Each key of it.'),
  }),
);

type Written = z.infer<ReturnType<typeof pipelineSchema>>;

/** How responses are enforced, defaults filled in; a name for each key of `pipeline.enforcement`. */
export type PipelineSettings = Required<InCamelCase<NonNullable<Written['enforcement']>>>;

/** What a project wrote about its pipeline, over the defaults of its profile. */
export const toPipeline = ({ profile = 'default', enforcement = {} }: Written = {}): PipelineSettings => ({
  ...PROFILES[profile],
  ...inCamelCase(enforcement),
});

const USUAL: PipelineSettings = {
  enabled: true,
  maxRetries: 1,
  deterministicEnabled: true,
  llmJudgeEnabled: true,
  llmJudgeModels: [],
  alwaysEnforceGlobal: true,
  relevanceCheckEnabled: false,
  relevanceThreshold: 0.5,
  relevanceStrategy: 'embedding',
  relevanceRefusalBypass: true,
  groundingCheckEnabled: false,
  groundingThreshold: 0.75,
  groundingStrategy: 'llm_judge',
  toolCallCheckEnabled: false,
};
const PROFILES = {
  default: USUAL,
  production: {
    ...USUAL,
    maxRetries: 2,
    relevanceCheckEnabled: true,
    groundingCheckEnabled: true,
    groundingThreshold: 0.8,
  },
};
