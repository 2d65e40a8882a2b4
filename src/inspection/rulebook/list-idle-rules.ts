import type { EnforcementSettings } from '../../config/enforcement-settings.ts';
import type { PipelineSettings } from '../../config/pipeline-settings.ts';
import type { Rulebook } from '../../rule-model/rule.ts';
import { isJudged } from '../../rules/lanes/judge.ts';

/** What rules ask for and the configuration of the project switches off, a sentence each. */
export function listIdleRules(
  { rules }: Pick<Rulebook, 'rules'>,
  { quality }: Pick<EnforcementSettings, 'quality'>,
  { enabled, deterministicEnabled, llmJudgeEnabled }: PipelineSettings,
): Rulebook['notes'] {
  const told = (why: string, isMeant: (rule: Rulebook['rules'][number]['rule']) => boolean): Rulebook['notes'] =>
    rules.filter(({ rule }) => isMeant(rule)).map(({ rule, source }) => ({ source, message: `${rule.id}: ${why}` }));
  return [
    ...(quality === 'high'
      ? []
      : told(
          'metadata.priority_boost acts only with `enforcement: { quality: high }`, which the project does not say',
          (rule) => rule.handler === 'SOFT_HOOK' && rule.metadata['priority_boost'] === true,
        )),
    ...(enabled && deterministicEnabled
      ? []
      : told(
          `its expression is not evaluated: pipeline.enforcement.${enabled ? 'deterministic_enabled' : 'enabled'} is false`,
          (rule) => rule.enforcement_expression !== undefined,
        )),
    ...(enabled && llmJudgeEnabled
      ? []
      : told(
          `no judge checks it: pipeline.enforcement.${enabled ? 'llm_judge_enabled' : 'enabled'} is false`,
          isJudged,
        )),
  ];
}
