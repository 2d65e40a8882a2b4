import { Refused } from './expression-fault.ts';
import type { Token } from './node.ts';
import { readString } from './string-literal.ts';

/** Tokenises an expression; throws `Refused` at the first invalid character. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let open = 0; // brackets: only inside them a new line means nothing
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at);
    if (char === ' ' || char === '\t' || ((char === '\n' || char === '\r') && open > 0)) {
      at += 1;
      continue;
    }
    const token = tokenAt(source, at);
    if (token.kind === 'sign') open += '([{'.includes(token.text) ? 1 : ')]}'.includes(token.text) ? -1 : 0;
    tokens.push(token);
    at = token.end;
  }
  return [...tokens, { kind: 'end', text: '', at: source.length, end: source.length }];
}

function tokenAt(source: string, at: number): Token {
  const char = source.charAt(at);
  if (char === "'" || char === '"') return readString(source, at);
  if (/\d/.test(char) || (char === '.' && /\d/.test(source.charAt(at + 1)))) return readNumber(source, at);
  if (/[A-Za-z_]/.test(char)) return nameAt(source, at);
  const sign = SIGNS.find((one) => source.startsWith(one, at));
  const hint = HINTS.find(([text]) => source.startsWith(text, at));
  if (hint !== undefined && (sign === undefined || hint[0].length > sign.length))
    throw new Refused('unsupported', `${hint[0]} is not known here`, at, hint[1]);
  if (sign !== undefined) return { kind: 'sign', text: sign, at, end: at + sign.length };
  if (char === '\n' || char === '\r')
    throw new Refused('syntax', 'a line ends in the middle', at, 'write the expression in one line, or in brackets');
  throw new Refused('syntax', `${printable(char)} is not known here`, at);
}

function nameAt(source: string, at: number): Token {
  const text = /^\w+/.exec(source.slice(at, at + 200))?.[0] ?? '';
  const end = at + text.length;
  if (/^['"]/.test(source.charAt(end)) && text.length <= 2)
    throw new Refused(
      'unsupported',
      `a text that begins with ${text} is not known here`,
      at,
      'write it in plain quotes',
    );
  if ((source.codePointAt(end) ?? 0) > 127)
    throw new Refused('unsupported', 'a name holds other letters than a-z', at, 'letters, digits and `_` alone');
  return { kind: 'name', text, at, end };
}

/** A number as Python writes it, at a place where one begins. */
function readNumber(source: string, at: number): Token {
  const text = NUMBER.exec(source.slice(at, at + LONGEST_NUMBER))?.[0] ?? '';
  const end = at + text.length;
  if (/[\w.]/.test(source.charAt(end)) || text.length === LONGEST_NUMBER)
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

const LONGEST_NUMBER = 60;
const DIGITS = '\\d(?:_?\\d)*';
const NUMBER = new RegExp(`^(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?`);

/** Longest first. */
const SIGNS: readonly string[] = '** // << >> <= >= == != < > + - * / % ( ) [ ] { } , & | ^ ~'.split(' ');

/** What people write who think of another language, or of more of Python than there is; longest first. */
const HINTS: readonly (readonly [text: string, remedy: string])[] = [
  ['===', 'write =='],
  ['!==', 'write !='],
  ['**=', 'an expression changes nothing'],
  ['...', 'leave it out'],
  ['&&', 'write and'],
  ['||', 'write or'],
  ['=>', 'write >= for at least; there are no functions of your own'],
  ['=<', 'write <='],
  ['<>', 'write !='],
  ['++', 'an expression changes nothing'],
  ['--', 'write + or -'],
  [':=', 'an expression changes nothing'],
  ['->', 'there are no functions of your own'],
  ['/*', 'there are no comments: say it in the rule'],
  ['=', 'write == to compare'],
  ['!', 'write not'],
  ['.', 'there are no attributes and methods: compare the value itself'],
  [';', 'an expression is one expression'],
  [':', 'there are no slices and functions of your own'],
  ['#', 'there are no comments: say it in the rule'],
  ['?', 'write A if CONDITION else B'],
  ['`', 'write a text in plain quotes'],
  ['@', 'leave it out'],
  ['$', 'leave it out'],
  ['\\', 'leave it out'],
];

const printable = (char: string): string =>
  /[\p{L}\p{P}\p{S}]/u.test(char) ? char : `the character ${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
