import { describe, expect, it } from 'vitest';
import { amendChoice } from '../../../../src/line/halts/amend-choice.ts';
import { aRecord, withLimits } from '../../../support/records.ts';

const EFFECT = { to: 'pending_implementer' } as const;
const record = aRecord({ contract: withLimits({ budget: { usd: 2, tokens: undefined, minutes: 30 } }) });

describe('amendChoice', () => {
  it('changes scope, implementer, budget and size of the change, and shows each from what to what', () => {
    const changes = { allow: ['README.md'], model: 'llama3', budget_usd: 5, budget_minutes: 45, max_diff_size: 900 };
    const amended = amendChoice(record, EFFECT, changes);
    expect(amended).toEqual({
      ok: true,
      value: {
        effect: { ...EFFECT, paths: ['README.md'], usd: 3, minutes: 15, diffSize: 700, implementer: 'llama3' },
        shown: [
          'may change as well: README.md',
          'implementer: qwen2.5-coder → llama3',
          'budget: $2.00 → $5.00',
          "budget: 30 → 45 minutes of agents' time",
          'lines of the change: at most 200 → 900',
        ],
      },
    });
  });

  it('shows budgets exactly, whatever their decimals', () => {
    const small = aRecord({ contract: withLimits({ budget: { usd: 0.004, tokens: undefined, minutes: undefined } }) });
    expect(amendChoice(small, EFFECT, { budget_usd: 0.0125 })).toMatchObject({
      value: { shown: ['budget: $0.004 → $0.0125'] },
    });
  });

  it('adds to the paths that the halt opens anyway', () => {
    const amended = amendChoice(record, { ...EFFECT, paths: ['a.md'] }, { allow: ['src/'] });
    expect(amended).toMatchObject({ value: { effect: { paths: ['a.md', 'src/'] } } });
  });

  it.each([
    [{ allow: ['docs/secret/key.md'] }, '--allow', 'is forbidden by the contract'],
    [{ allow: ['docs/secret/'] }, '--allow', 'is forbidden by the contract'],
    [{ allow: ['.andon/config.yaml'] }, '--allow', 'is protected'],
    [{ allow: ['../up'] }, '--allow', 'from the root'],
    [{ budget_usd: 0.5 }, '--budget-usd', 'has used $1.0000 already; give more'],
    [{ budget_minutes: 5 }, '--budget-minutes', 'has used 6 minutes already; give more'],
  ])('refuses %j', (changes, option, why) => {
    const spent = { ...record, spent: { ...record.spent, usd: 1, minutes: 6 } };
    expect(amendChoice(spent, EFFECT, changes)).toMatchObject({ why: { option, why: expect.stringContaining(why) } });
  });

  it('cannot change a budget that there is not', () => {
    expect(amendChoice(aRecord(), EFFECT, { budget_minutes: 5 })).toMatchObject({
      why: { option: '--budget-minutes' },
    });
    expect(amendChoice(aRecord(), EFFECT, { budget_usd: 5 })).toMatchObject({ why: { option: '--budget-usd' } });
  });
});
