import { assert, constantFrom, array, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractFrom } from '../../../../src/rules/variables/extract-from.ts';
import { mergeVariables } from '../../../../src/rules/response/check-expression.ts';
import { getVariableKind, mayBeAsked, selectByKind } from '../../../../src/rules/variables/extract-from.ts';
import { findMoney } from '../../../../src/rules/variables/amounts.ts';
import { findDiscounts, findPercents } from '../../../../src/rules/variables/amounts.ts';
import { expectEffortBelow } from '../../../support/effort.ts';
import type { RuleExtract } from '../../../../src/rules/model/rule.ts';

const sums = (text: string): readonly number[] => findMoney(text).sums.map(({ value }) => value);

describe('a sum of money', () => {
  it.each([
    ['$75', [75]],
    ['USD 50 and €60', [50, 60]],
    ['1.250,00 EUR', [1250]],
    ['$1.5k', [1500]],
    ['-$75', [-75]],
    ['75,000원', [75_000]],
    ['a $50 bill', [50]],
    ['now $40 (was $75)', [40, 75]],
  ])('is read in %s', (text, expected) => {
    expect(findMoney(text).isUnsure).toBe(false);
    expect(sums(text)).toEqual(expected);
  });

  it.each([
    '$1.250',
    '$3 million',
    'fifty-five dollars',
    '$50-75',
    '3만 5천원',
    '五十美元',
    '$10^5',
    '3 × $40',
    '70 kr',
    'a fee of CAD 70',
  ])('is not sure in %s, which it does not read', (text) => {
    expect(findMoney(text).isUnsure).toBe(true);
  });

  it.each([
    '1_000 dollars',
    '1\u2009000 €',
    '1\u3000000 €',
    '1  250 €',
    '1\t000 €',
    '1\n000 €',
    '1, 000 dollars',
    '1´000 dollars',
    '1‘000 €',
    'a hundred and 50 dollars',
    '3 thousand and 20 dollars',
    'tausend 20 Euro',
  ])('is not the end of the longer number in %j', (text) => {
    expect(findMoney(text)).toEqual({ sums: [], isUnsure: true });
  });

  it.each([
    'I refunded 75 to your account',
    'I will refund 75.00.',
    'A refund of 75,00 was issued',
    'We pay you 1,250 back',
    'Credit: ninety',
    'Your total is 75.00',
    'That is &#36;75',
  ])('is not sure in %s, which names no currency', (text) => {
    expect(findMoney(text)).toEqual({ sums: [], isUnsure: true });
  });

  it.each([
    'We refund within 14 days',
    'Pay 30.5 days later',
    'Refund 2 orders',
    'Paid 2026-03-01',
    'Use version 3.12',
    'It takes 1.25 hours',
    'A charge of 7.50 %',
  ])('is not in %s, whose number has another unit', (text) => {
    expect(findMoney(text)).toEqual({ sums: [], isUnsure: false });
  });

  it.each(['call 555-0199', '지원 10', '$HOME', 'You can try 30 layouts', 'Export the CAD file', 'We won 3 games'])(
    'is not in %s',
    (text) => {
      expect(findMoney(text)).toEqual({ sums: [], isUnsure: false });
    },
  );

  it('has its currency where it is written', () => {
    expect(findMoney('C$5.00, 5 €, 5 pounds sterling, R$ 5').sums.map(({ currency }) => currency)).toEqual([
      'CAD',
      'EUR',
      'GBP',
      'BRL',
    ]);
  });

  it('is read again as it was written, whatever its size', () => {
    assert(
      property(integer({ min: 0, max: 1_000_000_000 }), integer({ min: 0, max: 99 }), (whole, hundredths) => {
        const value = Number(`${whole}.${String(hundredths).padStart(2, '0')}`);
        const inEnglish = whole.toLocaleString('en-US');
        const tail = String(hundredths).padStart(2, '0');
        expect(sums(`It costs $${inEnglish}.${tail} today`)).toEqual([value]);
        expect(sums(`Das kostet ${inEnglish.replaceAll(',', '.')},${tail} € heute`)).toEqual([value]);
      }),
    );
  });
});

describe('a discount', () => {
  it.each([
    ['25% off', [25]],
    ['7,5 % Nachlass', [7.5]],
    ['save 15% of the price', [15]],
    ['할인율 30%', [30]],
  ])('is read in %s', (text, expected) => {
    expect(findDiscounts(text)).toEqual({ values: expected, isUnsure: false });
  });

  it.each(['ten percent off', 'half price today', '10-20% off', '打八折', '百分之二十的折扣', '25프로 할인'])(
    'is not sure in %s, which it does not read',
    (text) => {
      expect(findDiscounts(text).isUnsure).toBe(true);
    },
  );

  it.each([
    '2_5% off',
    '5 0% off',
    'ninety 5% off',
    'twenty-5% off',
    '1/2 off',
    'a third off',
    'a quarter of the price',
    '10 off your order',
    'buy one, get one free',
    'free of charge',
    'you have it for nothing',
  ])('is not sure in %s, and never a smaller one', (text) => {
    expect(findDiscounts(text)).toEqual({ values: [], isUnsure: true });
  });

  it.each(['Feel free to ask', 'You are free to go', 'Call the toll-free number', 'This half is done', 'Step 3 of 4'])(
    'is not in %s',
    (text) => {
      expect(findDiscounts(text)).toEqual({ values: [], isUnsure: false });
    },
  );

  it.each(['100% sure', 'We had 99.9% uptime', 'The VAT is 7%', '30% off-heap'])(
    'is not what %s speaks of, though it is a share',
    (text) => {
      expect(findDiscounts(text)).toEqual({ values: [], isUnsure: true });
      expect(findPercents(text).values).toHaveLength(1);
    },
  );
});

describe('any text', () => {
  it('is read without a fault, and every value is a number', () => {
    const piece = constantFrom(...'$ € 1 1,000 .5 - USD k fifty and 만 원 五 % half 折 \ud800'.split(' '), ' ', '\n');
    assert(
      property(array(piece, { maxLength: 30 }), string({ maxLength: 20 }), (pieces, noise) => {
        const text = pieces.join('') + noise;
        const found = [...findMoney(text).sums.map(({ value }) => value), ...findPercents(text).values];
        expect(found.every(Number.isFinite)).toBe(true);
      }),
    );
  });
});

describe('the variables of a text', () => {
  it('are those alone that are asked for', () => {
    expect(extractFrom('a $75 refund, 10% off', ['amount']).found).toEqual({ amount: 75 });
    expect(extractFrom('hello', ['amount', 'user_tier']).found).toEqual({});
  });

  it.each([
    ['An alternative would be Tuesday', false],
    ['There is a coding competition in May', false],
    ['Ask an alternative vendor', true],
    ['The competition is cheaper', true],
  ])('name a competitor only where one is meant: %s', (text, named) => {
    expect(extractFrom(text, ['contains_competitor']).found).toEqual({ contains_competitor: named });
    expect(extractFrom(text, ['contains_competitor_mention']).found).toEqual({ contains_competitor_mention: named });
  });

  it('are the largest of several, all of them, and what the text speaks of', () => {
    const { found } = extractFrom('Sorry! $40 (was €75), I promise a refund?', [
      'amount',
      'amounts',
      'currency',
      'contains_refund',
      'contains_promise',
      'contains_competitor',
      'contains_apology',
    ]);
    expect(found).toEqual({
      amount: 75,
      amounts: [40, 75],
      currency: 'EUR',
      contains_refund: true,
      contains_promise: true,
      contains_competitor: false,
      contains_apology: true,
    });
  });
});

describe('a text with invisible signs', () => {
  it('is read as people see it', () => {
    const names = ['amount', 'discount_percent', 'contains_promise', 'c'];
    const text = '7\u200b5 dollars, 2\u20605% off, a pro\u00admise of Ac\u200bme';
    expect(extractFrom(text, names, { c: { keywords: ['Acme'] } }).found).toEqual({
      amount: 75,
      discount_percent: 25,
      contains_promise: true,
      c: true,
    });
  });
});

describe('what a rule extracts itself', () => {
  const own = (entry: RuleExtract, text: string): unknown => extractFrom(text, ['x'], { x: entry }).found['x'];

  it.each([
    [{ pack: 'money', pick: 'min' }, '$5 or $7', 5],
    [{ pack: 'money', pick: 'sum' }, '$5 or $7', 12],
    [{ pack: 'money', pick: 'all' }, '$5 or $7', [5, 7]],
    [{ pack: 'money', pick: 'count' }, 'nothing', 0],
    [{ pack: 'percent' }, '99.9% uptime', 99.9],
    [{ pack: 'discount' }, '99.9% uptime', undefined],
    [{ regex: '\\b(ORD-\\d+)\\b' }, 'see ORD-17 and ORD-18', 'ORD-17'],
    [{ regex: '\\b(ORD-\\d+)\\b', pick: 'all' }, 'see ORD-17 and ORD-18', ['ORD-17', 'ORD-18']],
    [{ regex: '(\\d+) days', type: 'number', pick: 'max' }, '3 days, 14 days', 14],
    [{ regex: 'ORD-\\d+', type: 'boolean' }, 'none', false],
    [{ keywords: ['Globex', 'Acme Corp'] }, 'unlike acme corp, we', true],
    [{ keywords: ['Globex', 'Acme Corp'] }, 'globexian', false],
    [{ keywords: ['경쟁사'] }, '경쟁사보다', true],
    [{ keywords: ['no'], pick: 'count' }, 'No, no and no', 3],
    [{ count: '!' }, 'Yes!! Really!', 3],
  ] as const)('%j in %j is %j', (entry, text, expected) => {
    expect(own(entry as RuleExtract, text)).toEqual(expected);
  });

  it.each([
    ['a score of 7.', 7],
    ['a score of **7**!', 7],
    ['a score of "7"', 7],
    ['no figure', undefined],
  ])('is the number in %j without the punctuation around it', (text, expected) => {
    const { found, unsure } = extractFrom(text, ['x'], { x: { regex: 'score of (\\S+)', type: 'number' } });
    expect([found['x'], unsure]).toEqual([expected, []]);
  });

  it.each(['a score of ninety', 'a score of 7/10', 'a score of 3 and a score of ninety'])(
    'is not sure where the match is no number: %s',
    (text) => {
      const { found, unsure } = extractFrom(text, ['x'], {
        x: { regex: 'score of (\\S+)', type: 'number', pick: 'max' },
      });
      expect([found, unsure]).toEqual([{}, ['x']]);
    },
  );

  it('is the one that is picked, whatever else matches', () => {
    const { found, unsure } = extractFrom('a score of 3, a score of ninety', ['x'], {
      x: { regex: 'score of (\\w+)', type: 'number' },
    });
    expect([found, unsure]).toEqual([{ x: 3 }, []]);
  });

  it('stands before what every text has', () => {
    expect(extractFrom('$5 or $7', ['amount'], { amount: { pack: 'money', pick: 'min' } }).found).toEqual({
      amount: 5,
    });
  });

  it('that takes too long is a problem and no value', () => {
    const { found, problems } = extractFrom('a'.repeat(200_000), ['x'], { x: { count: 'a' } });
    expect(found).toEqual({});
    expect(problems).toEqual([expect.stringContaining('x: the pattern a is too slow for so much text')]);
  });
});

describe('who says what a variable is', () => {
  it('is the profile before the session before the text before a model', () => {
    const say = (value: string) => ({ x: value });
    const all = { profile: say('profile'), session: say('session'), regex: say('regex'), llm: say('llm') };
    for (const from of ['profile', 'session', 'regex', 'llm'] as const) {
      expect(mergeVariables(all).known.get('x')).toEqual({ value: from, from });
      Reflect.deleteProperty(all, from);
    }
  });

  it('is nobody who says null', () => {
    expect(mergeVariables({ session: { x: null }, regex: { x: 1 }, llm: { x: null, y: null } }).known).toEqual(
      new Map([['x', { value: 1, from: 'regex' }]]),
    );
  });

  it('gives a tier of the profile its two names', () => {
    const { known } = mergeVariables({ profile: { tier: 'VIP' }, session: { user_tier: 'standard' } });
    expect(known.get('user_tier')).toEqual({ value: 'VIP', from: 'profile' });
    expect(known.get('is_vip')).toEqual({ value: true, from: 'profile' });
  });

  it('is told where it is no plain data', () => {
    expect(mergeVariables({ session: { x: 1e30 } }).problems).toEqual([
      'x of the session: it is a whole number beyond 2^53',
    ]);
  });
});

describe('what a language model reads in a text', () => {
  it('counts only where it is of the kind it must be', () => {
    const own = { order: { llm: 'the order', type: 'text' } } as const;
    expect(
      selectByKind({ amount: '75', discount_percent: 5, contains_refund: 'yes', order: 'A-1', other: [1] }, own),
    ).toEqual({
      discount_percent: 5,
      order: 'A-1',
    });
    expect(getVariableKind('amount', own)).toBe('number');
  });

  it('is never who the answer is for', () => {
    expect(mayBeAsked('user_tier', {})).toBe(false);
    expect(mayBeAsked('amount', {})).toBe(true);
    expect(mayBeAsked('user_tier', { user_tier: { llm: 'the tier that is named' } })).toBe(true);
  });
});

describe('a long row of digits', () => {
  it.each(['1,234', '1.23.', "1'", '1 234 ', '1,'])('of %j is read in one pass', (part) => {
    const text = part.repeat(20_000);
    expectEffortBelow(400, () => [findMoney(text), findPercents(text), findDiscounts(text)]);
  });

  it('is no longer with the punctuation behind it', () => {
    const text = `score ${'.'.repeat(40_000)}x`;
    expectEffortBelow(400, () => extractFrom(text, ['x'], { x: { regex: 'score .*', type: 'number' } }));
  });
});

describe('a number without a currency', () => {
  it.each([
    ['I will refund 50000 to your card.', [], true],
    ['The fee is $10. Your refund comes to 4500.00 and is on its way.', [10], true],
    ['I will refund 50000 today; the fee is $1.', [1], true],
    ['The fee is $100. You get 4.50 million back.', [100], true],
    ['You get $500. It was 12.50 before.', [500], false],
    ['I grant you a refund of $fifty-five thousand', [], true],
    ['The shell prints $tenant and ${one}.', [], false],
    ['I refunded $75. Your refund 88123 is booked.', [75], false],
  ])('makes a text unsure unless it cannot be a larger sum: %s', (text, read, isUnsure) => {
    expect([sums(text), findMoney(text, 'largest').isUnsure]).toEqual([read, isUnsure]);
  });

  it('makes every text unsure of which more than the largest sum is asked', () => {
    expect(findMoney('Refunds: $50.00, 49.99 and 49.99.').isUnsure).toBe(true);
    expect(findMoney('Refunds: $50.00, 49.99 and 49.99.', 'largest').isUnsure).toBe(false);
  });

  it('is found beside any number of sums', () => {
    expect(findMoney('$1 '.repeat(150_000)).sums).toHaveLength(150_000);
  });
});
