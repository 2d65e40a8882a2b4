import { describe, expect, it } from 'vitest';
import { checkAccounts } from '../../../../src/project/config/check-accounts.ts';
import { CONFIG, readSettings } from '../../../../src/project/config/read-settings.ts';

const read = (text: string) => readSettings({ name: CONFIG, text: undefined }, { name: 'config.yaml', text }, '/');

describe('the accounts with a ceiling', () => {
  const faultsOf = (account: string) => {
    const limits = read(`ceilings: {accounts: {${account}: {day: {usd: 1}}}}`);
    if (!limits.ok) throw new Error(limits.why.join());
    return checkAccounts('config.yaml', { ceilings: limits.value.ceilings, drivers: { mine: {} } }, () => [
      'claude',
      'codex',
    ]);
  };

  it.each(['claude', 'ollama', 'codex', 'mine', 'openai'])('may be a known one: %s', (name) => {
    expect(faultsOf(name)).toEqual([]);
  });

  it('are refused where they are unknown, and would hold nothing', () => {
    expect(faultsOf('claud')).toEqual([
      'config.yaml: ceilings.accounts: no program and no provider is called "claud"; did you mean claude?',
    ]);
  });
});
