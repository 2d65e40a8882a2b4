import { DIGITS, isPartOfMore, numberFromDigits } from './number.ts';

/** The shares in hundredths of a text, and whether it speaks of one in a spelling that is not read, or of an unknown whole. */
export interface PercentsFound {
  readonly values: readonly number[];
  readonly isUnsure: boolean;
}

const SIGN = String.raw`[%％]|(?:percent|per cent|prozent|pct)(?!\p{L})|퍼센트`;
const PERCENT = new RegExp(String.raw`(?<![\p{L}\p{N}])(${DIGITS})[ \u00a0]?(?:${SIGN})`, 'giu');
const MENTION = new RegExp(
  String.raw`${SIGN}|(?<!\p{L})(?:por ?c[ie]e?nto|pour cent|half[- ](?:off|price|the price))(?!\p{L})|百分之|[\d一二三四五六七八九]折|パーセント|\d\s?프로|процент`,
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
  return { values, isUnsure: isUnsure || MENTION.test(rest) };
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
