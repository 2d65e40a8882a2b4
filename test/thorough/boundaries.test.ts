/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, issue, judges, answerOnce, reviewPasses, writes } from '../support/scenario.ts';
import { PATH, resume, version, write } from '../support/versions.ts';

const nit = (description: string, more: object = {}) => issue(description, { category: 'style', ...more });
const fails = (...issues: readonly object[]) => judges('FAIL', { blocking_issues: issues });
const rules = (what: string): string =>
  Array.from({ length: 12 }, (_, at) => `${what} number ${at} is about tokens of kind ${at}.\n`).join('');

describe('a judge that blocks on taste', () => {
  test('and takes back what it asked for is stopped at once', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [
          answerOnce(fails(issue('Requirement 1 is not met'), nit('Rename `login` to `signIn` in the heading'))),
          fails(nit('Rename `signIn` to `login` in the heading'), nit('Prefer sentence case here')),
        ],
      },
    });
    await factory.run(aContract());
    expect(factory.breaker()).toBe('gpt_energy');
    expect(factory.paper('ERIK_HALT.md')).toContain('takes back what was asked for before');
    expect(factory.calls('judge')).toHaveLength(2);
  });

  test('is not what stops a finding that calls itself a nit and names a flaw, however often it comes', async () => {
    const flaw = nit('nit: the password is logged in plaintext, a security risk');
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), answerOnce(write(2)), write(3)],
        judge: [
          answerOnce(fails(flaw, nit('Prefer sentence case'))),
          answerOnce(fails(flaw, nit('A blank line is missing'))),
          judges('PASS'),
        ],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(3);
  });

  test('and then passes the change without a word more merges it', async () => {
    const taste = fails(nit('Rename the heading'), nit('Prefer sentence case here'));
    const factory = await aFactory({
      scenario: { implementer: [answerOnce(write(1)), write(2)], judge: [answerOnce(taste), judges('PASS')] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.breaker()).toBeUndefined();
  });

  test('only once and with one remark alone is no pattern', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce(fails(nit('Rename the heading'))), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
  });
});

describe('an implementer whose attempts', () => {
  test('share most of their lines, because every file has them, is not going in circles', async () => {
    const header = rules('Licence clause');
    const body = (name: string) => `${header}${rules(name)}${FINAL}`;
    const again = fails(issue('Requirement 1 is not met'));
    const factory = await aFactory({
      scenario: {
        implementer: [
          answerOnce(writes({ [PATH]: body('Rule') })),
          answerOnce(writes({ [PATH]: body('Law') })),
          writes({ [PATH]: body('Norm') }),
        ],
        judge: [answerOnce(again), answerOnce(again), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(3);
  });

  test('go back to what the judge called critical, after a human sent it back, is stopped', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), answerOnce(write(2)), write(1)],
        judge: [
          answerOnce(judges('CRITICAL_HALT', { summary: 'This leaks keys.' })),
          answerOnce(fails(issue('still wrong'))),
          judges('PASS'),
        ],
      },
    });
    const { dog } = await factory.run(aContract());
    expect(factory.breaker()).toBe('judge_halt');
    await resume(factory, 1);
    await dog.until(() => factory.breaker() === 'hallucination_loop');
    expect(factory.calls('judge')).toHaveLength(2);
  });
});

describe('a local review that holds', () => {
  const key = ['AKIA', 'QYLPMN5H', 'HHFPZAM2'].join('');
  const leak = writes({ [PATH]: `${FINAL}\naws_access_key_id = ${key}\n` });

  test.each(['PASS', 'CONDITIONAL'])(
    'a critical security flaw is a paradox when the judge says %s',
    async (verdict) => {
      const factory = await aFactory({ scenario: { implementer: [leak], judge: [judges(verdict)] } });
      await factory.run(aContract());
      expect(factory.breaker()).toBe('paradox');
      expect(factory.paper('ERIK_HALT.md')).toContain(`the judge says ${verdict}`);
    },
  );

  test('a critical security flaw is none when the judge says FAIL: the flaw goes back with the fixes', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(leak), write(2)],
        judge: [answerOnce(fails(issue('a key stands in the text'))), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read(PATH)).toBe(version(2));
  });

  test('anything less is none when the judge says PASS', async () => {
    const findings = [
      {
        severity: 'medium',
        category: 'security',
        file: PATH,
        line: 1,
        description: 'tokens could be shorter',
        evidence: '',
      },
      { severity: 'low', category: 'style', file: PATH, line: 1, description: 'the heading is long', evidence: '' },
    ];
    const structured = { verdict: 'PASS', critical_security_flaw: false, findings };
    const factory = await aFactory({ scenario: { reviewer: [reviewPasses({ structured })] } });
    expect((await factory.run(aContract())).status).toBe('merged');
  });
});
