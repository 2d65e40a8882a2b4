import type { Assertion, Code } from './code.ts';
import { comparesItself, isFalse, isLiteral, textOf } from './empty-assertions.ts';
import { deeper, isSign, isWord } from './nesting.ts';
import type { Token } from './tokens.ts';

/** The statement `assert` of Python. */
export function pythonAssert({ tokens }: Code, at: number): Assertion {
  const line = tokens[at]?.line;
  let end = at + 1;
  let depth = 0;
  for (; end < tokens.length; end += 1) {
    const token = tokens[end];
    if (depth === 0 && (token?.line !== line || isSign(token, ',') || isSign(token, ';'))) break;
    depth += deeper(token);
  }
  const part: readonly [number, number] = [at + 1, end];
  if (isLiteral(tokens, part) && !isFalse(textOf(tokens, part))) return 'cannot fail';
  if (isWord(tokens[at + 1], /^(?:True|1)$/) && isWord(tokens[at + 2], /^or$/)) return 'cannot fail';
  return comparesItself(tokens, part) || isTuple(tokens, part) ? 'cannot fail' : 'asserts';
}

/** `assert (x == 1, "why")` is a tuple, which is always true. */
function isTuple(tokens: readonly Token[], [from, to]: readonly [number, number]): boolean {
  if (!isSign(tokens[from], '(') || !isSign(tokens[to - 1], ')')) return false;
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    depth += deeper(tokens[at]);
    if (depth === 1 && isSign(tokens[at], ',')) return true;
    if (depth === 0 && at < to - 1) return false;
  }
  return false;
}
