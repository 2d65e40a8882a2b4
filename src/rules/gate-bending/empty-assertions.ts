import type { Assertion, Code } from './code.ts';
import { isSign, isWord, partsOf } from './nesting.ts';
import type { Token } from './tokens.ts';

/** An assertion over values that stand in the code, or that are the same on both sides, cannot fail. */
export function call(code: Code, at: number, open: number): Assertion {
  const { tokens } = code;
  const name = tokens[at]?.text ?? '';
  const parts = partsOf(tokens, code.pairs, open).map((part) => ({ part, text: textOf(tokens, part) }));
  const own = parts.filter(({ text }) => !/^(?:t|this|self)$/.test(text));
  const [first, second] = own;
  if (first === undefined) return 'asserts';
  const asksOne =
    own.length === 1 ||
    /(?:true|ok|truthy|that|defined|^assert!?|^check|^require|^expect|not_?null|notnil|present)$/i.test(name);
  if (asksOne && isLiteral(tokens, first.part) && first.part[1] - first.part[0] === 1)
    return isFalse(first.text) && !/false|null|nil|none|empty/i.test(name) ? 'asserts' : verdictOfLiteral(name);
  if (second === undefined) return comparesItself(tokens, first.part) ? 'cannot fail' : 'asserts';
  const isSame = first.text === second.text && !hasCall(tokens, first.part) && !/not|differ|greater|less/i.test(name);
  return isSame ? 'cannot fail' : 'asserts';
}

/** `fail("why")` and `raises(Error)` say something; `assertTrue(true)` does not. */
const verdictOfLiteral = (name: string): Assertion =>
  /fail|raise|throw|error|fatal|panic|unreachable|expect\w*exception|warns|verify|contain|flunk/i.test(name)
    ? 'asserts'
    : 'cannot fail';

/** Whether a value is one that an assertion of truth fails on. */
export const isFalse = (text: string): boolean => /^(?:false|False|0|null|nil|None|undefined|nullptr|)$/.test(text);

/** The text of a range of tokens; literals are told from words. */
export const textOf = (tokens: readonly Token[], [from, to]: readonly [number, number]): string =>
  tokens
    .slice(from, to)
    .map(({ kind, text }) => (kind === 'text' ? `"${text}"` : text))
    .join(' ');

/** Whether a range holds nothing but values that stand there. */
export const isLiteral = (tokens: readonly Token[], [from, to]: readonly [number, number]): boolean =>
  to > from &&
  tokens.slice(from, to).every((token) => token.kind === 'text' || isWord(token, LITERAL) || isSign(token, '-'));
const LITERAL = /^(?:\d[\w.]*|true|false|True|False|None|null|nil|undefined|nullptr)$/;

/** Whether something is called in a range. */
export const hasCall = (tokens: readonly Token[], [from, to]: readonly [number, number]): boolean =>
  tokens.slice(from, to).some((token) => isSign(token, '('));

/** `1 == 1`, `x is x`. */
export function comparesItself(tokens: readonly Token[], [from, to]: readonly [number, number]): boolean {
  const at = tokens
    .slice(from, to)
    .findIndex(
      (token, place) => (isSign(token, '=') && isSign(tokens[from + place + 1], '=')) || isWord(token, /^is$/),
    );
  if (at < 1) return false;
  const right = isWord(tokens[from + at], /^is$/) ? at + 1 : tokens[from + at + 2]?.text === '=' ? at + 3 : at + 2;
  const left = textOf(tokens, [from, from + at]);
  return left === textOf(tokens, [from + right, to]) && !left.includes('(');
}
