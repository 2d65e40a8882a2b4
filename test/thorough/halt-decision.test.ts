/** @module-tag thorough */
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aHalt, answer, decide, headOf, nonceTold, standing } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { resume } from '../support/versions.ts';

const story = (transitions: readonly Record<string, unknown>[]): string =>
  transitions.map(({ status_reason: reason }) => String(reason)).join('\n');

const NOT_COUNTED = '_handoff/DECISION.json does not count';

/** What is wrong with an answer that is one by its shape, its keys, and what is said of it. */
const WRONG_ANSWERS: readonly (readonly [string, object, string])[] = [
  ['is about another task', { task_id: 'DOC-002' }, 'no task DOC-002 is on the line; DOC-001 is'],
  [
    'is about another halt',
    { halt: 'DOC-001-99' },
    'that answer was given for halt DOC-001-99; the current one is DOC-001-1',
  ],
  ['is about another tree', { tree: 'f'.repeat(40) }, `that answer was given about the tree ${'f'.repeat(40)}`],
  ['is about another contract', { contract_digest: 'f'.repeat(64) }, 'that answer was given under the contract ffff'],
  ['names no nonce', { nonce: undefined }, 'it names no nonce, so it may have lain there before the halt'],
  [
    'names another nonce',
    { nonce: 'f'.repeat(16) },
    'it names the nonce ffffffffffffffff, which is not that of DOC-001-1',
  ],
  ['confirms another task', { confirm: 'DOC-002' }, 'path 1 is confirmed with "DOC-002"; the task is DOC-001'],
];

describe('DECISION.json at a halt', () => {
  test('as the report shows it, with the suggested path or the other, is the same choice as the command; it goes to the archive with its name', async () => {
    const { factory, dog, id } = await aHalt();
    const shown = /^```json\n(\{"task_id".*\})\n```$/m.exec(factory.paper('ERIK_HALT.md') ?? '')?.[1];
    const suggested = JSON.parse(shown ?? '{}') as object;
    expect(suggested).toMatchObject({ path: 2 });
    const written = { ...suggested, path: 1, by: 'Erik', reason: 'It has to be that long.' };
    decide(factory, written);
    await dog.until(() => factory.isMerged());
    expect(story(factory.transitions())).toContain('Erik chose path 1 (DECISION.json): Accept this change');
    expect(factory.paper('DECISION.json')).toBeUndefined();
    expect(JSON.parse(factory.paper(`archive/DOC-001/${id}.DECISION.json`) ?? '')).toEqual(written);
    expect(story(factory.transitions())).toContain('because: It has to be that long.');
  });

  test('needs no more than task, halt, nonce and path; a mark at its start and Windows line ends do no harm', async () => {
    const { factory, dog, id } = await aHalt();
    decide(
      factory,
      `\uFEFF{\r\n  "task_id": "DOC-001",\r\n  "halt": "${id}",\r\n  "nonce": "${headOf(factory, 'nonce')}",\r\n  "path": 2\r\n}\r\n`,
    );
    await dog.until(() => factory.calls('implementer').length === 2);
    expect(story(factory.transitions())).toContain('a human chose path 2 (DECISION.json)');
  });

  test('may be written while no andon runs; the next one takes it', async () => {
    const { factory, dog } = await aHalt();
    await dog.stop();
    decide(factory, answer(factory));
    const again = await factory.watch();
    await again.until(() => factory.isMerged());
  });

  test('that cannot be meant is refused in words, once, and nothing moves; one that can be then counts', async () => {
    const { factory, dog } = await aHalt();
    const before = standing(factory);
    for (const [what, more, why] of WRONG_ANSWERS) {
      const told = dog.output().length;
      const said = (): string => dog.output().slice(told);
      decide(factory, answer(factory, more));
      await dog.until(() => said().includes(NOT_COUNTED));
      decide(factory, { ...answer(factory, more), reason: 'again' });
      await dog.until(() => said().split(NOT_COUNTED).length === 3);
      expect(said(), `one that ${what}`).toContain(why);
      expect(standing(factory), `after one that ${what}`).toEqual(before);
    }
    decide(factory, { task_id: 'DOC-001', decision: 'merge' });
    await dog.until('but the task is halted');
    decide(factory, answer(factory));
    await dog.until(() => factory.isMerged());
    expect(dog.output().split(NOT_COUNTED)).toHaveLength(2 * WRONG_ANSWERS.length + 2);
  });

  test('that is half written is waited for; left so, it is refused', async () => {
    const { factory, dog } = await aHalt();
    const whole = JSON.stringify(answer(factory));
    decide(factory, whole.slice(0, 30));
    await dog.until('_handoff/DECISION.json does not count');
    expect(dog.output()).toContain('the end of the file');
    decide(factory, '');
    decide(factory, whole.slice(0, 60));
    decide(factory, whole);
    await dog.until(() => factory.isMerged());
    expect(dog.output().split('does not count')).toHaveLength(2);
  });

  test('that is a link or a folder is not followed', async () => {
    const { factory, dog } = await aHalt();
    const file = join(factory.handoff, 'DECISION.json');
    writeFileSync(join(factory.folder, 'elsewhere.json'), JSON.stringify(answer(factory)));
    symlinkSync(join(factory.folder, 'elsewhere.json'), file);
    await dog.until('_handoff/DECISION.json does not count: it is a symbolic link');
    unlinkSync(file);
    mkdirSync(file);
    await dog.until('_handoff/DECISION.json does not count: it is not a plain file');
    expect(factory.isHalted()).toBe(true);
    rmSync(file, { recursive: true });
    decide(factory, answer(factory));
    await dog.until(() => factory.isMerged());
  });

  test('for a halt that was answered already is refused in words', async () => {
    const { factory, dog, id } = await aHalt();
    const late = answer(factory, { path: 2 });
    await dog.stop();
    await resume(factory, 1);
    decide(factory, late);
    factory.script({ judge: [{ structured: {}, does: [{ 'wait-for': 'go' }] }] });
    const again = await factory.watch();
    await again.until(`halt ${id} was answered already, with path 1`);
    expect(factory.paper('DECISION.json')).toBeDefined();
    expect(factory.transitions().filter(({ event }) => event === 'resume')).toHaveLength(1);
  });

  test('while nothing is halted is told what it would be for', async () => {
    const factory = await aFactory({ scenario: { implementer: [{ reply: 'x', does: [{ touch: 'at' }, 'silent'] }] } });
    const dog = await factory.begin(aContract(), 'at');
    decide(factory, { task_id: 'DOC-001', halt: 'DOC-001-1', path: 1 });
    await dog.until('_handoff/DECISION.json does not count: DOC-001 is not halted');
    decide(factory, { task_id: 'DOC-001', decision: 'merge' });
    await dog.until('_handoff/DECISION.json does not count: the built-in policy decides on reports');
  });
});

describe('DECISION.json of a human as the floor manager', () => {
  test('is not taken for an answer to the halt that follows, nor is an answer to a halt taken for his decision', async () => {
    const factory = await aFactory();
    const dog = await factory.begin(aContract({ 'roles.floor_manager': 'human' }));
    await dog.until('waits for your _handoff/DECISION.json');
    decide(factory, { task_id: 'DOC-001', halt: 'DOC-001-1', path: 1 });
    await dog.until('_handoff/DECISION.json does not count: DOC-001 is not halted');
    factory.write('docs/auth_final.md', 'my own unfinished version\n');
    decide(factory, { task_id: 'DOC-001', decision: 'merge', nonce: nonceTold(dog) });
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    rmSync(join(factory.repo, 'docs/auth_final.md'));
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(dog.output().split('does not count')).toHaveLength(2);
  });
});
