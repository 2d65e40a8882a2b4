/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { decide } from '../support/answers.ts';
import type { Factory } from '../support/factory.ts';
import { aParked, aside, decisionOn, headIn } from '../support/parked.ts';
import { FINAL, answerTimes, judges, writes } from '../support/scenario.ts';

const REPORT = aside('DOC-001', 'ERIK_HALT.md');

/** The ways to answer the halt of a parked task. */
const ANSWERS: Readonly<Record<string, (factory: Factory, path: 1 | 2) => Promise<unknown> | void>> = {
  'DECISION.json beside its report': (factory, path) =>
    factory.drop(decisionOn(factory, REPORT, path), aside('DOC-001', 'DECISION.json')),
  'DECISION.json': (factory, path) => decide(factory, decisionOn(factory, REPORT, path)),
  'andon resume': (factory, path) => factory.andon('resume', 'DOC-001', '--path', String(path)),
  'andon resume, without an id': (factory, path) => factory.andon('resume', '--path', String(path)),
};

describe('a halt of one task', () => {
  test.each(Object.entries(ANSWERS))('is answered while others go on, by %s', async (_how, answer) => {
    const { factory, dog } = await aParked();
    await answer(factory, 1);
    await dog.until(() => factory.isMerged('DOC-001'));
    expect([factory.paper('ERIK_HALT.md'), factory.has('_handoff/tasks/DOC-001')]).toEqual([undefined, false]);
    expect(factory.merges()).toHaveLength(2);
  });

  test('is looked at again when the target has moved meanwhile: gates and judge, on the new one', async () => {
    const judge = [answerTimes(3, { reply: 'no report' }), judges('PASS')];
    const { factory, dog } = await aParked({ first: { judge } }, {});
    expect(headIn(factory, 'ERIK_HALT.md', 'breaker')).toBe('unreadable_report');
    const { commit } = await factory.show('DOC-001');
    await factory.andon('resume', 'DOC-001', '--path', '1');
    await dog.until(() => factory.isMerged('DOC-001'));
    const told = await factory.story();
    expect(told).toContain('main moved while DOC-001 was set aside; gates, review and judge look again');
    const [merge = ''] = factory.merges();
    expect(factory.git('rev-parse', `${merge}^2`)).not.toBe(commit);
    expect(factory.read('notes/DOC-002/note.md')).toContain('DOC-002');
  });

  test('without a change goes on from the target as it is now', async () => {
    const implementer = [answerTimes(2, writes({ 'elsewhere.md': 'x\n' })), writes({ 'docs/auth_final.md': FINAL })];
    const { factory, dog } = await aParked({ first: { implementer } }, {});
    expect(headIn(factory, 'ERIK_HALT.md', 'breaker')).toBe('scope');
    const moved = factory.git('rev-parse', 'main');
    await factory.andon('resume', 'DOC-001', '--path', '2');
    await dog.until(() => factory.isMerged('DOC-001'));
    expect(await factory.story()).toContain(
      `main moved while DOC-001 was set aside; the task goes on from ${moved.slice(0, 12)}`,
    );
  });
});
