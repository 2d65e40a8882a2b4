import { Refused } from './expression-fault.ts';
import type { Token } from './token.ts';

/** A number as Python writes it, at a place where one begins. */
export function readNumber(source: string, at: number): Token {
  const text = NUMBER.exec(source.slice(at, at + LONGEST))?.[0] ?? '';
  const end = at + text.length;
  if (/[\w.]/.test(source.charAt(end)) || text.length === LONGEST)
    throw new Refused(
      'unsupported',
      `${source.slice(at, end + 1)}… is no number that is known here`,
      at,
      'digits, a point, an exponent',
    );
  const isFloat = /[.eE]/.test(text);
  if (!isFloat && /^0\d*[1-9]/.test(text.replaceAll('_', '')))
    throw new Refused('syntax', `${text} begins with a zero`, at, 'leave it out');
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isFinite(value) || (!isFloat && value > Number.MAX_SAFE_INTEGER))
    throw new Refused('limit', `${text.slice(0, 40)} is too large`, at, 'whole numbers up to 2^53');
  return { kind: 'number', value, isFloat, at, end };
}

const LONGEST = 60;
const DIGITS = '\\d(?:_?\\d)*';
const NUMBER = new RegExp(`^(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?`);
