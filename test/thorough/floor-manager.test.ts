/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { driveBy, scriptDriven } from '../support/drivers.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, issue, judges, answerOnce, writes, type Call } from '../support/scenario.ts';

const [TOKEN_LINE = ''] = FINAL.split('\n').filter((text) => text.includes('15 minutes'));
const point = { finding: 'B1', why: 'it says so', file: 'docs/auth_final.md', line: null, quote: TOKEN_LINE };
const rebuts = (...rebuttals: readonly object[]): Call => ({
  structured: { decision: 'rebut', reason: 'the judge has overlooked a line', rebuttals },
});
const FAILS = judges('FAIL', { blocking_issues: [issue('It does not say how long a token is valid', { line: 3 })] });
const NEW = { 'docs/auth_final.md': `${FINAL}\nAnother line, as asked.\n` };

/** A line on which the judge fails the first change, and an agent in the floor manager's place. */
async function world(answer: Call, project: object = { roles: { floor_manager: 'manager' } }): Promise<Factory> {
  const factory = await aFactory({ projectConfig: project });
  driveBy(factory, 'gemini', { name: 'manager' });
  scriptDriven(factory, 'gemini', [answer], {
    implementer: [answerOnce(writes({ 'docs/auth_final.md': FINAL })), writes(NEW)],
    judge: [answerOnce(FAILS), judges('PASS')],
  });
  return factory;
}
const asked = (factory: Factory): number =>
  factory.calls().filter(({ program, prompt }) => program === 'gemini' && prompt.includes('floor manager')).length;

describe("an agent in the floor manager's place", () => {
  test('rebuts finding by finding with what stands in the change, and the judge is asked again', async () => {
    const factory = await world(rebuts(point));
    expect((await factory.run(aContract())).status).toBe('merged');
    const { rebuttals, attempt } = await factory.show('DOC-001');
    expect({ rebuttals, attempt }).toEqual({ rebuttals: 1, attempt: 1 });
    expect(await factory.story()).toContain('manager says rebut: the judge has overlooked a line');
    const again = factory.calls('judge').at(-1);
    expect(again?.prompt).toContain('REBUTTAL.md');
  });

  test('sends back what it agrees to, with its reason', async () => {
    const factory = await world({ structured: { decision: 'fix', reason: 'the line is missing', rebuttals: [] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(await factory.story()).toContain('the floor manager agrees: the line is missing');
    expect(await factory.show('DOC-001')).toMatchObject({ rebuttals: 0, attempt: 2 });
  });

  test.each([
    [
      'merges what the judge failed',
      { structured: { decision: 'merge', reason: 'it is good', rebuttals: [] } },
      'not for it to decide',
    ],
    ['rebuts and cites nothing', rebuts({ ...point, quote: '' }), 'does not count'],
    [
      'rebuts with words that stand nowhere',
      rebuts({ ...point, quote: 'A token is valid for ever and ever.' }),
      'does not count',
    ],
    ['answers not every finding', rebuts({ ...point, finding: 'B2' }), 'does not answer B1'],
    ['says nothing that can be read', { reply: 'Merge it!' }, 'no JSON object with a decision'],
    ['fails', { reply: 'x', does: [{ exit: 3 }] }, 'gave no answer'],
  ] as const)('one that %s changes nothing: andon decides by its own policy', async (_, answer, why) => {
    const factory = await world(answer);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(await factory.show('DOC-001')).toMatchObject({ rebuttals: 0, attempt: 2 });
    expect(await factory.story()).toContain(why);
  });

  test.each([
    ['gemini where nobody names one and its program is there', {}, {}, 1],
    ['a profile that the contract names', {}, { 'roles.floor_manager': 'manager' }, 1],
    ['gemini by that name', {}, { 'roles.floor_manager': 'gemini' }, 1],
    ['nobody where the project says so', { roles: { floor_manager: 'andon' } }, {}, 0],
    [
      'nobody unnamed where its call, which tells no price, would use up a budget',
      {},
      { 'limits.budget': { usd: 5 } },
      0,
    ],
  ])('is %s', async (_, project, contract, times) => {
    const factory = await world(rebuts(point), project);
    await factory.run(aContract(contract));
    expect(asked(factory)).toBe(times);
    const { calls } = await factory.show('DOC-001');
    expect(calls.filter(({ station }) => station === 'floor-manager')).toHaveLength(times);
  });

  test('is not asked about a PASS, nor is gemini where its program is not there', async () => {
    const passed = await world(rebuts(point));
    scriptDriven(passed, 'gemini', [rebuts(point)]);
    await passed.run(aContract());
    expect(asked(passed)).toBe(0);
    const factory = await aFactory();
    factory.script({
      implementer: [answerOnce(writes({ 'docs/auth_final.md': FINAL })), writes(NEW)],
      judge: [answerOnce(FAILS), judges('PASS')],
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(await factory.story()).not.toContain('floor manager: gemini');
  });

  test('is answered finding by finding: a refusal that cites what is there is not outvoted, and the change goes back', async () => {
    const factory = await world(rebuts(point));
    const answer = { finding: 'B1', answer: 'REFUSED', why: 'not how often', file: point.file, line: null };
    scriptDriven(factory, 'gemini', [{ ...rebuts(point), times: 1 }], {
      implementer: [answerOnce(writes({ 'docs/auth_final.md': FINAL })), writes(NEW)],
      judge: [
        answerOnce(FAILS),
        answerOnce(judges('PASS', { rebuttal_answers: [{ ...answer, quote: 'never said anywhere' }] })),
        answerOnce(judges('PASS', { rebuttal_answers: [{ ...answer, quote: TOKEN_LINE }] })),
        judges('PASS'),
      ],
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    const told = await factory.story();
    expect(told).toContain('it refuses the rebuttal of B1, and that does not count');
    expect(await factory.show('DOC-001')).toMatchObject({ rebuttals: 1, attempt: 2 });
    expect(factory.calls('judge')[1]?.prompt).toContain('Answer in `rebuttal_answers` each of B1:');
  });
});
