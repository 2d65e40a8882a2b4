/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { answer, choose, decide, standing } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';
import { HAS_TERMINAL, KEYS, inTerminal } from '../support/terminal.ts';
import { PATH, resume, write } from '../support/versions.ts';

const key = ['AKIA', 'QYLPMN5H', 'HHFPZAM2'].join('');
const leak = writes({ [PATH]: `${FINAL}\naws_access_key_id = ${key}\n` });

const paradox = async () => {
  const factory = await aFactory({ scenario: { implementer: [answerOnce(leak), write(2)] } });
  const { dog } = await factory.run(aContract());
  expect(factory.breaker()).toBe('paradox');
  return { factory, dog, before: standing(factory) };
};
const isLeaked = (read: (path: string) => string): void => expect(read(PATH)).toContain('aws_access_key_id');

describe.skipIf(!HAS_TERMINAL)('siding with the judge at a terminal (needs `script` of util-linux)', () => {
  test('asks to type the task id; leaving chooses nothing', async () => {
    const { factory, dog, before } = await paradox();
    const left = inTerminal(factory, ['resume', 'DOC-001', '--path', '2']);
    await left.answer('Type the task id (DOC-001) to confirm', KEYS.escape);
    expect(await left.ended).toBe(1);
    expect(standing(factory)).toEqual(before);
    const typed = inTerminal(factory, ['resume', 'DOC-001', '--path', '2']);
    await typed.answer('Type the task id (DOC-001) to confirm', 'DOC-002', KEYS.enter);
    await typed.see('That is not DOC-001');
    expect(standing(factory)).toEqual(before);
    typed.type(KEYS.erase, 'DOC-001', KEYS.enter);
    expect(await typed.ended).toBe(0);
    await dog.until(() => factory.isMerged());
  });

  test('asks nothing for the other path', async () => {
    const { factory, dog } = await paradox();
    const chosen = inTerminal(factory, ['resume', 'DOC-001', '--path', '1']);
    expect(await chosen.ended).toBe(0);
    expect(chosen.shown()).toContain('goes on. ');
    await dog.until(() => factory.isMerged());
  });
});

describe('siding with the judge at a paradox', () => {
  test('by command needs the task id once more, and says what to type', async () => {
    const { factory, dog, before } = await paradox();
    expect(factory.paper('ERIK_HALT.md')).toContain('andon resume DOC-001 --path 2 --halt DOC-001-1 --confirm DOC-001');
    for (const more of [[], ['--confirm', 'DOC-002'], ['--confirm', 'doc-001'], ['--confirm', ' ']]) {
      const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', '2', ...more);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('andon resume DOC-001 --path 2 --halt DOC-001-1 --confirm DOC-001') as unknown,
      });
    }
    const empty = await factory.andon('resume', 'DOC-001', '--path', '2', '--confirm', '');
    expect({ ...empty }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Empty value: --confirm.'),
    });
    expect(standing(factory)).toEqual(before);
    await dog.stop();
    expect((await factory.andon('resume', 'DOC-001', '--path', '2')).code).toBe(2);
    expect(standing(factory)).toEqual(before);
    await resume(factory, 2, '--confirm', 'DOC-001');
    const again = await factory.watch();
    await again.until(() => factory.isMerged());
    isLeaked(factory.read);
    expect(factory.calls('judge')).toHaveLength(1);
  });

  test('by DECISION.json needs `confirm`', async () => {
    const { factory, dog, before } = await paradox();
    expect(factory.paper('ERIK_HALT.md')).toContain('`"confirm": "DOC-001"`');
    decide(factory, answer(factory, { path: 2 }));
    await dog.until('needs the task id as a confirmation');
    decide(factory, answer(factory, { path: 2, confirm: 'yes' }));
    await dog.until('path 2 is confirmed with "yes"; the task is DOC-001');
    expect(standing(factory)).toEqual(before);
    decide(factory, answer(factory, { path: 2, confirm: 'DOC-001' }));
    await dog.until(() => factory.isMerged());
    isLeaked(factory.read);
  });

  test('is not asked for by the other path', async () => {
    const { factory, dog } = await paradox();
    choose(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).not.toContain('aws_access_key_id');
  });
});
