import type { RuleMatch } from '../../rule-model/inspection.ts';
import { ruleOpinionSchema } from '../../rule-model/rule-opinion.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { maskSecrets } from '../secrets/mask.ts';

/** A model's answer as what the layer says; only the one field that the shape names is a status, whatever words stand elsewhere. */
export function matchFromOpinion(value: unknown): RuleMatch {
  const parsed = ruleOpinionSchema().safeParse(value);
  if (!parsed.success) return undecided('the language model gave no answer of the shape that was asked for');
  const { status, confidence, reason } = parsed.data;
  return { layer: 'llm', status, confidence, reason: toTerminalLine(maskSecrets(reason), 300), places: [] };
}

/** What the layer says when there is no answer that counts: never a pass. */
export const undecided = (why: string): RuleMatch => ({
  layer: 'llm',
  status: 'UNDECIDED',
  confidence: 0,
  reason: why,
  places: [],
});
