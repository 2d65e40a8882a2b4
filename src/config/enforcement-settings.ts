import type { z } from 'zod';
import type { enforcementSchema } from './config-schema.ts';
import type { Mode } from '../rule-model/rule-words.ts';

/** How strictly rules are enforced in one project, defaults filled in. */
export interface EnforcementSettings {
  readonly mode: Mode;
  readonly scoreThreshold: number;
  readonly autoPromote: boolean;
  /** Rules with `priority_boost` count for more. */
  readonly quality?: 'high';
}

/** Defaults. */
const STANDARD_ENFORCEMENT: EnforcementSettings = { mode: 'advisory', scoreThreshold: 70, autoPromote: true };

/** The enforcement that the first of these configurations names, key by key, over the defaults. */
export function toEnforcement(...written: readonly Written[]): EnforcementSettings {
  const first = <Key extends keyof Written>(key: Key): Written[Key] =>
    written.find((one) => one[key] !== undefined)?.[key];
  return {
    mode: first('mode') ?? STANDARD_ENFORCEMENT.mode,
    scoreThreshold: first('score_threshold') ?? STANDARD_ENFORCEMENT.scoreThreshold,
    autoPromote: first('auto_promote') ?? STANDARD_ENFORCEMENT.autoPromote,
    ...(first('quality') === 'high' ? { quality: 'high' as const } : {}),
  };
}

type Written = Partial<
  Pick<z.infer<ReturnType<typeof enforcementSchema>>, 'mode' | 'score_threshold' | 'auto_promote' | 'quality'>
>;
