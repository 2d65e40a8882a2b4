/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, issue, judges, answerOnce, writes } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
const nit = (description: string) => issue(description, { category: 'style' });
const NITS = [nit('Rename the heading to something more descriptive'), nit('Prefer sentence case here')];

/** The document with so many numbered rules below it. */
const withRules = (
  count: number,
  rule = (at: number) => `Rule ${at} says that a token of kind ${at} expires.`,
): string => `${FINAL}\n${Array.from({ length: count }, (_, at) => rule(at + 1)).join('\n')}\n`;

describe('a judge that blocks on taste alone', () => {
  test('is no such judge when one of its findings names a requirement', async () => {
    const real = [...NITS, issue('Requirement 1 is not met: the second document is missing', { category: 'style' })];
    const factory = await aFactory();
    factory.script({
      implementer: [
        answerOnce(writes({ [PATH]: FINAL })),
        answerOnce(writes({ [PATH]: withRules(2) })),
        writes({ [PATH]: withRules(3) }),
      ],
      judge: [
        answerOnce(judges('FAIL', { blocking_issues: NITS })),
        answerOnce(judges('FAIL', { blocking_issues: real })),
        judges('PASS'),
      ],
    });
    expect((await factory.run(aContract())).status).toBe('merged');
  });
});

describe('an implementer that goes back to rejected work', () => {
  const fails = judges('FAIL', { blocking_issues: [issue('The rules are wrong')] });
  const loop = async (third: string) => {
    const factory = await aFactory({
      scenario: {
        implementer: [
          answerOnce(writes({ [PATH]: withRules(20) })),
          answerOnce(
            writes({ [PATH]: withRules(20, (at) => `Rule ${at}: tokens of kind ${at} are renewed, never kept.`) }),
          ),
          writes({ [PATH]: third }),
        ],
        judge: [answerOnce(fails), answerOnce(fails), judges('PASS')],
      },
    });
    return { factory, ...(await factory.run(aContract())) };
  };

  test('to the letter is stopped before the judge is asked a third time', async () => {
    const { factory, status } = await loop(withRules(20));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'hallucination_loop']);
    expect(factory.calls('judge')).toHaveLength(2);
  });

  test('in other spacing is stopped too', async () => {
    const { factory } = await loop(withRules(20).replaceAll(' of ', '  of   '));
    expect(factory.paper('ERIK_HALT.md')).toContain('is, but for spacing and quotes, the same as attempt 1');
  });

  test('but for a line is stopped too', async () => {
    const { factory } = await loop(`${withRules(20)}One more rule: nobody reads all of this.\n`);
    expect(factory.paper('ERIK_HALT.md')).toMatch(/goes back to 9\d % of the lines of attempt 1/);
  });

  test('is not meant when the third attempt builds on the second', async () => {
    const second = withRules(20, (at) => `Rule ${at}: tokens of kind ${at} are renewed, never kept.`);
    const { status } = await loop(`${second}One more rule: nobody reads all of this.\n`);
    expect(status).toBe('merged');
  });
});
