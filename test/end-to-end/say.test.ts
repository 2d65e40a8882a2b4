import { describe, expect, test } from 'vitest';
import { aHalt, answer, decide } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, answerOnce, issue, judges, writes } from '../support/scenario.ts';
import { PATH } from '../support/versions.ts';

const SENTENCE = 'Show every date in UTC.';

describe('a sentence at a halt', () => {
  test('reaches the next prompt as the words of its author, by command, and without a secret', async () => {
    const { factory, dog } = await aHalt();
    const none = await factory.andon('say', 'DOC-009', SENTENCE);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('DOC-001')]);
    expect((await factory.andon('say', 'DOC-001')).code).toBe(2);

    const key = ['ghp', 'q7Vd1xP0sYw4Lk9RtB2nHc6JfZ8mGa3UeTo5'].join('_');
    const words = ['--say', `${SENTENCE} Use ${key} no more.`, '--reason', `${key} leaked`];
    const { code, stdout } = await factory.andon('resume', 'DOC-001', '--path', '1', ...words);
    expect([code, stdout]).toEqual([0, expect.stringContaining('goes on')]);
    await dog.until(() => factory.isMerged());
    const told = [(await factory.andon('show', 'DOC-001')).stdout, factory.calls('reviewer').at(-1)?.prompt ?? ''];
    expect(told[0]).toContain(`saying: ${SENTENCE}`);
    for (const text of told) expect(text).toContain(`${SENTENCE} Use *** no more.`);
    expect(told.join('')).not.toContain(key);
    expect(factory.paper('transition.ndjson')).not.toContain(key);
  });

  test('reaches it by DECISION.json as well', { tags: 'thorough' }, async () => {
    const { factory, dog } = await aHalt();
    decide(factory, { ...answer(factory), say: SENTENCE, max_diff_size: 900 });
    await dog.until(() => factory.isMerged());
    const story = (await factory.andon('show', 'DOC-001')).stdout;
    expect(story).toContain(`saying: ${SENTENCE}`);
    expect(story).toMatch(/lines of the change: at most \d+ → 900/);
  });
});

describe('limits that are changed with a path', () => {
  test.each([
    [['--allow', '.git/config'], 'protected|pattern'],
    [['--allow', '../x'], '\\.\\.'],
    [['--budget-usd', '0'], 'a number from 0.0001'],
    [['--budget-usd', '5'], 'sets no such budget'],
    [['--max-diff-size', '1.5'], 'whole number'],
    [['--model', 'no-such-model'], 'Expected a model that ollama has'],
  ])('are checked before anything moves: %j', { tags: 'thorough' }, async (flags, why) => {
    const { factory } = await aHalt();
    const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', '1', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(why))]);
    expect(factory.isHalted()).toBe(true);
  });
});

describe('andon say', () => {
  test('reaches the next attempt of a task whose agent works now', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [
          answerOnce({
            ...writes({ [PATH]: FINAL.replace('15', '5') }),
            does: [{ touch: 'at' }, { 'wait-for': 'go' }],
          }),
          writes({ [PATH]: FINAL }),
        ],
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('The link is missing')] })), judges('PASS')],
      },
    });
    const dog = await factory.begin(aContract(), 'at');
    const { code, stdout } = await factory.andon('say', 'DOC-001', SENTENCE);
    expect([code, stdout]).toEqual([0, expect.stringContaining('The next prompt of DOC-001 has it')]);
    factory.signal.give('go');
    await dog.until(() => factory.isMerged());
    expect(factory.calls('implementer').map(({ prompt }) => prompt.includes(SENTENCE))).toEqual([false, true]);
    expect((await factory.andon('show', 'DOC-001')).stdout).toContain(`says: ${SENTENCE}`);
  });
});
