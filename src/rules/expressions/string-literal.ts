import { Refused } from './expression-fault.ts';
import type { Token } from './node.ts';

/** A text in quotes with Python's escapes, at a place where one begins. */
export function readString(source: string, at: number): Token {
  const quote = source.charAt(at);
  let value = '';
  for (let here = at + 1; here < source.length;) {
    const char = source.charAt(here);
    if (char === quote) return { kind: 'string', value, at, end: here + 1 };
    if (char === '\n' || char === '\r' || char === '\u0000') break;
    if (char !== '\\') {
      value += char;
      here += 1;
      continue;
    }
    const read = escapeAt(source, here);
    value += read.text;
    here = read.end;
  }
  throw new Refused('syntax', 'a text has no closing quote', at);
}

function escapeAt(source: string, at: number): { readonly text: string; readonly end: number } {
  const char = source.charAt(at + 1);
  const plain = PLAIN[char];
  if (plain !== undefined) return { text: plain, end: at + 2 };
  const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) return { text: String.fromCodePoint(parseInt(octal, 8)), end: at + 1 + octal.length };
  const digits = HEX[char];
  if (digits === undefined) {
    if (char === 'N' || char === '\n' || char === '\r' || char === '')
      throw new Refused('unsupported', 'this escape is not known here', at, 'write the character itself');
    return { text: `\\${char}`, end: at + 2 }; // Python keeps the backslash of an escape that it does not know
  }
  const hex = source.slice(at + 2, at + 2 + digits);
  const code = parseInt(hex, 16);
  if (hex.length !== digits || !/^[0-9a-f]+$/i.test(hex) || code > 0x10ffff)
    throw new Refused('syntax', `\\${char} needs ${digits} hexadecimal digits`, at);
  return { text: String.fromCodePoint(code), end: at + 2 + digits };
}

const PLAIN: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null) as object, {
  '\\': '\\',
  "'": "'",
  '"': '"',
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
});
const HEX: Readonly<Record<string, number | undefined>> = Object.assign(Object.create(null) as object, {
  x: 2,
  u: 4,
  U: 8,
});
