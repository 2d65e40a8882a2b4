import { describe, expect, it } from 'vitest';
import { checkProgramNames } from '../../../../src/project/config/check-program-names.ts';
import { CONFIG, readSettings } from '../../../../src/project/config/read-settings.ts';

const read = (text: string) => readSettings({ name: CONFIG, text: undefined }, { name: 'config.yaml', text }, '/');

describe('the names of programs', () => {
  const faultsOf = (account: string | undefined, agent?: string) => {
    const limits = read(account === undefined ? 'cage: none' : `ceilings: {accounts: {${account}: {day: {usd: 1}}}}`);
    if (!limits.ok) throw new Error(limits.why.join());
    const settings = { ceilings: limits.value.ceilings, drivers: { mine: {} }, llm: { agent } };
    return checkProgramNames('config.yaml', settings, () => ['claude', 'codex']);
  };

  it.each(['claude', 'ollama', 'codex', 'mine', 'openai'])('accept a known account of a ceiling: %s', (name) => {
    expect(faultsOf(name)).toEqual([]);
  });

  it('refuse an unknown account of a ceiling, which would hold nothing', () => {
    expect(faultsOf('claud')).toEqual([
      'config.yaml: ceilings.accounts: no program and no provider is called "claud"; did you mean claude?',
    ]);
  });

  it.each(['claude', 'ollama', 'codex', 'mine'])('accept a known agent for questions about rules: %s', (name) => {
    expect(faultsOf(undefined, name)).toEqual([]);
  });

  it('refuse a provider as the agent for questions about rules', () => {
    expect(faultsOf(undefined, 'openai')).toEqual([
      'config.yaml: llm.agent: no agent is called "openai"; known are ollama, claude, codex, mine',
    ]);
  });
});
