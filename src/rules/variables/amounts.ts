/** A number in digits within a pattern; blanks join digits only as thousands (`1 250,00`). */
const DIGITS = String.raw`\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*`;

/** A sum of money; negative where a minus is right before it. */
interface Money {
  readonly value: number;
  /** By its code; a dollar sign alone is USD. */
  readonly currency: string;
}

/** The sums of a text in order, and whether it speaks of money in a spelling that is not read. */
interface MoneyFound {
  readonly sums: readonly Money[];
  readonly isUnsure: boolean;
}

const WRITTEN = {
  USD: 'US$|$|us dollars|dollars|dollar|달러|美元',
  EUR: '€|euros|euro|유로|欧元',
  GBP: '£|pounds',
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
const CODES = 'USD|EUR|GBP|JPY|CHF|CNY|KRW|INR|CAD|AUD|NZD|HKD|SGD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|TRY|ZAR|ILS|RUB';
const anyOf = (names: readonly string[]): string =>
  names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replace('$', '\\$') + (/^[A-Z ]+$/.test(name) ? '(?!\\p{L})' : ''))
    .join('|');
const isSign = (name: string): boolean => /[$€£¥₹₩]/.test(name);
const SIGNS = [...[...NAMES.keys()].filter(isSign), ...CODES.split('|')];
const WORDS = [...NAMES.keys()].filter((name) => !isSign(name));
/** Signs and codes before a number, or behind it where no other one follows; words behind it. */
const SUM = new RegExp(
  String.raw`(?<![\p{L}\p{N}$])(?<minus>[-\u2212]?)(?:(?<sign>${anyOf(SIGNS)})[ \u00a0]?(?<inner>[-\u2212]?)(?<digits>${DIGITS})(?<kilo>k(?!\p{L}))?|(?<amount>${DIGITS})(?<thousand>k?)[ \u00a0]?(?<unit>${anyOf(WORDS)}|(?:${anyOf(SIGNS)})(?![ \u00a0]?\d)))`,
  'giu',
);
/** Money in any spelling: signs, codes, words, and characters that are a currency after a number. */
const MONEY_MENTION = new RegExp(
  String.raw`\$(?![\p{L}{(])|[€£¥₹₩¢￥]|(?<!\p{L})(?:${CODES})(?!\p{L})|(?<![\p{L}]|per )(?:dollars?|bucks?|euros?|pounds?|quid|pence|cents?|yen|yuan|rupees?|francs?|franken|pesos?|złot\p{L}*|kron(?:a|er|or|en)|руб\p{L}*|Rs)(?!\p{L})|달러|유로|위안|美元|欧元|美金|人民币|日元|円|ユーロ|ドル|ポンド|ウォン|프랑|파운드|(?<=[\d십백천만억백千百十万萬亿億零一二两三四五六七八九])\s?(?:원|元|块|엔)`,
  'iu',
);

/** Reads sums as `$50`, `USD 50`, `50.00 EUR`, `50 dollars`; any other spelling makes the text unsure, never a wrong value. */
export function findMoney(text: string): MoneyFound {
  const sums: Money[] = [];
  let isUnsure = false;
  const rest = text.replace(SUM, (written: string, ...more) => {
    const groups = more.at(-1) as Readonly<Record<string, string | undefined>>;
    const start = more.at(-3) as number;
    const after = text.slice(start + written.length, start + written.length + 12);
    const before = groups['sign'] === undefined ? text.slice(Math.max(0, start - 8), start) : '';
    const value = numberFromDigits(groups['digits'] ?? groups['amount'] ?? '', 'unsure');
    if (value === undefined || isPartOfMore(before, after)) isUnsure = true;
    else {
      const scaled =
        value * (groups['kilo'] || groups['thousand'] ? 1000 : 1) * (groups['minus'] || groups['inner'] ? -1 : 1);
      const name = (groups['sign'] ?? groups['unit'] ?? '').toUpperCase();
      sums.push({ value: Math.round(scaled * 1e6) / 1e6, currency: NAMES.get(name) ?? name });
    }
    return ' '.repeat(written.length);
  });
  return { sums, isUnsure: isUnsure || MONEY_MENTION.test(rest) };
}

/** The shares in hundredths of a text, and whether it speaks of one in a spelling that is not read, or of an unknown whole. */
export interface PercentsFound {
  readonly values: readonly number[];
  readonly isUnsure: boolean;
}

const PERCENT_SIGN = String.raw`[%％]|(?:percent|per cent|prozent|pct)(?!\p{L})|퍼센트`;
const PERCENT = new RegExp(String.raw`(?<![\p{L}\p{N}])(${DIGITS})[ \u00a0]?(?:${PERCENT_SIGN})`, 'giu');
const PERCENT_MENTION = new RegExp(
  String.raw`${PERCENT_SIGN}|(?<!\p{L})(?:por ?c[ie]e?nto|pour cent|half[- ](?:off|price|the price))(?!\p{L})|百分之|[\d一二三四五六七八九]折|パーセント|\d\s?프로|процент`,
  'iu',
);

/** Every share: `10%`, `7,5 Prozent`, `7.5 percent`. */
export const findPercents = (text: string): PercentsFound => read(text, () => true);

/** The shares by which a price goes down; a share of anything else (`99.9 % uptime`) makes the text unsure. */
export const findDiscounts = (text: string): PercentsFound => read(text, isReduction);

function read(text: string, counts: (before: string, after: string) => boolean): PercentsFound {
  const values: number[] = [];
  let isUnsure = false;
  const rest = text.replace(PERCENT, (all, digits: string, index: number) => {
    const [before, after] = [
      text.slice(Math.max(0, index - REACH), index),
      text.slice(index + all.length, index + all.length + REACH),
    ];
    const value = isPartOfMore(before, after) ? undefined : numberFromDigits(digits);
    if (value === undefined || !counts(clause(before, -1), clause(after, 0))) isUnsure = true;
    else values.push(value);
    return ' '.repeat(all.length);
  });
  return { values, isUnsure: isUnsure || PERCENT_MENTION.test(rest) };
}

const REACH = 40;
const clause = (text: string, at: number): string => text.split(/[.!?;。！？\n]/u).at(at) ?? '';

const REDUCTION =
  /(?<!\p{L})(?:off|discount\w*|rebate\w*|reduc\w+|cheaper|coupon\w*|promo\w*|voucher\w*|savings?|saves?|rabatt\w*|nachlass\w*|ermäßig\w*|günstiger)(?!\p{L})|할인|折扣|优惠|割引/iu;

/** A reduction is named close by, or the share has no object. */
const isReduction = (before: string, after: string): boolean =>
  REDUCTION.test(`${before.slice(-24)} % ${after.slice(0, 24)}`) ||
  (/^\s*(?:[,):"'”-]|$|(?:on|for|if|when|now|today)(?!\p{L}))/iu.test(after) &&
    !/\p{L}{4,}\s*(?:(?:is|was|are|at|to|by|of|bei|von|um|auf|about|around|over|under|now|[:=])\s*){0,3}$/iu.test(
      before.replace(/\b(?:give|offer|only|take|just|exactly)\b(?: you)?/gi, ' '),
    ));

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
  /\d\s?[-\u2010-\u2015]\s?$|\d\s(?:to|or|and|bis|oder|und|a|à)\s$|[\d.,]$|[십백천만억조百千万萬亿億]\s?$/u.test(
    before,
  ) ||
  /^(?:[.,'’]?\d|\s?[-\u2010-\u2015~]\s?\d|\s(?:to|or|bis|oder|a|à)\s\d|\s?(?:hundred|thousand|million|billion|tausend|tsd|mio|mrd|mn|mil|lakh|crore|bn|[kmb])(?!\p{L})|\s?[십백천만억조百千万萬亿億])/iu.test(
    after,
  );
