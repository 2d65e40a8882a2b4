import { describe, expect, test } from 'vitest';
import type { RuledFinding, Ruling } from '../../../../src/rules/model/ruling.ts';
import { listFallbacks, decideAnswerFate, withReplacement } from '../../../../src/rules/response/answer-on-the-line.ts';

const found = (changes: Partial<RuledFinding> = {}): RuledFinding => ({
  rule: 'CALM',
  title: 'Calm',
  priority: 'P1',
  handler: 'QUICK_FIX',
  hard: true,
  does: 'stop',
  message: 'Stay calm',
  fingerprint: 'f',
  ...changes,
});
const ruling = (...all: readonly RuledFinding[]): Ruling => ({
  moment: 'change',
  phase: 'IMPLEMENTATION',
  score: 0,
  found: [...all],
  unchecked: [],
});
const retries = (byRules: number, inAll = byRules, maxRetries = 1) => ({ byRules, inAll, maxRetries });

describe('an answer that breaks a hard constraint', () => {
  test('goes back while it may, with rule, kind and reason as hints', () => {
    const one = found({ violation: 'llm_judge_failed', reason: 'it\nshouts', excerpt: 'NOW!' });
    const fate = decideAnswerFate(ruling(one), retries(0));
    expect(fate).toMatchObject({ is: 'sent back', ruling: { found: [{ does: 'regenerate' }] } });
    expect(fate.is === 'sent back' && fate.hints.split('\n')[1]).toBe(
      '- CALM (llm_judge_failed): Stay calm | it shouts | found: "NOW!"',
    );
  });

  test.each([
    ['was sent back so often as max_retries says', retries(1)],
    ['may not be sent back at all', retries(0, 0, 0)],
    ['was sent back three times by whoever', retries(0, 3, 3)],
  ])('stops the line when it %s', (_, given) => {
    expect(decideAnswerFate(ruling(found()), given).is).toBe('stopped');
  });
});

test('a soft rule that goes back in vain is written down and stops nothing', () => {
  const soft = found({ hard: false, does: 'quick_fix' });
  expect(decideAnswerFate(ruling(soft), retries(0)).is).toBe('sent back');
  expect(decideAnswerFate(ruling(soft), retries(1))).toMatchObject({
    is: 'taken',
    ruling: { found: [{ does: 'log' }] },
  });
});

test('what is waived, told or put off leaves the answer as it is', () => {
  const all = (['suppressed', 'log', 'hook', 'later'] as const).map((does) => found({ does }));
  expect(decideAnswerFate(ruling(...all), retries(0)).is).toBe('taken');
});

test('the fallback texts are those of the rules that are broken, each once', () => {
  const rules = new Map(
    [
      ['A', ' Sorry. '],
      ['B', 'Sorry.'],
      ['C', 'Never.'],
    ].map(([id = '', fallback]) => [id, { id, fallback } as never]),
  );
  const given = ruling(found({ rule: 'A' }), found({ rule: 'B' }), found({ rule: 'C', does: 'log' }));
  expect(listFallbacks(given, rules)).toEqual(['Sorry.']);
  expect(withReplacement(given).found.map(({ does }) => does)).toEqual(['log', 'log', 'log']);
});
