/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { judges, answerOnce, reviewFails, reviewPasses, writes } from '../support/scenario.ts';
import { PATH, resume, version, write } from '../support/versions.ts';

/** A rule file with one rule over the added lines. */
const rules = (...given: readonly object[]): Record<string, string> => ({
  '.andon/rules/mine.yaml': stringify({ schema: 'andon.rules/v1', rules: given }),
});

const aRule = (changes: object = {}): object => ({
  id: 'no-draft',
  version: '1.0.0',
  title: 'No drafts',
  severity: 'CRITICAL',
  category: 'docs',
  phase: 'IMPLEMENTATION',
  match: { on: 'added_lines', pattern: 'DRAFT( \\d+)?' },
  message: 'A document that is merged is no draft',
  ...changes,
});

const draft = (number: number): ReturnType<typeof writes> => writes({ [PATH]: `${version(number)}DRAFT ${number}\n` });

describe('a P0 rule', () => {
  test('that a change breaks stops the line before gates and review; path 1 starts again from the target, told of the rule', async () => {
    const factory = await aFactory({
      files: rules(aRule()),
      scenario: { implementer: [answerOnce(draft(1)), write(2)] },
    });
    const { dog, status } = await factory.run(aContract());
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'rule_violation']);
    expect(factory.calls('reviewer')).toEqual([]);
    expect(factory.paper('ERIK_HALT.md')).toContain('A document that is merged is no draft');
    expect(factory.git('rev-parse', 'refs/andon/rollback/DOC-001')).toBe(factory.git('rev-parse', 'main'));
    expect((await factory.andon('status')).stdout).not.toContain('the journal does not know');
    expect(factory.git('show', 'refs/andon/DOC-001/1:docs/auth_final.md')).toContain('DRAFT 1');
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('implementer')[1]?.prompt).toContain('[no-draft]');
    expect(factory.read(PATH)).toBe(version(2));
  });

  test('is waived once with a reason, for exactly what was found, and not without one', async () => {
    const factory = await aFactory({
      files: rules(aRule()),
      scenario: { implementer: [answerOnce(draft(1)), draft(2)], judge: [answerOnce(judges('FAIL')), judges('PASS')] },
    });
    const { dog } = await factory.run(aContract());
    const refused = await factory.andon('resume', 'DOC-001', '--path', '2');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('only with a reason')]);
    await resume(factory, 2, '--reason', 'the word is quoted');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.calls('implementer')).toHaveLength(2);
    expect((await factory.show('DOC-001')).halt?.reason).toContain('DRAFT 2');
    await resume(factory, 2, '--reason', 'this one too');
    expect(await factory.end(dog)).toBe('merged');
    expect(await factory.story()).toContain('because: the word is quoted');
  });

  test('that the contract itself breaks stops the line before any agent is called', async () => {
    const factory = await aFactory({
      files: rules(aRule({ phase: 'TASKS', match: { on: 'contract', pattern: 'without tests' } })),
    });
    const { status } = await factory.run(aContract({ 'specification.requirements': ['Merge them without tests'] }));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'rule_violation']);
    expect(factory.calls()).toEqual([]);
    await resume(factory, 1);
    expect((await factory.show('DOC-001')).status).toBe('abandoned');
  });

  test('that a judge breaks stops the line; with a reason its report counts', async () => {
    const factory = await aFactory({
      files: rules(aRule({ phase: 'REVIEW', match: { on: 'report', pattern: 'looks fine' } })),
      scenario: { judge: [judges('PASS', { summary: 'It looks fine to me.' })] },
    });
    const { dog, status } = await factory.run(aContract());
    expect([status, factory.breaker(), factory.calls('judge').length]).toEqual([
      'erik_consultation',
      'rule_violation',
      1,
    ]);
    await resume(factory, 2, '--reason', 'it does');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
  });
});

describe('a P1 rule', () => {
  const p1 = aRule({ severity: 'HIGH', quick_fix: { type: 'TYPE-A', max_fixes: 5 } });

  test('goes through the quick channel: the same iteration, told of the place, and no review was asked for', async () => {
    const factory = await aFactory({ files: rules(p1), scenario: { implementer: [answerOnce(draft(1)), write(2)] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('implementer')[1]?.prompt).toContain(`[no-draft] ${PATH}`);
    expect([factory.calls('reviewer').length, (await factory.show('DOC-001')).review_cycles]).toEqual([1, 0]);
    expect(factory.audit('rule_violations.jsonl')).toMatchObject([
      {
        log_id: expect.stringMatching(/^RULE-\d{8}-001$/),
        rule_id: 'no-draft',
        handler: 'QUICK_FIX',
        priority: 'P1',
        action: 'quick_fix',
      },
      {
        rule_id: 'no-draft',
        phase: 'IMPLEMENTATION',
        action: 'fixed',
        quick_fix: { applied: true, verified: true },
      },
    ]);
    expect(factory.calls('implementer')[1]?.prompt).toContain('MINOR_FIX');
  });

  test('goes the long way when there is too much to fix, and after two quick fixes in a row', async () => {
    const many = writes({ [PATH]: `${version(1)}${'DRAFT\n'.repeat(6)}` });
    const factory = await aFactory({
      files: rules(p1),
      scenario: {
        implementer: [answerOnce(many), answerOnce(draft(2)), answerOnce(draft(3)), answerOnce(draft(4)), write(5)],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    const events = factory.transitions().map(({ event }) => event);
    expect(events.filter((event) => event === 'rule_red' || event === 'quick_fix')).toEqual([
      'rule_red',
      'quick_fix',
      'quick_fix',
      'rule_red',
    ]);
  });

  test('that a reviewer breaks makes its review unreadable', async () => {
    const factory = await aFactory({
      files: rules(aRule({ severity: 'HIGH', phase: 'REVIEW', match: { on: 'report', pattern: 'meh' } })),
      scenario: { reviewer: [answerOnce(reviewFails('meh')), reviewPasses()] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('reviewer')).toHaveLength(2);
  });
});

describe('lower rules', () => {
  test('P2 is written down, and again where its phase has come, and nothing more', async () => {
    const factory = await aFactory({
      files: rules(aRule({ severity: 'MEDIUM', phase: ['IMPLEMENTATION'] })),
      scenario: { implementer: [draft(1)] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.audit('rule_violations.jsonl')).toMatchObject([
      { rule_id: 'no-draft', priority: 'P2', handler: 'LOG_ONLY', phase: 'IMPLEMENTATION', action: 'later' },
      { rule_id: 'no-draft', priority: 'P2', handler: 'LOG_ONLY', phase: 'REVIEW', action: 'log' },
    ]);
  });

  test('a soft hook that three tasks ignored although they were told of it becomes P2, also after a restart', async () => {
    const factory = await aFactory({
      apart: true,
      files: rules(aRule({ severity: 'LOW', phase: ['IMPLEMENTATION'] })),
      scenario: { implementer: [draft(1)] },
    });
    let { dog } = await factory.run(aContract());
    for (const id of ['DOC-002', 'DOC-003', 'DOC-004', 'DOC-005']) {
      if (id === 'DOC-003') {
        await dog.kill9();
        dog = await factory.watch();
      }
      const file = `docs/${id}.md`;
      const seen = judges('PASS', { evidence: [{ file, line: 1, quote: `${id} DRAFT` }] });
      factory.script({ implementer: [writes({ [file]: `${id} DRAFT\n` })], judge: [seen] });
      factory.drop(aContract({ task_id: id, 'specification.target_file': file }));
      await dog.until(() => factory.isMerged(id));
    }
    const handlers = factory
      .audit('rule_violations.jsonl')
      .flatMap(({ handler, phase }) => (phase === 'IMPLEMENTATION' ? [handler] : []));
    expect(handlers).toEqual(['SOFT_HOOK', 'SOFT_HOOK', 'SOFT_HOOK', 'SOFT_HOOK', 'LOG_ONLY']);
    const hooks = factory.audit('soft_hooks.log');
    expect(hooks.map(({ action, ignore_count: count }) => `${String(action)} ${String(count)}`)).toEqual([
      'RAISED 0',
      'IGNORED 1',
      'IGNORED 2',
      'IGNORED 3',
      'IGNORED 4',
    ]);
  });
});

describe('rules that cannot be applied', () => {
  test('stop the line as a fault before anything runs, and say which file is wrong', async () => {
    const factory = await aFactory({ files: { '.andon/rules/bad.yaml': 'rules:\n  - id: A\n    severity: URGENT\n' } });
    const { dog, status } = await factory.run(aContract());
    expect(dog.output()).toContain('so every task will halt: .andon/rules/bad.yaml:3');
    const doctor = await factory.andon('doctor', '--no-gates');
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('.andon/rules/bad.yaml:3')]);
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'fault']);
    expect((await factory.show('DOC-001')).halt?.reason).toContain('.andon/rules/bad.yaml');
    expect(factory.calls()).toEqual([]);
  });
});
