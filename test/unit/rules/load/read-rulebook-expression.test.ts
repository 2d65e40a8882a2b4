import { describe, expect, it } from 'vitest';
import { readRulebook } from '../../../../src/rules/load/read-rulebook.ts';

const faultsIn = async (expression: string) => {
  const text = `rules:\n  - id: REFUND-LIMIT\n    severity: HIGH\n    enforcement_expression: ${JSON.stringify(expression)}\n`;
  const { faults } = await readRulebook([{ name: 'refund.yaml', text }]);
  return faults;
};

describe('the expression of a rule', () => {
  it('is taken when it is one', async () => {
    expect(await faultsIn("amount <= 50 or user_tier == 'VIP'")).toEqual([]);
  });

  it('is a fault with its place and what to write instead when it is none', async () => {
    expect(await faultsIn('amount <= 50 && ok')).toEqual([
      {
        source: { name: 'refund.yaml', line: 4 },
        path: '$.rules[0].enforcement_expression',
        message: '"amount <= 50 && ok" cannot be evaluated: && is not known here (character 14)',
        remedy: 'write and',
      },
    ]);
  });
});
