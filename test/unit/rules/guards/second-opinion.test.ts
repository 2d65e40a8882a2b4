import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit, oddsOf } from '../../../../scripts/teach/fit.ts';
import type { Lesson } from '../../../../scripts/teach/fit.ts';
import { hashOf, taughtRows } from '../../../../scripts/teach/rows.ts';
import { STANDARD_MESSAGES } from '../../../../src/rule-model/message-settings.ts';
import { readProse } from '../../../../src/rules/guards/prose.ts';
import { checkReview, downgraded } from '../../../../src/rules/guards/review-gate.ts';
import { bothOdds, decide, headOf, read } from '../../../../src/rules/guards/second-opinion.ts';
import type { Head } from '../../../../src/rules/guards/second-opinion.ts';
import { featuresOf } from '../../../../src/rules/guards/sentence-features.ts';
import { praiseFeedback, validateResponse } from '../../../../src/rules/guards/response-validator.ts';
import table from '../../../../src/rules/guards/words/second-opinion.json' with { type: 'json' };

describe('the second opinion on a message', () => {
  it('was learned from the rows that lie there, as they are read now: npm run teach writes it anew', () => {
    expect(table.rows).toBe(hashOf(taughtRows()));
  });

  it.each([
    'If code were jazz, this would be Coltrane.',
    'Consider me deployed; wheels are turning.',
    '무릎을 탁 치게 만드는 한 수였어요.',
    '这一手真是神来之笔。',
  ])('refuses praise and announcements that no list of words holds: %s', (text) => {
    expect(validateResponse(text, STANDARD_MESSAGES.responseValidator).valid).toBe(false);
  });

  it.each([
    'The retry swallowed the timeout, so the check stands before the sleep now.',
    'Beautiful, the build died again: the linker cannot find the crypto library.',
    '재시도 로직이 타임아웃을 삼키고 있어서 순서를 바꿨어요.',
    '重试把超时吞掉了,我把检查挪到了等待之前。',
  ])('lets plain reports pass that name nothing to look up: %s', (text) => {
    expect(validateResponse(text, STANDARD_MESSAGES.responseValidator).valid).toBe(true);
  });

  it.each([
    'Hello! Could you please tell me which port the service should listen on? Thank you!',
    '你好!请问重试应该放在客户端还是队列里?谢谢!',
    'Thanks for catching that! I forgot the empty case and fixed it.',
    'I went for a simple queue over a priority heap. It is easy to read, robust, and fast enough for a hundred jobs.',
  ])('lets everyday talk pass that asks, answers or decides something: %s', (text) => {
    expect(validateResponse(text, STANDARD_MESSAGES.responseValidator).valid).toBe(true);
  });

  it.each([
    'Wunderbar, das ist wirklich ein großartiger Vorschlag!',
    'Bella idea, ma va in un altro cambiamento.',
    '認証処理未完了、試験不合格。',
  ])('has no opinion of a language it has not learned: %s', (text) => {
    expect(validateResponse(text, STANDARD_MESSAGES.responseValidator).valid).toBe(true);
    expect(checkReview(text, STANDARD_MESSAGES.reviewGate).accepted).toBe(true);
  });

  it.each([
    "I'd approve if npm test passed.",
    "Once the tests are green I'll sign off.",
    'If npm test passed, I would approve.',
    'CI가 초록색이 되면 승인하겠습니다.',
    '如果 npm test 通过,我就会批准。',
  ])('finds no approval where it is said which run is missing: %s', (text) => {
    expect(checkReview(text, STANDARD_MESSAGES.reviewGate)).toMatchObject({ isApproval: false, accepted: true });
  });

  it.each([
    'Approve. npm test: 3 failed, 39 passed; read src/a.ts:1-80.',
    'APPROVE. pytest: 2 failed, 55 passed in 3.2s. git diff: +23 -5 in src/a.ts.',
    '승인. npm test: 3개 실패, 39개 통과. src/a.ts:1-80 확인했습니다.',
    '批准。npm test:3 个失败,39 个通过,已阅读 src/a.ts:1-80。',
  ])('never talks an approval out of what the rules found red: %s', (text) => {
    expect(checkReview(text, STANDARD_MESSAGES.reviewGate)).toMatchObject({ isApproval: true, accepted: false });
  });

  it('names the sentence that approves where no word of the lists does, so that this can be turned down', () => {
    const text = 'Read over it on the train. Happy with this one, nothing to add.';
    const { accepted, isApproval, approvals, against } = checkReview(text, STANDARD_MESSAGES.reviewGate);
    expect({ accepted, isApproval }).toEqual({ accepted: false, isApproval: true });
    expect(against[0]).toContain('"Happy with this one, nothing to add."');
    expect(downgraded(text, approvals)).toBe('Read over it on the train. NEEDS_REVIEW');
    const quoting = checkReview('Happy with this one, "nothing" to add.', STANDARD_MESSAGES.reviewGate);
    expect(quoting.against[0]).toContain('"Happy with this one, … to add."');
  });

  it('says that it is what a message reads like that is refused, where no rule refuses a word of it', () => {
    const read = validateResponse('If code were jazz, this would be Coltrane.', STANDARD_MESSAGES.responseValidator);
    expect(praiseFeedback(read)).toContain(
      'Refused: as a whole it reads like a message that says nothing, most of all "If',
    );
    expect(validateResponse('Perfect!', STANDARD_MESSAGES.responseValidator).isByReading).toBe(false);
  });

  it('says for which sentences a message reads empty', () => {
    const { sentences } = readProse('The parser drops the last row. What a triumph of craft!');
    const { bySentence } = read(headOf('empty'), sentences, false);
    expect(bySentence[0]).toBeLessThan(0);
    expect(bySentence[1]).toBeGreaterThan(0);
  });

  it('counts for less where a project allows more praise', () => {
    const text = 'If code were jazz, this would be Coltrane.';
    const allowing = (flatteryThreshold: number) =>
      validateResponse(text, { ...STANDARD_MESSAGES.responseValidator, flatteryThreshold }).valid;
    expect(allowing(0.2)).toBe(false);
    expect(allowing(0.999)).toBe(true);
    expect(allowing(1)).toBe(true);
  });

  it('refuses no more where a project allows less, or none: that is what the rules are for', () => {
    const strict = { ...STANDARD_MESSAGES.responseValidator, flatteryThreshold: 0 };
    expect(validateResponse('The retry swallowed the timeout, so I moved the check.', strict).valid).toBe(true);
    expect(validateResponse('Lovely plan. I moved the check before the sleep in the retry loop.', strict).valid).toBe(
      validateResponse('Lovely plan. I moved the check before the sleep in the retry loop.', {
        ...strict,
        flatteryThreshold: 0.2,
      }).valid,
    );
    expect(validateResponse("Sure, I'll get started!", { ...strict, flatteryThreshold: 1 }).valid).toBe(false);
  });

  it('lets pass, and says so, what it and the rules hardly refuse together', () => {
    expect(decide(0.1, 0)).toEqual({ isRefused: false, isSure: false });
    expect(decide(3, 0)).toEqual({ isRefused: true, isSure: true });
    expect(decide(-3, 0)).toEqual({ isRefused: false, isSure: true });
  });
});

describe('what a sentence is made of', () => {
  it('is its words and their pairs, and kinds instead of names and numbers', () => {
    const features = featuresOf('All 42/42 tests pass in src/a.ts!');
    expect(featuresOf('All 7/7 tests pass in lib/other.py!')).toEqual(features);
    expect(featuresOf('All 6/7 tests pass in src/a.ts!')).not.toEqual(features);
    expect(shared('All tests pass', 'Tests pass, all')).toBeLessThan(featuresOf('All tests pass').length);
  });

  it('is pieces of Korean and Chinese words, so that endings and neighbours are known', () => {
    expect(shared('통과했다', '통과했습니다')).toBeGreaterThan(4);
    expect(shared('没有通过', '通过')).toBeGreaterThan(2);
  });

  it('is whole numbers of 30 bits, whatever the sentence', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        for (const feature of featuresOf(text)) expect(feature).toBe(feature & 0x3fffffff);
      }),
    );
  });
});

/** How many features two sentences share. */
function shared(one: string, other: string): number {
  const mine = new Set(featuresOf(one));
  return [...new Set(featuresOf(other))].filter((feature) => mine.has(feature)).length;
}

describe('learning', () => {
  const lesson = (text: string, isYes: boolean, first?: boolean): Lesson => ({
    said: [featuresOf(text)],
    shows: false,
    isYes,
    first,
    weight: 1,
  });
  const odds = (head: Head, text: string) => read(head, readProse(text).sentences, false).odds;

  it('tells one kind from another, also in sentences it has not seen', () => {
    const lessons = ['lovely plan', 'lovely idea', 'such a lovely day', 'lovely code']
      .map((text) => lesson(text, true))
      .concat(['parser fails', 'parser broken', 'the parser throws', 'parser test'].map((text) => lesson(text, false)));
    const [head] = fit(lessons, 1);
    if (head === undefined) throw new Error('no head');
    expect(odds(head, 'a lovely thing')).toBeGreaterThan(0);
    expect(odds(head, 'parser thing')).toBeLessThan(0);
  });

  it('learns two questions of which only both together make a yes', () => {
    const lessons = [
      ...['approve', 'approve it', 'approve now', 'i approve'].map((text) => lesson(text, true)),
      ...['approve ran tests', 'approve it ran tests', 'i approve ran tests'].map((text) => lesson(text, false, true)),
      ...['wait', 'wait now', 'wait it', 'i wait'].map((text) => lesson(text, false, false)),
    ];
    const [approves, bare] = fit(lessons, 2);
    if (approves === undefined || bare === undefined) throw new Error('no heads');
    const both = (text: string) => bothOdds(odds(approves, text), odds(bare, text));
    expect(both('approve')).toBeGreaterThan(0);
    expect(both('approve ran tests')).toBeLessThan(0);
    expect(both('wait')).toBeLessThan(0);
    expect(odds(approves, 'approve ran tests')).toBeGreaterThan(odds(approves, 'wait'));
  });

  it('reads a text as the guards read it', () => {
    const { sentences } = readProse('The parser drops the last row. 테스트를 고쳤다! 没有通过。');
    const said = sentences.map(({ text }) => featuresOf(text));
    for (const question of ['empty', 'approves', 'bare'] as const)
      expect(oddsOf(headOf(question), { said, shows: true })).toBeCloseTo(
        read(headOf(question), sentences, true).odds,
        10,
      );
  });

  it('gives the same head for the same lessons', () => {
    const lessons = [lesson('lovely plan', true), lesson('lovely idea', true), lesson('parser plan', false)];
    const weights = () => [...(fit(lessons, 1)[0]?.weights ?? [])];
    expect(weights()).toEqual(weights());
  });
});
