/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { PATH, resume, version, write } from '../support/versions.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, issue, judges, answerOnce, reviewFails, reviewPasses, writes } from '../support/scenario.ts';

describe('refinement', () => {
  test('a local FAIL, a judge FAIL and a PASS end merged, every round on the same branch', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), answerOnce(write(2)), write(3)],
        reviewer: [answerOnce(reviewFails('the headings are wrong')), reviewPasses()],
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('the link to login is lost')] })), judges('PASS')],
      },
    });
    const { status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(factory.read(PATH)).toBe(version(3));
    const [, second, third] = factory.calls('implementer').map(({ prompt }) => prompt);
    expect(second).toContain('the headings are wrong');
    expect(third).toContain('Put right: the link to login is lost');
    expect(third).toContain('Version 2.');
    const shown = await factory.show('DOC-001');
    expect(shown).toMatchObject({ attempt: 3, review_cycles: 2, rebuttals: 0, verdict: 'PASS', cost_usd: 0.04 });
    for (const attempt of [1, 2, 3])
      expect(factory.git('show', `refs/andon/DOC-001/${attempt}:${PATH}`)).toContain(`Version ${attempt}.`);
    expect(factory.git('rev-list', '--count', 'main^^1..task/DOC-001')).toBe('3');
    expect(factory.merges()).toHaveLength(1);
  });

  test('CONDITIONAL is a fix, not a merge', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce(judges('CONDITIONAL', { required_fixes: ['Name the author'] })), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('implementer')[1]?.prompt).toContain('Name the author');
    expect(factory.read(PATH)).toBe(version(2));
  });

  test('a PASS with blocking issues is a FAIL', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce(judges('PASS', { blocking_issues: [issue('a requirement is not met')] })), judges('PASS')],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read(PATH)).toBe(version(2));
    expect(factory.transitions().map(({ event }) => event)).toContain('fail_agree');
  });
});

describe('rebuttal', () => {
  const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });

  test('a judge who cites a file that is not there is rebutted, looks again and passes', async () => {
    const factory = await aFactory({ scenario: { judge: [answerOnce(absent), judges('PASS')] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(1);
    expect(factory.calls('judge')[1]?.prompt).toContain('REBUTTAL.md');
    expect(factory.paper('archive/DOC-001/REBUTTAL.md')).toContain('not in the judged tree');
    expect(await factory.show('DOC-001')).toMatchObject({ rebuttals: 1, review_cycles: 0 });
  });

  test('a judge who says that a green gate fails is rebutted', async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'words', run: 'true' }] },
      scenario: {
        judge: [
          answerOnce(judges('FAIL', { blocking_issues: [issue('the gate words fails', { file: '', line: null })] })),
          judges('PASS'),
        ],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect((await factory.show('DOC-001')).rebuttals).toBe(1);
  });

  test('three rebuttals are one too many; siding with the floor manager merges the judged tree', async () => {
    const factory = await aFactory({ scenario: { judge: [absent] } });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('rebuttal_limit');
    expect(factory.calls('judge')).toHaveLength(3);
    const report = factory.paper('ERIK_HALT.md') ?? '';
    for (const part of [
      '## The Conflict',
      '## The Two Paths',
      '## The State',
      'docs/nowhere.md',
      'andon resume DOC-001 --path 2',
    ])
      expect(report).toContain(part);
    expect((await factory.andon('resume', 'DOC-001', '--decision', 'gemini')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(3);
    expect(factory.git('log', '-1', '--format=%B', factory.merges()[0] ?? '')).toContain('Andon-Decided-By: human');
  });
});

describe('a secret in the change', () => {
  const key = ['AKIA', 'QYLPMN5H', 'HHFPZAM2'].join('');
  const leak = writes({ [PATH]: `${FINAL}\naws_access_key_id = ${key}\n` });

  test('that the judge passes is a paradox: a human sides with the scanner and it is fixed', async () => {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(leak), write(2)] } });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('paradox');
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read(PATH)).toBe(version(2));
    expect(factory.calls('implementer')[1]?.prompt).toContain('AWS');
  });

  test('goes straight back where the project says so', async () => {
    const factory = await aFactory({
      projectConfig: { local_review: { on_critical: 'fix' } },
      scenario: { implementer: [answerOnce(leak), write(2)] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
    expect(factory.read(PATH)).toBe(version(2));
  });
});
