/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { ruleFile } from '../support/rule-files.ts';
import { scriptDriven } from '../support/drivers.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';
import { LACKS, callsOf, finds, lineOf, passes } from '../support/panels.ts';

describe('a panel on the line', () => {
  const two = { 'roles.local_reviewer': ['sec', 'rev'] };

  test('sends back what a lone dissenter cites, with who holds it, and is asked anew about the next change', async () => {
    const factory = await lineOf(
      {
        sec: { roles: ['security'], first: passes },
        rev: { roles: ['qa'], first: finds(LACKS), times: 1 },
      },
      {},
      {
        implementer: [
          answerOnce(writes({ 'docs/auth_final.md': `${FINAL}\nMore than was asked for.\n` })),
          writes({ 'docs/auth_final.md': FINAL }),
        ],
      },
    );
    await factory.run(aContract(two));
    expect(await factory.story()).toContain('local review: [high] docs/auth_final.md:9 it does not say');
    const rework = factory.calls().findLast((call) => call.program === 'ollama' && call.prompt.includes('implementer'));
    expect(rework?.prompt).toContain('what happens when the token has run out');
    const stats = await factory.andon('agents', 'stats', '--reviewers', '--json');
    expect(JSON.parse(stats.stdout)).toMatchObject({
      reviewers: expect.arrayContaining([
        expect.objectContaining({ reviewer: 'rev', findings: 1, unique: 1 }),
        expect.objectContaining({ reviewer: 'sec', findings: 0 }),
      ]) as unknown,
    });
  });

  test('has the same ledger where andon was killed behind an answer: nobody is asked twice, nothing is counted twice', async () => {
    const ledgers = [];
    for (const failpoint of [undefined, 'folders.call.before-write:kill#4', 'folders.call.before-write:kill#6']) {
      const factory = await lineOf(
        { sec: { roles: ['security'], first: passes }, rev: { roles: ['qa'], first: finds(LACKS), times: 1 } },
        {},
        {
          implementer: [
            answerOnce(writes({ 'docs/auth_final.md': `${FINAL}\nMore than was asked for.\n` })),
            writes({ 'docs/auth_final.md': FINAL }),
          ],
        },
        { apart: true },
      );
      factory.drop(aContract(two));
      if (failpoint !== undefined) {
        factory.env['ANDON_FAILPOINT'] = failpoint;
        expect((await factory.start(['watch']).ended).signal).toBe('SIGKILL');
        factory.env['ANDON_FAILPOINT'] = '';
      }
      const dog = await factory.watch();
      expect(await factory.end(dog, 'DOC-001')).toBe('merged');
      await dog.stop();
      const { reviewers } = JSON.parse((await factory.andon('agents', 'stats', '--reviewers', '--json')).stdout) as {
        readonly reviewers: readonly Readonly<Record<string, unknown>>[];
      };
      ledgers.push(reviewers.map(({ agent_minutes: _minutes, ...row }) => row));
    }
    expect(ledgers[0]?.map(({ reviewer, calls, confirmed }) => ({ reviewer, calls, confirmed }))).toEqual(
      expect.arrayContaining([{ reviewer: 'rev', calls: 2, confirmed: 1 }]),
    );
    expect(ledgers[1]).toEqual(ledgers[0]);
    expect(ledgers[2]).toEqual(ledgers[0]);
  });

  test('with one that never answers decides by its quorum, and halts without one', async () => {
    const reviewers = {
      sec: { roles: ['security'], first: passes },
      rev: { roles: ['qa'], first: passes, does: ['silent'] },
    };
    const quorate = await lineOf(reviewers, { quorum: 1 });
    expect((await quorate.run(aContract(two))).status).toBe('merged');
    const strict = await lineOf(reviewers);
    expect((await strict.run(aContract(two))).status).toBe('erik_consultation');
    expect(strict.breaker()).toBe('stalled');
    expect(strict.paper('ERIK_HALT.md')).toContain('rev');
  });

  test('goes on after a kill -9 between two reviewers of a round: nobody is asked twice, and nobody is lost', async () => {
    const factory = await lineOf(
      { sec: { roles: ['security'], first: passes }, rev: { roles: ['reviewer'], first: passes } },
      {},
      {},
      { apart: true },
    );
    factory.env['ANDON_FAILPOINT'] = 'folders.call.before-write:kill#5'; // what the second one is to be asked
    const dog = factory.start(['watch']);
    factory.drop(aContract(two));
    expect((await dog.ended).signal).toBe('SIGKILL');
    factory.env['ANDON_FAILPOINT'] = '';
    expect(await factory.end(await factory.watch())).toBe('merged');
    expect([callsOf(factory, 'sec'), callsOf(factory, 'rev')].map(({ length }) => length)).toEqual([1, 1]);
    expect((await factory.story()).match(/(?:sec|rev): PASS/g)).toHaveLength(2);
  });

  test('holds what each of them says against the rules, and sends it back to whoever said it', async () => {
    const rule = {
      id: 'NO-PROMISE',
      severity: 'HIGH',
      is_hard_constraint: true,
      phase: 'REVIEW',
      action_text: 'promise nothing',
      enforcement_expression: 'not contains_promise',
    };
    const promises = finds({ ...LACKS, severity: 'low', description: 'I promise that this sentence is too short.' });
    const factory = await lineOf(
      {
        sec: { roles: ['security'], first: passes },
        rev: { roles: ['reviewer'], first: { ...promises, verdict: 'PASS' }, times: 1 },
      },
      {},
      {},
      { files: { '.andon/rules/app.yaml': ruleFile(rule) } },
    );
    expect((await factory.run(aContract(two))).status).toBe('merged');
    const [first, again, ...more] = callsOf(factory, 'rev').map(({ prompt }) => prompt);
    expect([callsOf(factory, 'sec').length, more.length]).toEqual([1, 0]);
    expect(first).toContain('- NO-PROMISE: promise nothing');
    expect(again).toMatch(/NO-PROMISE \(expression_failed\): .*contains_promise/);
  });

  test('tells one that is asked again its newest reason first, and nobody by name', async () => {
    const factory = await lineOf({ sec: { roles: [], first: passes }, rev: { roles: [], first: passes } });
    const sec = (structured: object, times = 1) => ({ when: { model: 'm-sec' }, structured, times });
    const praise = { ...passes, summary: 'Perfect implementation! Truly outstanding work!' };
    const rev = { when: { model: 'm-rev' }, structured: passes };
    scriptDriven(factory, 'codex', [sec({ verdict: 'MAYBE', findings: [] }), sec(praise), sec(passes, 9), rev]);
    expect((await factory.run(aContract(two))).status).toBe('merged');
    const [first = '', second = '', third = ''] = callsOf(factory, 'sec').map(({ prompt }) => prompt);
    expect(first).not.toContain('did not count');
    expect(second).toContain('unknown verdict');
    expect(third).toMatch(/\[SYSTEM\] Response rejected[^]*unknown verdict/);
    expect(third).not.toContain('sec: [SYSTEM]');
  });

  test('a name on the list that nobody answers to refuses the contract at its place', async () => {
    const factory = await lineOf({ sec: { roles: [], first: passes } });
    factory.write('.andon/agents/lost.yaml', 'roles: [qa]\n');
    factory.drop(aContract({ 'roles.local_reviewer': ['sec', 'lost'] }));
    const dog = await factory.watch();
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('$.roles.local_reviewer[1]');
    await dog.stop();
  });
});
