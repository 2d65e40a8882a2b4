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

const SIGNS: Readonly<Record<string, string>> = {
  US$: 'USD',
  A$: 'AUD',
  C$: 'CAD',
  HK$: 'HKD',
  NZ$: 'NZD',
  R$: 'BRL',
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
};
const WORDS: Readonly<Record<string, string>> = {
  'us dollars': 'USD',
  dollars: 'USD',
  dollar: 'USD',
  euros: 'EUR',
  euro: 'EUR',
  pounds: 'GBP',
  yen: 'JPY',
  달러: 'USD',
  유로: 'EUR',
  원: 'KRW',
  美元: 'USD',
  欧元: 'EUR',
  元: 'CNY',
  円: 'JPY',
};
const CODES = 'USD|EUR|GBP|JPY|CHF|CNY|KRW|INR|CAD|AUD|NZD|HKD|SGD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|TRY|ZAR|ILS|RUB';

const sign = Object.keys(SIGNS)
  .map((one) => one.replace('$', String.raw`\$`))
  .join('|');
const word = Object.keys(WORDS)
  .map((one) => (/^[a-z]/.test(one) ? String.raw`${one}(?!\p{L})` : one))
  .join('|');
const BEFORE = new RegExp(
  String.raw`(?<![\p{L}\p{N}$])(?<minus>[-\u2212]?)(?<currency>${sign}|${CODES})[ \u00a0]?(?<inner>[-\u2212]?)(?<digits>${DIGITS})(?<kilo>k(?!\p{L}))?`,
  'giu',
);
const AFTER = new RegExp(
  String.raw`(?<![\p{L}\p{N}$])(?<minus>[-\u2212]?)(?<digits>${DIGITS})(?<kilo>k?)[ \u00a0]?(?<currency>${sign}|(?:${CODES})(?!\p{L})|${word})`,
  'giu',
);
/** Money in any spelling: signs, codes, words, and characters that are a currency after a number. */
const MENTION = new RegExp(
  String.raw`\$(?![\p{L}{(])|[€£¥₹₩¢￥]|(?<!\p{L})(?:${CODES})(?!\p{L})|(?<![\p{L}]|per )(?:dollars?|bucks?|euros?|pounds?|quid|pence|cents?|yen|yuan|rupees?|francs?|franken|pesos?|złot\p{L}*|kron(?:a|er|or|en)|руб\p{L}*|Rs)(?!\p{L})|달러|유로|위안|美元|欧元|美金|人民币|日元|円|ユーロ|ドル|ポンド|ウォン|프랑|파운드|(?<=[\d십백천만억백千百十万萬亿億零一二两三四五六七八九])\s?(?:원|元|块|엔)`,
  'iu',
);

/** Reads sums as `$50`, `USD 50`, `50.00 EUR`, `50 dollars`; any other spelling makes the text unsure, never a wrong value. */
export function findMoney(text: string): MoneyFound {
  const found: (Money & { readonly start: number })[] = [];
  let rest = text;
  let isUnsure = false;
  for (const pattern of [BEFORE, AFTER]) {
    for (const { 0: written, index: start, groups = {} } of rest.matchAll(pattern)) {
      const end = start + written.length;
      const before = pattern === BEFORE ? '' : rest.slice(Math.max(0, start - 8), start);
      const value = numberFromDigits(groups['digits'] ?? '', 'unsure');
      if (value === undefined || isPartOfMore(before, rest.slice(end, end + 12))) {
        isUnsure = true;
        continue;
      }
      const scaled = value * (groups['kilo'] ? 1000 : 1) * (groups['minus'] || groups['inner'] ? -1 : 1);
      found.push({ value: Math.round(scaled * 1e6) / 1e6, currency: codeOf(groups['currency'] ?? ''), start });
    }
    rest = rest.replace(pattern, (all) => ' '.repeat(all.length));
  }
  const sums = found
    .toSorted((one, other) => one.start - other.start)
    .map(({ value, currency }) => ({ value, currency }));
  return { sums, isUnsure: isUnsure || MENTION.test(rest) };
}

const codeOf = (written: string): string =>
  SIGNS[written.toUpperCase()] ?? WORDS[written.toLowerCase()] ?? written.toUpperCase();
