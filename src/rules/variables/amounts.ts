/** A number in digits within a pattern; blanks join digits only as thousands (`1 250,00`). */
const DIGITS = String.raw`\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*`;

/** A sum of money; negative where a minus is right before it. */
interface Money {
  readonly value: number;
  /** By its code; a dollar sign alone is USD. */
  readonly currency: string;
}

const WRITTEN = {
  USD: 'US$|$|us dollars|dollars|dollar|달러|美元',
  EUR: '€|euros|euro|유로|欧元',
  GBP: '£|pounds sterling',
  JPY: '¥|yen|円',
  INR: '₹',
  KRW: '₩|원',
  CNY: '元',
  AUD: 'A$',
  CAD: 'C$',
  HKD: 'HK$',
  NZD: 'NZ$',
  BRL: 'R$',
};
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(WRITTEN).flatMap(([code, names]) =>
    names.split('|').map((name) => [name.toUpperCase(), code] as const),
  ),
);
/** Codes that are no word and no other abbreviation. */
const CODES = 'USD|EUR|GBP|JPY|CHF|CNY|KRW|INR|AUD|NZD|HKD|SGD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR';
/** Every other code (`TRY`, `CAD`, `ALL`) may be a word; beside a number it makes the text unsure. */
const OTHER_CODES = Intl.supportedValuesOf('currency')
  .filter((code) => !CODES.includes(code))
  .join('|');
const inAnyCase = (name: string): string =>
  name.replace(/\p{L}/gu, (letter) =>
    letter.toLowerCase() === letter.toUpperCase() ? letter : `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
const anyOf = (names: readonly string[]): string =>
  names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => (isSign(name) ? name.replace('$', '\\$') : inAnyCase(name)))
    .map((name) => name + (/[A-Za-z\])]$/.test(name) ? '(?!\\p{L})' : ''))
    .join('|');
const isSign = (name: string): boolean => /\p{Sc}/u.test(name);
const SIGNS = [...[...NAMES.keys()].filter(isSign), ...CODES.split('|')];
const WORDS = [...NAMES.keys()].filter((name) => !isSign(name));
/** A number begins where none would have gone on: each is looked at once. */
const START = String.raw`(?<!\d[.,'’]|\d[ \u00a0\u202f](?=\d{3}(?!\d)))`;
/** Signs and codes before a number, or behind it where no other one follows; words behind it. */
const SUM = new RegExp(
  String.raw`(?<![\p{L}\p{N}\p{Sc}])(?<minus>[-\u2212]?)(?:(?<sign>${anyOf(SIGNS)})[ \u00a0]?(?<inner>[-\u2212]?)(?<digits>${DIGITS})(?<kilo>[kK](?!\p{L}))?|${START}(?<amount>${DIGITS})(?<thousand>[kK]?)[ \u00a0]?(?<unit>${anyOf(WORDS)}|(?:${anyOf(SIGNS)})(?![ \u00a0]?\d)))`,
  'gu',
);
const NUMBER_WORD = String.raw`(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|\p{L}{1,6}illions?|hundert|tausend)`;
const NUMBER_BEFORE = String.raw`(?<=\d\s?|${NUMBER_WORD}[ -])`;
/** What makes the digits behind it the end of a longer number: `1_000`, a blank of another kind, `a hundred and 50`. */
const CONTINUES = new RegExp(
  String.raw`\p{N}(?:[^\p{L}\p{N}.,;:!?()/|\n]{1,3}|\s+)$|${NUMBER_WORD}(?:[\s-]+|\s+(?:and|und)\s+)$`,
  'iu',
);
const AFTER_NUMBER =
  'grand|pounds?|kr|kč|zł|won|baht|rand|lir[ae]s?|ro?ubles?|dirhams?|ringgits?|rupiahs?|r[iy]y?als?|dinars?|sheke(?:ls?|lim)|forints?|korun\\p{L}*|crowns|hryvni\\p{L}*|naira|taka|tenge|dong|shillings?|birr|cedis?|lei|leva|reais|reals|soles|guaran[ií]e?s?|lempiras?|quetzale?s?|col[oó]ne?s|лв|грн|р';
/** Money in any spelling: signs, codes, words, and what is a currency after a number. */
const MONEY_MENTION = new RegExp(
  String.raw`&(?:#x?\d+|dollar|euro|pound|yen);\s?\d|\$(?![\p{L}{(])|\$(?=${NUMBER_WORD}(?![\p{L}\p{N}_]))|(?!\$)\p{Sc}|¢|(?<![\p{L}]|per )(?:dollars?|bucks?|euros?|quid|pence|cents?|yen|yuan|rupees?|francs?|franken|pesos?|złot\p{L}*|kron(?:a|er|or|en)|руб\p{L}*|Rs)(?!\p{L})|달러|유로|위안|美元|欧元|美金|人民币|日元|円|ユーロ|ドル|ポンド|ウォン|프랑|파운드|(?<=[\d십백천만억백千百十万萬亿億零一二两三四五六七八九])\s?(?:원|元|块|엔)|${NUMBER_BEFORE}(?:${AFTER_NUMBER}|${CODES})(?!\p{L})|(?<!\p{L})(?:${CODES})\s?\d`,
  'iu',
);
const CODE_MENTION = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${CODES})(?!\p{L})|(?:${OTHER_CODES})[ \u00a0]?\d|(?<=\d[ \u00a0]?)(?:${OTHER_CODES})(?!\p{L}))`,
  'u',
);
/** Units that make a number no sum of money. */
const UNIT = String.raw`(?:\s?[%‰°]|[\s-](?:percent|hours?|h|(?:business |working |calendar )?(?:days?|weeks?|months?)|minutes?|seconds?|years?|times|points?|orders?|items?|tickets?|customers?|[kmg]i?b|[km]?m|k?g)(?!\p{L}))`;
/** A number without a currency that may be a sum: behind a word of payment; a long one is that of an order. */
const PAID_SUM = new RegExp(
  String.raw`(?<!\p{L})(?:refund|reimburse|credit|pay|paid|charge|compensate)\p{L}*(?:\s(?:you|of|is|was|the|a|an|total|amount|up|to|only|just|about)|[:=])*\s{1,2}(?:(?!(?<=(?:your|the|this|that)\s(?:refund|payment|charge|credit)\s)\d{5,}(?![.,]))\d(?!\d{3}-\d)[\d.,'’]*|(?!one)${NUMBER_WORD})(?![\p{L}\p{N}]|[.,'’]\d|${UNIT})`,
  'iu',
);
/** A number with two decimals may be a sum; one below a sum that was read changes no maximum. */
const BARE_SUM = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/:#§_-]|(?:version|release|section|chapter|at|§)\s)\d{1,3}(?:[,.'’]?\d{3})*[.,]\d{2}(?![\p{L}\p{N}_/:-]|[.,]\d|${UNIT})`,
  'giu',
);
/** Reads sums as `$50`, `USD 50`, `50.00 EUR`, `50 dollars`; any other spelling makes the text unsure, never a wrong value. */
export function findMoney(text: string, which: 'all' | 'largest' = 'all') {
  const sums: Money[] = [];
  let isUnsure = false;
  const rest = text.replace(SUM, (written: string, ...more) => {
    const groups = more.at(-1) as Readonly<Record<string, string | undefined>>;
    const start = more.at(-3) as number;
    const after = text.slice(start + written.length, start + written.length + 24);
    const before = text.slice(Math.max(0, start - 16), start);
    const digits = groups['digits'] ?? groups['amount'] ?? '';
    const name = (groups['sign'] ?? groups['unit'] ?? '').toUpperCase();
    const value = numberFromDigits(digits, 'unsure');
    if (
      value === undefined ||
      /^0\d/.test(digits) ||
      (groups['sign'] === undefined && CONTINUES.test(before)) ||
      isPartOfMore(groups['sign'] === undefined ? before : '', after) ||
      isChanged(before, after)
    )
      isUnsure = true;
    else {
      const scaled =
        value * (groups['kilo'] || groups['thousand'] ? 1000 : 1) * (groups['minus'] || groups['inner'] ? -1 : 1);
      sums.push({ value: Math.round(scaled * 1e6) / 1e6, currency: NAMES.get(name) ?? name });
    }
    return ' '.repeat(written.length);
  });
  const largest = which === 'all' ? -1 : sums.reduce((most, { value }) => Math.max(most, value), 0);
  const mayBeMore = [...rest.matchAll(BARE_SUM)].some(
    ({ 0: one, index }) =>
      (numberFromDigits(one) ?? Infinity) > largest ||
      isChanged(rest.slice(Math.max(0, index - 16), index), rest.slice(index + one.length, index + one.length + 24)),
  );
  const mentions = [MONEY_MENTION, CODE_MENTION, PAID_SUM];
  return { sums, isUnsure: isUnsure || mayBeMore || mentions.some((one) => one.test(rest)) };
}

/** The shares in hundredths of a text, and whether it speaks of one in a spelling that is not read, or of an unknown whole. */
export interface PercentsFound {
  readonly values: readonly number[];
  readonly isUnsure: boolean;
}

const PERCENT_SIGN = String.raw`[%％]|(?:percent|per cent|prozent|pct)(?!\p{L})|퍼센트`;
const PERCENT = new RegExp(String.raw`(?<![\p{L}\p{N}])${START}(${DIGITS})[ \u00a0]?(?:${PERCENT_SIGN})`, 'giu');
const PERCENT_MENTION = new RegExp(
  String.raw`${PERCENT_SIGN}|(?<!\p{L})(?:por ?c[ie]e?nto|pour cent|half[- ](?:off|price|the price))(?!\p{L})|百分之|[\d一二三四五六七八九]折|パーセント|\d\s?프로|процент`,
  'iu',
);

/** Every share: `10%`, `7,5 Prozent`, `7.5 percent`. */
export const findPercents = (text: string): PercentsFound => read(text, () => true);

/** The shares by which a price goes down; a share of anything else (`99.9 % uptime`) makes the text unsure. */
export function findDiscounts(text: string): PercentsFound {
  const { values, isUnsure } = read(text, isReduction);
  return { values, isUnsure: isUnsure || REDUCTION_IN_WORDS.test(text) };
}

const FRACTION = String.raw`\d\s?/\s?\d+|[½-¾⅐-⅞]|(?<!\p{L})(?:half|(?:third|quarter|fifth|sixth|eighth|tenth)s?)`;
/** `a third off`, `10 off`, `for nothing`, and what costs nothing; not `feel free`, `free to`, `toll-free`. */
const REDUCTION_IN_WORDS = new RegExp(
  String.raw`(?:\d|p\.c\.|(?!one)${NUMBER_WORD}|${FRACTION})\s(?:off(?![\p{L}-])|cheaper|less)|(?:${FRACTION})\s(?:of\s)?(?:(?:the|your)\s)?(?:price|amount|bill|total)(?!\p{L})|(?<!\p{L})for nothing(?!\p{L})|(?<![\p{L}-]|(?<!\p{L})feel )free(?![\p{L}-]|\s(?:to|from|of (?!charge|cost)|shipping|delivery|returns?|trials?|plans?|tiers?|wi-?fi|software|time|slots?|space|memory|text)(?!\p{L}))`,
  'iu',
);

function read(text: string, counts: (before: string, after: string) => boolean): PercentsFound {
  const values: number[] = [];
  let isUnsure = false;
  const rest = text.replace(PERCENT, (all, digits: string, index: number) => {
    const [before, after] = [
      text.slice(Math.max(0, index - REACH), index),
      text.slice(index + all.length, index + all.length + REACH),
    ];
    const value = CONTINUES.test(before) || isPartOfMore(before, after) ? undefined : numberFromDigits(digits);
    if (value === undefined || !counts(clause(before, -1), clause(after, 0))) isUnsure = true;
    else values.push(value);
    return ' '.repeat(all.length);
  });
  return { values, isUnsure: isUnsure || PERCENT_MENTION.test(rest) };
}

const REACH = 40;
const clause = (text: string, at: number): string => text.split(/[.!?;。！？\n]/u).at(at) ?? '';

const NAMED = String.raw`(?:discount(?:s|ed)?|rebates?|reductions?|price cut|coupons?|promos?|promotions?|vouchers?|rabatte?|preisnachlass|nachlass|ermäßigung)`;
const IN_ASIAN = '할인|折扣|优惠|割引';
/** `25% off`, `a 10% loyalty discount`. */
const REDUCTION_AFTER = new RegExp(
  String.raw`^\s*(?:(?:off|cheaper|günstiger)(?![\p{L}-])|(?:\p{L}+\s)?(?:${NAMED}|savings)(?!\p{L})|(?:\p{L}+\s)?(?:${IN_ASIAN}))`,
  'iu',
);
/** `a discount of 25%`, `voucher code for 25%`: nothing but words that connect the two. */
const REDUCTION_BEFORE = new RegExp(
  String.raw`(?:(?<!\p{L})${NAMED}|(?:${IN_ASIAN})\p{L}?)(?:\s*(?:is|are|was|of|by|to|up|at|a|an|the|for|worth|with|code|about|von|um|bis|zu|beträgt|[:=(]))*\s*$`,
  'iu',
);
const SAVED =
  /(?<!\p{L})(?:saves?|saving)(?: (?:you|up to|about|an?|extra))*\s*%(?:\s*(?:[,):"'”-]|$)|\s+(?:today|now|when|with|(?:of|off|on) (?:\p{L}+ )?(?:price|order|purchase)s?)(?!\p{L}))/iu;

/** A word beside the share says that a price goes down by it, or the text is nothing but a share. */
const isReduction = (before: string, after: string): boolean =>
  REDUCTION_AFTER.test(after) ||
  REDUCTION_BEFORE.test(before) ||
  SAVED.test(`${before}%${after}`) ||
  (/^\s*(?:only|just|exactly)?\s*$/i.test(before) && after.trim() === '');

const LONGEST = 40;

/**
 * The value of `1,250.50`, `1.250,50`, `1 250`; undefined where it is no number. Of two kinds of separators the last is the
 * point; a comma before three digits parts thousands. A lone full stop before three digits is read as `stop` says.
 */
export function numberFromDigits(written: string, stop: 'point' | 'unsure' = 'point'): number | undefined {
  if (written.length > LONGEST) return undefined;
  const bare = written.replace(/[ '’\u00a0\u202f]/g, '');
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^\d{1,3}\.\d{3},\d+$/.test(bare))
    return plain(bare.replaceAll('.', '').replace(',', '.'));
  if (/^\d+(?:,\d{2,3})+(?:\.\d+)?$/.test(bare) && /,\d{3}(?:\.|$)/.test(bare)) return plain(bare.replaceAll(',', ''));
  if (/^\d+,\d+$/.test(bare)) return plain(bare.replace(',', '.'));
  if (stop === 'unsure' && /^[1-9]\d{0,2}\.\d{3}$/.test(bare)) return undefined;
  return plain(bare);
}

const plain = (text: string): number | undefined => {
  const value = /^\d+(?:\.\d+)?$|^\.\d+$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
};

/** Whether more of a number or a range (`$50-75`, `3 million`) touches what was read. */
const isPartOfMore = (before: string, after: string): boolean =>
  /\d\s?[-\u2010-\u2015]\s?$|\d\s(?:to|or|and|bis|oder|und|a|à)\s$|[\d.,]$|[십백천만억조百十千仟万萬亿億兆]\s?$/u.test(
    before,
  ) ||
  /^(?:[.,'’]?\d|\s?[-\u2010-\u2015~]\s?\d|\s(?:to|or|bis|oder|a|à)\s\d|\s?[여수몇餘余多数數几幾]?\s?[십백천만억조百十千仟万萬亿億兆])/u.test(
    after,
  );

/** A unit of thousands, or an abbreviation: a word without a vowel (`mln`, `bn`, `x`). */
const SCALE = String.raw`(?:(?!vs|pp)(?:(?![aeiouyäöüаеёиоуыэюя])[\p{Ll}\p{Lu}]){1,4}|(?:m|b|tr|quadr|quint|z|gaz)il{1,2}(?:i[aejoóu]|[hjyoó])\p{L}*|(?:hundert|hundred|thousand|tausend|dozen|lakh|crore|тыс|tys)\p{L}*|mila|miles|millares|grand|mil|mio|bil|mega)`;
const ASIAN = String.raw`[\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`;
/** What makes a sum another one. A particle may follow without a space (`50달러를`); `isPartOfMore` knows Asian numerals. */
const SCALED = new RegExp(
  String.raw`^(?:(?!${ASIAN})[\p{L}\p{N}^%‰+°]|[-\u2010-\u2015_*/×·]\s?\p{N}|-${SCALE}(?!\p{L})|\s?[½-¾⅐-⅞]|\s?[x×*+/^÷·]\s?(?:\p{Sc}|\p{N})|\s(?:times|plus|minus|and a half)(?!\p{L})|\s${SCALE}(?!\p{L}))`,
  'iu',
);

/** Whether what surrounds a sum may scale or change it: `$5 mln`, `$5MM`, `$10^6`, `$1½`, `4 x $25`, `half of $50`. */
const isChanged = (before: string, after: string): boolean =>
  SCALED.test(after) ||
  /(?:\p{N}\s?[x×*+/^÷·]\s?|(?:[%×]|(?<!\p{L})(?:x|percent|half|third|quarter|times|twice|double|triple))(?: of)?(?: the)?\s)$/iu.test(
    before,
  );
