import { asianNumber, asianNumberBefore } from './asian-number.ts';
import { numberFromDigits } from './digits.ts';
import { numberFromWords, saysNumber, isNumberWord } from './number-words.ts';
import { areNear, textTokens } from './text-token.ts';
import type { TextToken } from './text-token.ts';

/** A share in hundredths in a text. */
export interface Percent {
  /** Without its sign: a price that goes down by 20 % goes down by 20. */
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** Every share in hundredths that could be a reduction: all but those of something that is no price (`99.9 % uptime`). */
export function findDiscounts(text: string, tokens: readonly TextToken[] = textTokens(text)): readonly Percent[] {
  return findPercents(text, tokens).filter((percent) => !isOtherShare(text, percent));
}

/** Every share in hundredths in a text: `10%`, `7,5 Prozent`, `ten percent`, `half off`, `30 퍼센트`, `百分之二十`, `八折`. */
export function findPercents(text: string, tokens: readonly TextToken[] = textTokens(text)): readonly Percent[] {
  const found: Percent[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.start < (found.at(-1)?.end ?? 0)) continue;
    if (token.kind === 'number') {
      const end = percentSignAt(tokens, at + 1) ?? endOfRange(tokens, at);
      const value = end === undefined ? undefined : numberFromDigits(token.text, 'comma');
      if (end !== undefined && value !== undefined) found.push({ value, start: token.start, end });
      continue;
    }
    const words = inWords(tokens, at) ?? half(tokens, at);
    if (words !== undefined) found.push(words);
  }
  return [...found, ...asianPercents(text)].toSorted((one, other) => one.start - other.start);
}

/** The end of what says "percent" at a place. */
function percentSignAt(tokens: readonly TextToken[], at: number): number | undefined {
  const token = tokens[at];
  if (token === undefined || !areNear(tokens[at - 1], token)) return undefined;
  if (/^[%％٪]$/.test(token.text)) return token.end;
  if (WORDS.has(token.lower) || /^(?:퍼센트|パーセント|프로(?!그램|젝트|필))/u.test(token.text)) return token.end;
  const next = tokens[at + 1];
  return TWO_WORDS.has(`${token.lower} ${next?.lower ?? ''}`) ? next?.end : undefined;
}

const WORDS: ReadonlySet<string> = new Set([
  'percent',
  'pct',
  'prozent',
  'procent',
  'procento',
  'percento',
  'パーセント',
  'porcento',
  'процентов',
  'процента',
]);
const TWO_WORDS: ReadonlySet<string> = new Set(['per cent', 'por ciento', 'por cento', 'pour cent', 'per cento']);

/** `10-20%`, `10 to 20 percent`. */
function endOfRange(tokens: readonly TextToken[], at: number): number | undefined {
  const [joint, other] = [tokens[at + 1], tokens[at + 2]];
  if (other?.kind !== 'number' || joint === undefined || !/^(?:[-\u2010-\u2015]|to|bis|a|à|and|und)$/i.test(joint.text))
    return undefined;
  return percentSignAt(tokens, at + 3) === undefined ? undefined : tokens[at]?.end;
}

function inWords(tokens: readonly TextToken[], at: number): Percent | undefined {
  const first = tokens[at];
  const isFirst = !saysNumber(tokens[at - 1]?.lower ?? '');
  if (first?.kind !== 'word' || !isFirst || !saysNumber(first.lower)) return undefined;
  let next = at;
  while (next - at < MOST_WORDS && isNumberWord(tokens[next]?.lower ?? '')) next += 1;
  const end = percentSignAt(tokens, next);
  const value = numberFromWords(tokens.slice(at, next).map(({ lower }) => lower));
  return end === undefined || value === undefined ? undefined : { value, start: first.start, end };
}

const MOST_WORDS = 8;

/** `half off`, `half price`, `50 % for half the price`. */
function half(tokens: readonly TextToken[], at: number): Percent | undefined {
  const token = tokens[at];
  if (token?.lower !== 'half') return undefined;
  const joint = tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
  const next = tokens[joint];
  const word = next?.lower === 'the' ? tokens[joint + 1] : next;
  return word !== undefined && (word.lower === 'off' || word.lower === 'price')
    ? { value: 50, start: token.start, end: word.end }
    : undefined;
}

/** `百分之二十`, and `八折`, which leaves eight tenths of the price. */
function asianPercents(text: string): readonly Percent[] {
  const found: Percent[] = [];
  for (const { 0: all, 1: written = '', index } of text.matchAll(/百分之([\d.零一二两三四五六七八九十百]{1,12})/gu)) {
    const value = asianNumber(written);
    if (value !== undefined) found.push({ value, start: index, end: index + all.length });
  }
  for (const { index } of text.matchAll(/折(?!扣|叠|磨|腾|旧|断|返|中|射|回)/gu)) {
    const written =
      /[\d.]{1,4}$|[一二三四五六七八九]{1,2}$/u.exec(text.slice(Math.max(0, index - 4), index))?.[0] ?? '';
    const tenths = /^[\d.]+$/.test(written) ? Number(written) : digitsOf(written);
    const left = tenths >= 10 ? tenths : tenths * 10;
    if (written !== '' && left > 0 && left < 100)
      found.push({ value: Math.round((100 - left) * 100) / 100, start: index - written.length, end: index + 1 });
  }
  for (const { index, 0: sign } of text.matchAll(/퍼센트|パーセント/gu)) {
    const written = asianNumberBefore(text, index);
    // Digits are read with the tokens.
    const value = written === '' || /^\d[\d.,]*$/.test(written) ? undefined : asianNumber(written);
    if (value !== undefined) found.push({ value, start: index - written.length, end: index + sign.length });
  }
  return found;
}

/** 八五 is 85: in a discount the numerals stand for digits. */
const digitsOf = (written: string): number =>
  Number(Array.from(written, (char) => '零一二三四五六七八九'.indexOf(char)).join('') || NaN);

/** Whether what stands around says that it is a share of something else; a word for a reduction beside it decides otherwise. */
function isOtherShare(text: string, { start, end }: Percent): boolean {
  const before =
    text
      .slice(Math.max(0, start - REACH), start)
      .split(/[.!?;。！？\n]/u)
      .at(-1) ?? '';
  const after = text.slice(end, end + REACH).split(/[.!?;。！？\n]/u)[0] ?? '';
  if (REDUCTIONS.test(`${before.slice(-SHORT_REACH)} % ${after.slice(0, SHORT_REACH)}`)) return false;
  return OTHER_SHARES.after.test(after) || OTHER_SHARES.before.test(before);
}

const REACH = 40;
const SHORT_REACH = 24;

/** Words beside a share that say that a price goes down by it. */
const REDUCTIONS =
  /(?<!\p{L})(?:off|discount\w*|rebate\w*|reduc\w+|cheaper|markdown|mark(?:ed)? down|coupon\w*|promo\w*|voucher\w*|savings?|save|saves|rabatt\w*|nachlass\w*|ermäßig\w*|günstiger|spar\w+|billiger|descuento\w*|rebaja\w*|remise\w*|réduction\w*|rabais|sconto|sconti|desconto\w*|korting|kedvezmény|zniżk\w*)(?!\p{L})|할인|세일|折扣|优惠|優惠|减价|割引|オフ|値引/iu;

/** Words that say of what else a share is: right behind it, or before it in the same sentence. */
const OTHER_SHARES = {
  after:
    /^\s*(?:(?:of|der|des|de)\s+(?:the\s+|our\s+|all\s+|your\s+|alle\w?\s+|los\s+|las\s+)?(?:users?|customers?|people|requests?|orders?|time|cases|tests?|traffic|clients?|kunden|fälle|nutzer|anfragen|usuarios|clientes|cpu|memory|capacity|disk|battery|employees|team|votes?|respondents)|sure|certain|confident|correct|accurate|accuracy|convinced|positive|honest|complete|completed|done|finished|ready|satisfied|satisfaction|happy|money|refund\w*|guarantee\w*|committed|secure|safe|free|natural|organic|cotton|wool|leather|polyester|recycled|renewable|alcohol|uptime|availability|available|coverage|humidity|probability|chance|likely|likelihood|vat|tax|taxes|interest|apr|apy|tip|commission|growth|increase|more|higher|faster|market|margin|battery|charged|full|cpu|memory|load|usage|utili[sz]ation|packet|sicher|baumwolle|verfügbar\w*|mwst|mehrwertsteuer|zinsen|auslastung|algodón|seguro|iva|sûr|tva|coton|확실|순면|가동|부가세|纯棉|确定|增长|利息|税)/iu,
  before:
    /(?<!\p{L})(?:uptime|availability|coverage|cpu|memory|disk|battery|humidity|probability|chance|vat|tax|interest|apr|tip|commission|growth|grew|rose|increased?|raised?|accuracy|usage|utili[sz]ation|load|progress|completion|mwst|mehrwertsteuer|zinsen|zinssatz|auslastung|verfügbarkeit|iva|tva|cobertura|disponibilidad)(?:\s+(?:rate|level|score|is|was|are|of|at|by|to|now|has|reached|stands|about|around|only|over|just|still|currently|roughly|beträgt|liegt|bei|von|um|über|rund|etwa|del|de|es)){0,4}\s*[:=]?\s*[-+\u2212(]?\s*$|(?:가동률|점유율|확률|부가세|사용률|이자율)[은는이가]?\s*$|(?:增长|利率|概率|税率|使用率|可用性)(?:了|为|是|约)?\s*$/iu,
} as const;
