export type Token = {
  readonly at: number;
  readonly end: number;
} & (
  | { readonly kind: 'number'; readonly value: number; readonly isFloat: boolean }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'name' | 'sign' | 'end'; readonly text: string }
);

export interface ExpressionFault {
  /** One sentence without a full stop. */
  readonly message: string;
  readonly at: number;
  readonly remedy?: string;
}

/** Stops the parser; caught where the expression is compiled. */
export class RefusedExpression extends Error {
  readonly fault: ExpressionFault;

  constructor(message: string, at: number, remedy?: string) {
    super(message);
    this.fault = { message, at, ...(remedy === undefined ? {} : { remedy }) };
  }
}

/** Splits an expression into tokens; throws `RefusedExpression` at the first invalid character. */
export function tokenizeExpression(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let brackets = 0; // a new line is a blank only inside brackets
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at);
    if (char === ' ' || char === '\t' || ((char === '\n' || char === '\r') && brackets > 0)) {
      at += 1;
      continue;
    }
    const token = readToken(source, at);
    if (token.kind === 'sign') brackets += '([{'.includes(token.text) ? 1 : ')]}'.includes(token.text) ? -1 : 0;
    tokens.push(token);
    at = token.end;
  }
  return [...tokens, { kind: 'end', text: '', at: source.length, end: source.length }];
}

function readToken(source: string, at: number): Token {
  const rest = source.slice(at);
  const char = source.charAt(at);
  if (char === "'" || char === '"') return readString(rest, at);
  if (/^\.?\d/.test(rest)) return readNumber(rest, at);
  const name = /^[A-Za-z_]\w*/.exec(rest)?.[0];
  if (name !== undefined) return { kind: 'name', text: name, at, end: at + name.length };
  const sign = SIGN.exec(rest)?.[0];
  const hint = HINTS.find(([text]) => rest.startsWith(text));
  if (hint !== undefined && hint[0].length > (sign ?? '').length)
    throw new RefusedExpression(`${hint[0]} is not known here`, at, hint[1]);
  if (sign !== undefined) return { kind: 'sign', text: sign, at, end: at + sign.length };
  if (char === '\n' || char === '\r')
    throw new RefusedExpression('a line ends in the middle', at, 'write the expression in one line, or in brackets');
  throw new RefusedExpression(`${JSON.stringify(char)} is not known here`, at);
}

const SIGN = /^(?:\*\*|\/\/|<<|>>|[<>=!]=|[-+*/%<>()[\]{},&|^~])/;

/** Spellings of other languages, and of parts of Python that do not exist here; longest first. */
const HINTS: readonly (readonly [text: string, remedy: string])[] = [
  ['===', 'write =='],
  ['!==', 'write !='],
  ['&&', 'write and'],
  ['||', 'write or'],
  ['=>', 'write >= for at least'],
  ['<>', 'write !='],
  ['++', 'an expression changes nothing'],
  ['--', 'write + or -'],
  ['=', 'write == to compare'],
  ['!', 'write not'],
  ['.', 'there are no attributes and methods: compare the value itself'],
  [';', 'an expression is one expression'],
  [':', 'there are no slices and functions of your own'],
  ['#', 'there are no comments: say it in the rule'],
  ['?', 'write A if CONDITION else B'],
];

/** A text in quotes; of Python's escapes only those below exist. */
function readString(rest: string, at: number): Token {
  const written = /^'(?:[^'\\\r\n\0]|\\[^])*'|^"(?:[^"\\\r\n\0]|\\[^])*"/.exec(rest)?.[0];
  if (written === undefined) throw new RefusedExpression('a text has no closing quote', at);
  const value = written
    .slice(1, -1)
    .replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^])/g, (_, escape: string, place: number) => {
      const meaning = escape.length > 1 ? String.fromCharCode(parseInt(escape.slice(1), 16)) : ESCAPES.get(escape);
      if (meaning === undefined)
        throw new RefusedExpression('this escape is not known here', at + 1 + place, 'write the character itself');
      return meaning;
    });
  return { kind: 'string', value, at, end: at + written.length };
}

const ESCAPES = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function readNumber(rest: string, at: number): Token {
  const text = NUMBER.exec(rest)?.[0] ?? '';
  const end = at + text.length;
  if (/[\w.]/.test(rest.charAt(text.length)))
    throw new RefusedExpression(
      `${rest.slice(0, Math.min(text.length + 1, 40))}… is no number that is known here`,
      at,
      'digits, a point, an exponent',
    );
  const isFloat = /[.e]/i.test(text);
  const digits = text.replaceAll('_', '');
  if (!isFloat && /^0\d*[1-9]/.test(digits))
    throw new RefusedExpression(`${text.slice(0, 40)} begins with a zero`, at, 'leave it out');
  const value = Number(digits);
  if (!Number.isFinite(value) || (!isFloat && !Number.isSafeInteger(value)))
    throw new RefusedExpression(`${text.slice(0, 40)} is too large`, at, 'whole numbers up to 2^53');
  return { kind: 'number', value, isFloat, at, end };
}

const DIGITS = String.raw`\d(?:_?\d)*`;
const NUMBER = new RegExp(`^(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?`, 'i');
