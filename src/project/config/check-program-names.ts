import { OLLAMA } from '../../base/agent-ids.ts';
import { formatValue } from '../../base/fault.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import type { Settings } from './read-settings.ts';
import type { LlmSettings } from './llm-settings.ts';
import { LLM_PROVIDERS } from './config-words.ts';

/**
 * Names of unknown programs: an account with a ceiling, which would limit nothing, and the agent of `llm`. Known are
 * ollama, shipped drivers (`shipped`), those of the user, and for accounts the providers of `--llm`. Pure.
 */
export function checkProgramNames(
  file: string,
  { ceilings, drivers, llm }: Pick<Settings, 'ceilings' | 'drivers'> & { readonly llm: Pick<LlmSettings, 'agent'> },
  shipped: () => readonly string[],
): readonly string[] {
  const accounts = Object.keys(ceilings.accounts);
  if (accounts.length === 0 && llm.agent === undefined) return [];
  const programs = [...new Set([OLLAMA, ...shipped(), ...Object.keys(drivers)])];
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
