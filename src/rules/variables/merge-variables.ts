import { valueFrom, type Value } from '../expressions/value.ts';

/** Who said what a variable is, the most trusted first: an answer never overrules what is known of whom it is for. */
export const ORIGINS = ['profile', 'session', 'regex', 'llm'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface KnownVariable {
  readonly value: Value;
  readonly from: Origin;
}

/** The variables of an evaluation by name, and those that were left out because they are no plain data. */
export interface MergedVariables {
  readonly known: ReadonlyMap<string, KnownVariable>;
  readonly problems: readonly string[];
}

/**
 * Puts together what everybody says: profile over session over what the text holds over what a language model read in
 * it. A null overrides nothing; a `tier` of the profile also says `user_tier` and `is_vip`.
 */
export function mergeVariables(
  sources: Readonly<Partial<Record<Origin, Readonly<Record<string, unknown>> | undefined>>>,
): MergedVariables {
  const known = new Map<string, KnownVariable>();
  const problems: string[] = [];
  for (const from of ORIGINS)
    for (const [name, plain] of Object.entries(
      from === 'profile' ? withTier(sources.profile ?? {}) : (sources[from] ?? {}),
    )) {
      if (plain === null || plain === undefined || known.has(name)) continue;
      const value = valueFrom(plain);
      if (value.ok) known.set(name, { value: value.value, from });
      else problems.push(`${name} of the ${from}: ${value.why}`);
    }
  return { known, problems };
}

function withTier(profile: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const tier = profile['user_tier'] ?? profile['tier'];
  return tier === undefined || tier === null ? profile : { user_tier: tier, is_vip: tier === 'VIP', ...profile };
}
