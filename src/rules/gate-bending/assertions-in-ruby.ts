import { isDefinition } from './code.ts';
import type { Assertion, Code } from './code.ts';
import { call, hasCall, isLiteral, textOf } from './empty-assertions.ts';
import { isSign, isWord, placeWithin } from './nesting.ts';

/** RSpec's expectations, and the assertions of minitest and test-unit. */
export function rubyAssertion(code: Code, at: number): Assertion {
  const { tokens, pairs } = code;
  const name = tokens[at]?.text ?? '';
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (isDefinition(tokens, at)) return undefined;
  if (name === 'expect' && (isSign(next, '(') || isSign(next, '{'))) {
    const close = pairs.get(at + 1) ?? tokens.length;
    const matcherAt = close + 3;
    const given: readonly [number, number] = [at + 2, close];
    if (!isSign(tokens[close + 1], '.')) return undefined;
    const wanted = isSign(tokens[matcherAt + 1], '(')
      ? textOf(tokens, [matcherAt + 2, pairs.get(matcherAt + 1) ?? tokens.length])
      : textOf(tokens, [matcherAt + 1, matcherAt + 2]);
    const isSame =
      isWord(tokens[matcherAt], /^(?:eq|eql|equal|be)$/) && wanted === textOf(tokens, given) && !hasCall(tokens, given);
    return isSame || (isLiteral(tokens, given) && isWord(tokens[matcherAt], /^(?:be_truthy|be)$/))
      ? 'cannot fail'
      : 'asserts';
  }
  if (/^(?:is_expected|must_\w+\??|wont_\w+|flunk)$/.test(name)) return 'asserts';
  if (/^should(?:_not)?$/.test(name) && (isSign(before, '.') || tokens[at]?.leads === true)) return 'asserts';
  if (
    !/^(?:assert\w*|refute\w*|expect_\w+|verify_\w+|check_\w+)$/.test(name) ||
    isSign(before, '.') ||
    next === undefined
  )
    return undefined;
  if (isSign(next, '(')) return call(code, at, at + 1);
  const last = Math.min(tokens.length, at + 400);
  const sameLine = placeWithin(at + 1, last, (place) => tokens[place]?.line !== tokens[at]?.line);
  const parts = textOf(tokens, [at + 1, sameLine === -1 ? last : sameLine]).split(' , ');
  const taut =
    (parts.length === 1 && /^(?:true|1)$/.test(parts[0] ?? '')) ||
    (parts.length > 1 && name === 'assert_equal' && parts[0] === parts[1] && !parts[0]?.includes('('));
  return taut ? 'cannot fail' : 'asserts';
}
