import { z } from 'zod';
import { once } from '../base/once.ts';

/** How responses are enforced, defaults filled in; a name for each key of `pipeline.enforcement`. */
export interface PipelineSettings {
  readonly enabled: boolean;
  /** How often a response that fails is written anew, 0 to 3. */
  readonly maxRetries: number;
  readonly deterministicEnabled: boolean;
  readonly llmJudgeEnabled: boolean;
  /** The models that judge, each taking over from the one before it; empty: the model of `llm`. */
  readonly llmJudgeModels: readonly string[];
  readonly alwaysEnforceGlobal: boolean;
  readonly relevanceCheckEnabled: boolean;
  readonly relevanceThreshold: number;
  readonly relevanceStrategy: RelevanceStrategy;
  readonly relevanceRefusalBypass: boolean;
  readonly groundingCheckEnabled: boolean;
  readonly groundingThreshold: number;
  readonly groundingStrategy: GroundingStrategy;
  /** Whether what a tool or a retrieval brought is held against the question before it is used. */
  readonly toolCallCheckEnabled: boolean;
}

const RELEVANCE_STRATEGIES = ['embedding', 'cross_encoder', 'offline', 'llm_judge'] as const;
type RelevanceStrategy = (typeof RELEVANCE_STRATEGIES)[number];
const GROUNDING_STRATEGIES = ['llm_judge', 'cross_encoder', 'offline'] as const;
type GroundingStrategy = (typeof GROUNDING_STRATEGIES)[number];

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
          .enum(RELEVANCE_STRATEGIES)
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
          .enum(GROUNDING_STRATEGIES)
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

/** What a project wrote about its pipeline, over the defaults of its profile. */
export function toPipeline({
  profile = 'default',
  enforcement = {},
}: z.infer<ReturnType<typeof pipelineSchema>> = {}): PipelineSettings {
  const isProduction = profile === 'production';
  return {
    enabled: enforcement.enabled ?? true,
    maxRetries: enforcement.max_retries ?? (isProduction ? 2 : 1),
    deterministicEnabled: enforcement.deterministic_enabled ?? true,
    llmJudgeEnabled: enforcement.llm_judge_enabled ?? true,
    llmJudgeModels: enforcement.llm_judge_models ?? [],
    alwaysEnforceGlobal: enforcement.always_enforce_global ?? true,
    relevanceCheckEnabled: enforcement.relevance_check_enabled ?? isProduction,
    relevanceThreshold: enforcement.relevance_threshold ?? 0.5,
    relevanceStrategy: enforcement.relevance_strategy ?? 'embedding',
    relevanceRefusalBypass: enforcement.relevance_refusal_bypass ?? true,
    groundingCheckEnabled: enforcement.grounding_check_enabled ?? isProduction,
    groundingThreshold: enforcement.grounding_threshold ?? (isProduction ? 0.8 : 0.75),
    groundingStrategy: enforcement.grounding_strategy ?? 'llm_judge',
    toolCallCheckEnabled: enforcement.tool_call_check_enabled ?? false,
  };
}
