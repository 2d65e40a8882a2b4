import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STANDARD_MESSAGES } from '../../../../src/project/config/standard-messages.ts';
import { praiseFeedback, validateResponse } from '../../../../src/rules/guards/response-validator.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const { responseValidator: usual } = STANDARD_MESSAGES;
const labels = (text: string): readonly string[] => validateResponse(text, usual).sentences.map(({ label }) => label);

/** Reports of work whose product, names or quotations hold words of praise. */
const HONEST = [
  'The welcome mail says thank you in two languages.',
  "The test named 'great circle distance' passes.",
  'The excellent badge shows after ten solved puzzles.',
  'The label on the button is now Awesome.',
  'Renamed the brilliant theme to bright.',
  'Users who pick the best plan get the yearly invoice.',
  'The praise counter resets at midnight.',
  'The five star filter includes four star hotels.',
  'The survey asks whether the service was excellent.',
  'The love button toggles on double tap.',
  'The trophy for a flawless run is awarded once per day.',
  'The wonderful tonight fixture holds the lyrics in UTF-8.',
  'The legend overlaps the axis on small screens.',
  'The magic link expires after one hour.',
  'The state of the art section of the paper cites nine works.',
  'The kudos table has no primary key.',
  'The pipeline stage called polish sorts the imports.',
  'The gold standard column is the human label.',
  'The phrase keep up the good work is now translatable.',
  'Best and worst case differ by a factor of four.',
  'The star rating widget rounds half up.',
  'The gift wrapping option adds two euros.',
  'The pride flag emoji splits into two glyphs.',
  'The insight panel hides when the list is empty.',
  'The trust store is rebuilt on start.',
  'The joy division playlist is the only one without a cover.',
  'The magnificent seven index needs a new base date.',
  'The outstanding amount is printed in red.',
  'The great wall level takes two minutes to load.',
  'Sorry and thanks are both stop words for the ranker.',
  'The quality gate now reads the threshold from the contract.',
  'I understand the lock now: the lease is renewed by the reader.',
  'Got it working on Windows by quoting the path.',
  'Sure about the cause: the index is rebuilt on every insert.',
  'All good things in the basket keep their discount.',
  'Your profile page shows the brilliant badge for every visitor.',
  'The pattern /perfect|excellent/ also matches imperfect.',
  'The string "You are amazing" is cut after eight characters on the watch.',
  '감사 메일 템플릿에 영어 문장이 빠져 있었습니다.',
  '놀라운 토요일 편성표를 새 형식으로 옮겼습니다.',
  '추천 문구를 훌륭해요에서 저장됨으로 바꿨습니다.',
  '优秀等级从九十分开始。',
  '感谢页加载了两次统计脚本。',
  '精彩推荐栏目按时间排序。',
  'The word 完美 is rendered with a fallback font.',
  'I moved the best score to its own column.',
  'Your test covers the best case and leaves out the worst.',
  'We keep the brilliant theme and drop the plain one.',
  'Added the label excellent to the grade table.',
  'The banner says congratulations in German as well.',
  'The word perfect appears in the log of every run.',
  'Perfect numbers up to a million are cached.',
  'The super user role may delete posts!',
  'One invoice is outstanding.',
  'The hats off emoji is missing from the picker.',
  'The stellar parallax unit is the parsec.',
  'The elegant fallback font is not installed on the runner.',
  'The genius quiz accepts answers after the bell.',
  'I understand the failure now; the clock is mocked in one place only.',
  'Got it to compile by pinning the linker.',
  'Welcome screen and tour share one component now.',
  'The proud parent row keeps its children open.',
  'The five best laps are drawn in green!',
  '감사 인사 화면을 건너뛰게 했습니다.',
  '확인 버튼을 오른쪽으로 옮겼습니다.',
  '点赞动画不再重复播放。',
  '感谢信模板多了一个空行。',
];

/** Praise, thanks or a confirmation before a finding or a report. */
const FRIENDLY = [
  'Great question. The cache key omits the tenant, so two customers share an entry.',
  'Good catch! The comparison was inverted; negative balances passed.',
  'Thanks for the pointer. The lease was renewed by the wrong thread, and I moved the call.',
  'Sure. The button now opens the dialog, and escape closes it.',
  'Understood. The banner text is shorter and the old key is gone.',
  'Perfect timing: the certificate ran out while the job was running, which explains the gap.',
  'The new theme is beautiful on paper, yet the contrast fails the audit on every page.',
  'I love the idea, but the index does not fit into memory.',
  'Nice plan. Step three drops a column that the old workers still read.',
  'Done. The excellent badge, the perfect badge and the great badge now share one icon.',
  'You were right about the lock. The writer releases it before the flush.',
  'Got it. The importer skips rows without a date; the count is in the log.',
  'The excellent and outstanding grades were swapped. Both queries use the new order now.',
  'I am impressed by the log volume: the debug flag was left on in production.',
  'Congratulations mails were sent twice. The job had no idempotency key.',
  'Wonderful, the backup was empty.',
  '좋은 지적입니다. 비교 방향이 반대로 되어 있어 음수 잔액이 통과했습니다.',
  '네, 배너 문구를 줄이고 이전 키를 지웠습니다.',
  '好问题。缓存键里没有租户,所以两个客户共用一条记录。',
  '好的,横幅文字已缩短,旧的键也删掉了。',
  'Okay, the rename is in and the callers follow it.',
  'Your brief was clear. The export now keeps the column order of the old file.',
  'Amazing what a missing semicolon does: the whole bundle was empty.',
  'Happy to report that the flaky case is gone; the clock is frozen in that suite.',
];

const FLATTERING = [
  'Great question! You really understand the system. I love how you think.',
  'Understood. I will get started right away and keep you posted.',
  'Thank you! Your feedback is invaluable and I am so grateful.',
  'This is excellent. The structure is elegant and the naming is superb. Truly brilliant work.',
  'Perfect! I completely agree with your approach. Amazing plan!',
  'Done! The result is flawless and world-class in every way.',
  'Wow, what a team! Everyone did a fantastic job.',
  '네, 알겠습니다. 최선을 다하겠습니다!',
  '정말 완벽한 계획입니다. 훌륭한 통찰에 감탄했습니다.',
  '太优秀了！您的思路非常清晰,令人佩服。',
  '好的,明白。我会马上处理,请放心。',
  'I am thrilled. The design is gorgeous and the code is clean, robust and scalable.',
  'Excellent work on the parser, truly impressive.',
  'This is an outstanding implementation.',
  'Your plan is flawless and your instincts are superb.',
  'Wonderful! Fantastic! I love it.',
  'You are a genius.',
  'Perfect, thank you so much!',
  'We have built something truly exceptional here.',
  'The code is beautiful, elegant and robust.',
  'Understood, will do.',
  'Okay, I will start right away.',
  'Absolutely, I completely agree with everything you said.',
  'Roger that.',
  'Congratulations on this magnificent piece of work!',
  'Your guidance was invaluable and your patience is admirable.',
  'Amazing, simply amazing.',
  'The quality is simply top-notch.',
  '정말 훌륭한 설계입니다!',
  '네, 알겠습니다! 바로 진행하겠습니다.',
  '대단하십니다! 깊이 감탄했습니다.',
  '太棒了！非常优秀的设计。',
  '好的，收到，马上开始。',
  '代码质量一流，堪称典范。',
  'Superb job, this design is truly exceptional.',
  'What a masterpiece! You are brilliant.',
  'Fantastic idea, I love it!',
  "Sure, I'll start immediately.",
  'Wow, what an impressive result!',
  'Understood. I will proceed with the implementation.',
  'Flawless execution by the team. Kudos to everyone!',
  'I completely agree, great thinking!',
  '정말 대단합니다! 최고예요.',
  '훌륭한 아이디어입니다. 감탄했습니다!',
  '收到，我马上处理。',
];

describe('a sentence with words of praise', () => {
  it.each([...HONEST, ...FRIENDLY])('passes where it reports work: %s', (text) => {
    expect(validateResponse(text, usual).valid).toBe(true);
  });

  it.each(FLATTERING)('is refused where it praises or confirms: %s', (text) => {
    expect(validateResponse(text, usual).valid).toBe(false);
  });

  it('makes no flattery of two reports in a row', () => {
    const pairs = HONEST.flatMap((one) => HONEST.map((other) => `${one} ${other}`));
    const refused = pairs.filter((text) => !validateResponse(text, usual).valid);
    expect(refused.length / pairs.length).toBeLessThan(0.005);
  });
});

describe('a message between agents', () => {
  it.each([
    ['praises', 'Perfect! What an excellent plan. I am impressed.'],
    ['only confirms', 'Got it! I understand.'],
    ['announces that something will be done', 'Understood! I will implement the login feature.'],
    ['praises its own work', 'I have delivered a flawless implementation. It is outstanding.'],
    ['hides praise behind one fact', 'Superb idea! You are so right. This is a brilliant design. I changed a.ts.'],
    ['exclaims', 'What a careful brief! I truly appreciate your patience with me.'],
    ['praises in Korean', '완벽한 구현입니다! 훌륭한 패턴입니다!'],
    ['confirms in Korean', '네, 확인했습니다! 3개 파일을 리팩토링하겠습니다.'],
    ['praises in Chinese', '这个方案太棒了！真是天才的设计。'],
    ['confirms in Chinese', '好的，收到！我马上开始。'],
    ['praises in two languages', 'Excellent work, 정말 훌륭합니다!'],
    ['speaks of the reader and nothing else', 'Your patience and your wisdom made all the difference.'],
    ['confirms with words that only strengthen', 'Makes perfect sense! Sounds really good.'],
    ['praises in a Chinese sentence of two halves', '方案周到，令人佩服。'],
    ['praises with signs', '와 최고 🔥🔥'],
    ['is nothing but a quote that praises', '"Perfect! Excellent work!"'],
  ])('that %s is refused', (_, text) => {
    expect(validateResponse(text, usual).valid).toBe(false);
  });

  it.each([
    ['says what something is', 'The glossary says in one sentence what a passkey is.'],
    ['names such a thing', 'It refuses such a path.'],
    ['has a superlative of size', 'The cache evicts the greatest key first.'],
    ['has a gift card', 'The gift card balance is never negative.'],
    ['has a legend', 'The legend lists each series once.'],
    ['has momentum', 'The momentum term is applied before the clip.'],
    ['tells what was done', 'Changed src/a.ts: the list may be empty now.'],
    ['uses a word of praise in a term', 'We use a perfect hash over the keywords.'],
    ['counts what is outstanding', 'Outstanding requests are cancelled when the socket closes.'],
    ['criticises', 'The lexer is elegant but it leaks the handle on an error.'],
    ['denies perfection', 'This is far from perfect; a trailing comma is accepted.'],
    ['is ironic', 'Wonderful, the deploy script has deleted the database again.'],
    [
      'is ironic in a sentence of its own',
      'Well, that went splendidly. The worker was killed twice and left no trace.',
    ],
    ['turns against its praise', 'The plan is beautiful, but two callers pass null.'],
    ['quotes praise in Korean', "완료 문구를 '정말 멋져요!'에서 '저장됨'으로 바꿨다."],
    ['denies praise in Korean', '이 구조는 훌륭하다고 할 수 없다. 호출이 두 번 일어난다.'],
    ['calls out in Chinese before it tells', '太好了,回滚脚本把整个表删掉了。'],
    ['is a heading', '## Getting started'],
    ['asks whether something is good', 'Is this a good idea?'],
    ['asks which is better', 'Which is better?'],
    ['announces what it names', 'OK. I will look at `src/a.ts`.'],
    ['announces which function it changes', 'Sure, I’ll fix parseDate.'],
    [
      'uses a syllable of a longer Korean word',
      '해시 충돌을 막는 좋은 방법은 시드를 바꾸는 것인데 설정에 시드가 없다.',
    ],
    ['quotes praise', 'The user wrote "great job, perfect" in the ticket; the defect is in the date parser.'],
    ['shows praise as code', '```\nconst praise = ["perfect", "excellent"]\n```\nAdded the list above.'],
    ['praises and shows what it did', 'Great catch. Fixed in src/a.ts line 12; 42 tests pass.'],
    ['confirms with evidence', '테스트 통과를 확인했습니다: 42/42.'],
    ['names something by a praising word', 'The Brilliant client library pins openssl.'],
    ['asks', 'Should the parser throw for an unknown key?'],
    ['is one word about the task', 'DONE'],
    ['answers without praise', 'You asked for it, and it is by design.'],
    ['praises shortly and tells the finding', 'Nice catch! The parser swallowed the error.'],
    ['thanks and tells what was wrong', 'Thanks for catching that! I forgot the empty case and fixed it.'],
    ['asks in a friendly way', 'Hello! Could you please tell me which port the service should listen on? Thank you!'],
    ['reports in Korean', '재시도 로직이 타임아웃을 삼키고 있어서 순서를 바꿨어요.'],
    ['reports in Chinese', '重试把超时吞掉了,我把检查挪到了等待之前。'],
    ['is in a language that is not read', 'Wunderbar, das ist wirklich ein großartiger Vorschlag!'],
    ['is empty', ' \n\t '],
  ])('that %s passes', (_, text) => {
    expect(validateResponse(text, usual).valid).toBe(true);
  });

  it('is labelled sentence by sentence', () => {
    expect(labels('Excellent work! Changed src/a.ts. I will start now. The cache key leaves out the tenant.')).toEqual([
      'flattery',
      'evidence',
      'confirmation',
      'content',
    ]);
  });

  it('that passes because its language is not read says so', () => {
    const read = validateResponse('Отличная работа! Всё просто превосходно!', usual);
    expect(read).toMatchObject({
      valid: true,
      unsure: expect.stringContaining('no word of the message is known') as string,
    });
  });

  it('is also held to the words that a project adds, and spared by its terms', () => {
    const own = { ...usual, patterns: ['chef-level', '쩐다'], technicalTerms: ['perfect mode'] };
    expect(validateResponse('The lexer is chef-level.', usual).valid).toBe(true);
    expect(validateResponse('The lexer is chef-level.', own).valid).toBe(false);
    expect(validateResponse('If code were jazz, this perfect mode would be Coltrane.', own).valid).toBe(true);
    expect(validateResponse('쩐다!', own).valid).toBe(false);
    expect(validateResponse('This enables perfect mode.', own).valid).toBe(true);
  });

  it('goes back with the words of the layer, what is refused and what would be accepted', () => {
    const feedback = praiseFeedback(validateResponse('Perfect! Excellent!', usual));
    expect(feedback.split('\n')[0]).toBe(
      '[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.',
    );
    expect(feedback).toContain('"Perfect!"');
    expect(feedback).toContain('Accepted: results');
  });

  it('longer than what is read says that its end was not looked at', () => {
    expect(validateResponse('The cache is cold. '.repeat(12_000), usual).unsure).toContain('200000');
  });

  it('of any text gets a ratio from 0 to 1', () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const { ratio, valid, matched } = validateResponse(text, usual);
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(1);
        expect(valid).toBe(matched.length === 0);
      }),
    );
  });
});
