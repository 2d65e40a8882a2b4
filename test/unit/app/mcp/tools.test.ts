import { assert, property, string, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleToolNames } from '../../../../src/app/mcp/tools.ts';

const VALID = /^[a-zA-Z0-9_-]{1,52}$/;

describe('the names of tools for rules', () => {
  it('keep the id of the rule where model services take it', () => {
    const ids = ['JCODE-001', 'security.no-hardcoded-secrets'];
    expect([...ruleToolNames(ids).values()]).toEqual([
      'rule_engine_JCODE-001',
      'rule_engine_security_no-hardcoded-secrets',
    ]);
  });

  it('are valid and different for any ids, with the prefix of a client', () => {
    assert(
      property(uniqueArray(string({ maxLength: 120, unit: 'grapheme' }), { maxLength: 20 }), (ids) => {
        const names = [...ruleToolNames(ids).values()];
        expect(names.filter((name) => !VALID.test(name))).toEqual([]);
        expect(new Set(names).size).toBe(ids.length);
      }),
    );
  });

  it('tell ids apart that differ only in characters that model services refuse', () => {
    const names = ruleToolNames(['a.b', 'a:b', 'a_b']);
    expect(new Set(names.values()).size).toBe(3);
  });
});
