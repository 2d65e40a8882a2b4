import { OLLAMA } from '../../base/agent-ids.ts';
import { formatValue } from '../../base/fault.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import type { Settings } from './read-settings.ts';
import { LLM_PROVIDERS } from './config-words.ts';

/**
 * Unknown accounts with a ceiling, which would limit nothing. Known are andon's own programs, shipped drivers (`shipped`),
 * those of the user, and the providers of `--llm`. Pure.
 */
export function checkAccounts(
  file: string,
  { ceilings, drivers }: Pick<Settings, 'ceilings' | 'drivers'>,
  shipped: () => readonly string[],
): readonly string[] {
  const accounts = Object.keys(ceilings.accounts);
  if (accounts.length === 0) return [];
  const known = [...new Set([OLLAMA, ...shipped(), ...Object.keys(drivers), ...LLM_PROVIDERS])];
  return accounts
    .filter((account) => !known.includes(account))
    .map((account) => {
      const nearest = findNearestWord(account, known);
      const hint = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
      return `${file}: ceilings.accounts: no program and no provider is called ${formatValue(account)}; ${hint}`;
    });
}
