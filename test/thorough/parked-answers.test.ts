/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { decide } from '../support/answers.ts';
import type { Factory } from '../support/factory.ts';
import { aParked, aside, headIn, tickIn } from '../support/parked.ts';
import { judges, times } from '../support/scenario.ts';

/** The three ways to answer the halt of a parked task, each from its own folder and from the one that all share. */
const ANSWERS: Readonly<Record<string, (factory: Factory, path: 1 | 2) => Promise<unknown> | void>> = {
  'a tick in its own report': (factory, path) => tickIn(factory, aside('DOC-001', 'ERIK_HALT.md'), path),
  'a tick in the shared report': (factory, path) => tickIn(factory, 'ERIK_HALT.md', path),
  'DECISION.json in its own folder': (factory, path) =>
    factory.drop(decision(factory, path), aside('DOC-001', 'DECISION.json')),
  'DECISION.json in the shared folder': (factory, path) => decide(factory, decision(factory, path)),
  'andon resume': (factory, path) => factory.andon('resume', 'DOC-001', '--path', String(path)),
  'andon resume, without an id': (factory, path) => factory.andon('resume', '--path', String(path)),
};
const decision = (factory: Factory, path: 1 | 2): object => ({
  task_id: 'DOC-001',
  halt: headIn(factory, aside('DOC-001', 'ERIK_HALT.md'), 'halt'),
  nonce: headIn(factory, aside('DOC-001', 'ERIK_HALT.md'), 'nonce'),
  path,
});

describe('a halt of one task', () => {
  test.each(Object.entries(ANSWERS))('is answered while others go on, by %s', async (_how, answer) => {
    const { factory, dog } = await aParked();
    await answer(factory, 1);
    await dog.until(() => factory.isMerged('DOC-001'));
    expect([factory.paper('ERIK_HALT.md'), factory.has('_handoff/tasks/DOC-001')]).toEqual([undefined, false]);
    expect(factory.merges()).toHaveLength(2);
  });

  test('is looked at again when the target has moved meanwhile: gates and judge, on the new one', async () => {
    const judge = [times(3, { reply: 'no report' }), judges('PASS')];
    const { factory, dog } = await aParked({ first: { judge } }, {});
    expect(headIn(factory, 'ERIK_HALT.md', 'breaker')).toBe('unreadable_report');
    const { commit } = await factory.show('DOC-001');
    await factory.andon('resume', 'DOC-001', '--path', '1');
    await dog.until(() => factory.isMerged('DOC-001'));
    const { story } = await factory.show('DOC-001');
    const told = story.map(({ text }) => text).join('\n');
    expect(told).toContain('main moved while DOC-001 was parked; gates, review and judge look again');
    const [merge = ''] = factory.merges();
    expect(factory.git('rev-parse', `${merge}^2`)).not.toBe(commit);
    expect(factory.read('notes/DOC-002/note.md')).toContain('DOC-002');
  });
});
