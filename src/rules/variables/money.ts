import { DIGITS, isPartOfMore, numberFromDigits } from './number.ts';

/** A sum of money; negative where a minus is right before it. */
export interface Money {
  readonly value: number;
  /** By its code; a dollar sign alone is USD. */
  readonly currency: string;
}

/** The sums of a text in order, and whether it speaks of money in a spelling that is not read. */
export interface MoneyFound {
  readonly sums: readonly Money[];
  readonly isUnsure: boolean;
}

/** How currencies are written beside their codes. */
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
const MENTION = new RegExp(
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
  return { sums, isUnsure: isUnsure || MENTION.test(rest) };
}
