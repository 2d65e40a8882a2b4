import { AGENT_IDS } from '../base/agents.ts';
import { formatValue } from '../base/fault.ts';
import { findNearestWord } from '../base/nearest-word.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';
import { checkConfig, parseConfig, type ConfigFile } from './config-file.ts';
import { userSchema } from './user-schema.ts';
import type { Settings } from './config.ts';
import type { LlmSettings } from './llm-settings.ts';
import { LLM_PROVIDERS } from '../rule-model/rule-words.ts';
import { toCeilings, toHours } from './night-settings.ts';

/** A user's limits over all repositories: hours and ceilings. */
export type UserLimits = Pick<Settings, 'hours' | 'ceilings'>;

/**
 * Reads the limits of a user's own configuration while tasks run. The whole file must be valid and not empty: a missing
 * or empty one may just be being saved, and would lift every ceiling. Pure.
 */
export function readLimits(user: ConfigFile): Outcome<UserLimits, readonly string[]> {
  if (user.text === undefined) return failure([`${user.name} is gone`]);
  if (user.text.trim() === '') return failure([`${user.name} is empty`]);
  const faults: string[] = [];
  const written = checkConfig(userSchema, parseConfig(user, faults), user.name, faults);
  if (faults.length > 0 || written === undefined) return failure(faults);
  return success({ hours: toHours(written.hours), ceilings: toCeilings(written.ceilings) });
}

/**
 * Names of unknown programs: an account with a ceiling, which would limit nothing, and the agent of `llm`. Known are
 * andon's own programs, shipped drivers (`shipped`), those of the user, and for accounts the providers of `--llm`. Pure.
 */
export function checkProgramNames(
  file: string,
  { ceilings, drivers, llm }: Pick<Settings, 'ceilings' | 'drivers'> & { readonly llm: Pick<LlmSettings, 'agent'> },
  shipped: () => readonly string[],
): readonly string[] {
  const accounts = Object.keys(ceilings.accounts);
  if (accounts.length === 0 && llm.agent === undefined) return [];
  const programs = [...new Set([...AGENT_IDS, ...shipped(), ...Object.keys(drivers)])];
  const fault = (key: string, name: string, what: string, known: readonly string[]): string => {
    const nearest = findNearestWord(name, known);
    const hint = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
    return `${file}: ${key}: no ${what} ${formatValue(name)}; ${hint}`;
  };
  const payers = [...programs, ...LLM_PROVIDERS];
  return [
    ...accounts
      .filter((account) => !payers.includes(account))
      .map((account) => fault('ceilings.accounts', account, 'program and no provider is called', [...new Set(payers)])),
    ...(llm.agent === undefined || programs.includes(llm.agent)
      ? []
      : [fault('llm.agent', llm.agent, 'agent is called', programs)]),
  ];
}
