import { z } from 'zod';
import { toCamelKeys, type InCamelCase } from '../../base/letter-case.ts';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';

const share = lazy(() => z.number().min(0).max(1).optional());

/** `pipeline` of a project's configuration, in YAML as in TOML (`[pipeline.enforcement]`). */
export const pipelineSchema = lazy(() =>
  z.strictObject({
    profile: optionalKey(
      z.enum(['default', 'production']),
      'Which defaults hold: production rewrites a response twice, and checks relevance and grounding (0.8). Default: default.',
    ),
    enforcement: optionalKey(
      z.strictObject({
        enabled: optionalKey(z.boolean(), 'Hold responses against the rules at all. Default: true.'),
        max_retries: optionalKey(
          z.int().min(0).max(3),
          'How often a response that fails is rewritten, 0 to 3. Default: 1.',
        ),
        deterministic_enabled: optionalKey(z.boolean(), 'Evaluate enforcement_expression (lane 1). Default: true.'),
        llm_judge_enabled: optionalKey(
          z.boolean(),
          'Let a language model judge rules that have none (lane 2), where one is asked. Default: true.',
        ),
        llm_judge_models: optionalKey(
          z.array(z.string().min(1).max(200)).max(5),
          'The models that judge, of the provider or agent that llm names, each taking over from the one before it. Default: none, which is the model of llm.',
        ),
        always_enforce_global: optionalKey(
          z.boolean(),
          'Hold every response against GLOBAL hard constraints, whatever was asked. Default: true.',
        ),
        relevance_check_enabled: optionalKey(
          z.boolean(),
          'Check that a response addresses what was asked. Default: false.',
        ),
        relevance_threshold: share().describe('The least score of relevance, 0 to 1. Default: 0.5.'),
        relevance_strategy: optionalKey(
          z.enum(['embedding', 'cross_encoder', 'offline', 'llm_judge']),
          'By what relevance is measured. Default: embedding.',
        ),
        relevance_refusal_bypass: optionalKey(
          z.boolean(),
          'A response that says that it does not know is relevant. Default: true.',
        ),
        grounding_check_enabled: optionalKey(z.boolean(), 'Check that the context carries a response. Default: false.'),
        grounding_threshold: share().describe('The least score of grounding, 0 to 1. Default: 0.75.'),
        grounding_strategy: optionalKey(
          z.enum(['llm_judge', 'cross_encoder', 'offline']),
          'By what grounding is measured. Default: llm_judge.',
        ),
        tool_call_check_enabled: optionalKey(
          z.boolean(),
          'Hold what a tool or a retrieval brought (the context) against what was asked, and leave out what is not about it. Default: false.',
        ),
      }),
      'Each key of it.',
    ),
  }),
);

type Written = z.infer<ReturnType<typeof pipelineSchema>>;

/** How responses are enforced, defaults filled in; one field per key of `pipeline.enforcement`. */
export type PipelineSettings = Required<InCamelCase<NonNullable<Written['enforcement']>>>;

export const toPipeline = ({ profile = 'default', enforcement = {} }: Written = {}): PipelineSettings => ({
  ...PROFILES[profile],
  ...toCamelKeys(enforcement),
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
