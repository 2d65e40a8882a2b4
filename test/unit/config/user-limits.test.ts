import { describe, expect, it } from 'vitest';
import { checkAccounts, readLimits } from '../../../src/config/user-limits.ts';

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

describe('the account of a ceiling', () => {
  const faults = (account: string) => {
    const limits = read(`ceilings: {accounts: {${account}: {day: {usd: 1}}}}`);
    if (!limits.ok) throw new Error(limits.why.join());
    return checkAccounts('config.yaml', { ceilings: limits.value.ceilings, drivers: { mine: {} } }, () => ['codex']);
  };

  it.each(['claude', 'ollama', 'codex', 'mine', 'openai'])(
    'may be a program or a provider that is known: %s',
    (name) => {
      expect(faults(name)).toEqual([]);
    },
  );

  it('is refused where nobody has it: it would hold nothing', () => {
    expect(faults('claud')).toEqual([
      'config.yaml: ceilings.accounts: no program and no provider is called "claud", so it would hold nothing; did you mean claude?',
    ]);
  });
});
