import { expect, test } from 'vitest';
import { judgeBy } from '../../../../src/rules/files/lane-tools.ts';
import { success } from '../../../../src/base/outcome.ts';
import type { Rule } from '../../../../src/rules/model/rule.ts';

const RULE = { id: 'CALM', action_text: 'stay calm' } as unknown as Rule;

/** A model that says one thing, and a place where its opinions are kept. */
function aJudge(value: unknown, files = new Map<string, string>(), name = 'model-1') {
  let questions = 0;
  const ask = () => {
    questions += 1;
    return Promise.resolve(success({ value, tokensIn: 1, tokensOut: 1 }));
  };
  const kept = {
    readOpinion: (digest: string) => files.get(digest),
    keepOpinion: (digest: string, text: string) => void files.set(digest, text),
  };
  return { judge: judgeBy({ name, ask }, kept), files, asked: () => questions };
}

const VIOLATED = { verdict: 'VIOLATED', reason: 'it shouts', quote: 'NOW' };

test('what was decided is not asked again in another run, and of another model or text it is', async () => {
  const first = aJudge(VIOLATED);
  expect((await first.judge(RULE, 'MERGE NOW')).status).toBe('VIOLATED');
  const second = aJudge(VIOLATED, first.files);
  expect((await second.judge(RULE, 'MERGE NOW')).status).toBe('VIOLATED');
  expect(second.asked()).toBe(0);
  await second.judge(RULE, 'MERGE IT NOW');
  expect(second.asked()).toBe(1);
  const other = aJudge(VIOLATED, first.files, 'model-2');
  await other.judge(RULE, 'MERGE NOW');
  expect(other.asked()).toBe(1);
});

test('what was not decided is kept nowhere', async () => {
  const judge = aJudge({ verdict: 'UNDECIDED', reason: 'x', quote: '' });
  await judge.judge(RULE, 'MERGE NOW');
  await judge.judge(RULE, 'MERGE NOW');
  expect([judge.files.size, judge.asked()]).toEqual([0, 2]);
});

test.each(['', 'PASS', '{"verdict":"PASS"}', '{"verdict":"VIOLATED","reason":"x","quote":"not there"}'])(
  'what is kept and says %j counts for nothing: the model is asked again',
  async (text) => {
    const first = aJudge(VIOLATED);
    await first.judge(RULE, 'MERGE NOW');
    for (const key of first.files.keys()) first.files.set(key, text);
    const second = aJudge(VIOLATED, first.files);
    expect((await second.judge(RULE, 'MERGE NOW')).status).toBe('VIOLATED');
    expect(second.asked()).toBe(1);
  },
);
