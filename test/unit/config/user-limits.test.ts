import { describe, expect, it } from 'vitest';
import { checkProgramNames, readLimits } from '../../../src/config/user-limits.ts';

const read = (text: string | undefined) => readLimits({ name: 'config.yaml', text });

describe('hours and ceilings, read again', () => {
  it('are those of the file', () => {
    expect(read('ceilings: {night: {usd: 3}}\nhours: {open: ["22:00-07:00"]}')).toMatchObject({
      ok: true,
      value: { ceilings: { all: { night: { usd: 3 } } }, hours: { open: [{ begins: 22 * 60, ends: 7 * 60 }] } },
    });
  });

  it('are none where the file says nothing of them', () => {
    expect(read('cage: none')).toEqual({
      ok: true,
      value: { hours: { open: [], closed: [] }, ceilings: { call: {}, all: {}, accounts: {} } },
    });
  });

  it.each([
    ['gone', undefined, 'config.yaml is gone'],
    ['empty', '\n', 'config.yaml is empty'],
    ['cut off', 'ceilings: {night: {usd: 3', 'config.yaml: '],
    ['mistyped', 'ceilings: {nigth: {usd: 3}}', 'did you mean night?'],
    ['wrong elsewhere', 'cage: wood', 'config.yaml: '],
  ])('are not believed where the file is %s', (_what, text, why) => {
    const limits = read(text);
    expect(limits.ok ? '' : limits.why.join('\n')).toContain(why);
  });
});

describe('the names of programs', () => {
  const faultsOf = (account: string | undefined, agent?: string) => {
    const limits = read(account === undefined ? 'cage: none' : `ceilings: {accounts: {${account}: {day: {usd: 1}}}}`);
    if (!limits.ok) throw new Error(limits.why.join());
    const settings = { ceilings: limits.value.ceilings, drivers: { mine: {} }, llm: { agent } };
    return checkProgramNames('config.yaml', settings, () => ['codex']);
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
