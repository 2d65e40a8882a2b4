import type { z } from 'zod';
import type { enforcementSchema } from './config-schema.ts';
import type { Mode } from '../rule-model/rule-words.ts';

/** How hard rules are enforced in one project, defaults filled in. */
export interface EnforcementSettings {
  readonly mode: Mode;
  readonly scoreThreshold: number;
  readonly autoPromote: boolean;
  /** Rules with `priority_boost` count for more. */
  readonly quality?: 'high';
}

/** What holds when nobody says anything. */
const STANDARD_ENFORCEMENT: EnforcementSettings = { mode: 'advisory', scoreThreshold: 70, autoPromote: true };

/** What a project wrote about enforcement, over what its `.rulebound/config.json` says, over the defaults. */
export function toEnforcement(
  written: z.infer<ReturnType<typeof enforcementSchema>> | undefined,
  before: Partial<EnforcementSettings>,
): EnforcementSettings {
  return {
    mode: written?.mode ?? before.mode ?? STANDARD_ENFORCEMENT.mode,
    scoreThreshold: written?.score_threshold ?? before.scoreThreshold ?? STANDARD_ENFORCEMENT.scoreThreshold,
    autoPromote: written?.auto_promote ?? before.autoPromote ?? STANDARD_ENFORCEMENT.autoPromote,
    ...(written?.quality === 'high' ? { quality: 'high' as const } : {}),
  };
}
