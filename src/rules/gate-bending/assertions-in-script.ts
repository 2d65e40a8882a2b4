import { isDefinition } from './code.ts';
import type { Assertion, Code } from './code.ts';
import { call, hasCall, isLiteral, textOf } from './empty-assertions.ts';
import { isSign, isWord } from './nesting.ts';

/** `expect(…)`, `assert…(`, `t.is(` and what else JavaScript asserts with. */
export function scriptAssertion(code: Code, at: number): Assertion {
  const { tokens, pairs } = code;
  const name = tokens[at]?.text ?? '';
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (isDefinition(tokens, at)) return undefined;
  if (
    /^expect(?:TypeOf)?$/.test(name) &&
    (isSign(next, '(') || isSign(next, '.')) &&
    (!isSign(before, '.') || isWord(tokens[at - 2], /^(?:t|chai|context|ctx)$/))
  ) {
    if (isSign(next, '.')) return isWord(tokens[at + 2], /^(?:fail|unreachable|soft|poll)$/) ? 'asserts' : undefined;
    return expectation(code, at + 1, pairs.get(at + 1) ?? tokens.length);
  }
  if (name === 'assert' && isSign(next, '(') && !isSign(before, '.')) return call(code, at, at + 1);
  if (isSign(before, '.') && isWord(tokens[at - 2], /^(?:assert|t|chai|tap|qunit|QUnit)$/) && isSign(next, '(')) {
    if (isWord(tokens[at - 2], /^(?:t|tap)$/) && !T_METHODS.test(name)) return undefined;
    if (/^pass$/.test(name)) return 'cannot fail';
    return call(code, at, at + 1);
  }
  if (name === 'should' && isSign(before, '.')) return 'asserts';
  if (isSign(next, '(') && !isSign(before, '.') && SCRIPT_HELPER.test(name)) return 'asserts';
  if (isSign(next, '(') && isSign(before, '.') && isWord(tokens[at - 2], /^sinon$/) && name === 'assert')
    return 'asserts';
  return undefined;
}

const SCRIPT_HELPER =
  /^(?:(?:assert|expect|verify|check|ensure)(?:[A-Z_]\w*)|strictEqual|deepEqual|deepStrictEqual|notStrictEqual|rejects|throws|doesNotThrow|equal|ok)$/;
const T_METHODS =
  /^(?:is|not|deepEqual|notDeepEqual|true|false|truthy|falsy|throws|throwsAsync|notThrows|notThrowsAsync|like|regex|notRegex|snapshot|pass|fail|assert|ok|notOk|equal|notEqual|same|notSame|strictEqual|rejects|resolves|match|has|strictSame)$/;

/** `expect(x)` without a matcher asserts nothing; `expect(1).toBe(1)` cannot fail. */
function expectation({ tokens, pairs }: Code, open: number, close: number): Assertion {
  if (!isSign(tokens[close + 1], '.')) return undefined;
  const given: readonly [number, number] = [open + 1, close];
  let at = close + 2;
  let isNegated = false;
  while (isWord(tokens[at], /^(?:not|to|be|have|deep|resolves|rejects|and|is|a|an)$/) && isSign(tokens[at + 1], '.')) {
    isNegated ||= tokens[at]?.text === 'not';
    at += 2;
  }
  const matcher = tokens[at]?.text ?? '';
  const wanted: readonly [number, number] | undefined = isSign(tokens[at + 1], '(')
    ? [at + 2, pairs.get(at + 1) ?? tokens.length]
    : undefined;
  const literal = isLiteral(tokens, given);
  if (
    wanted !== undefined &&
    wanted[1] > wanted[0] &&
    /^(?:toBe|toEqual|toStrictEqual|equal|equals|eql|eq|toMatchObject)$/.test(matcher)
  )
    return !isNegated && textOf(tokens, given) === textOf(tokens, wanted) && !hasCall(tokens, given)
      ? 'cannot fail'
      : literal && isLiteral(tokens, wanted)
        ? 'cannot fail'
        : 'asserts';
  if (
    literal &&
    /^(?:toBeTruthy|toBeDefined|ok|true|exist|toBeFalsy|toBeNull|toBeUndefined|false|toBeGreaterThan|toBeLessThan|exists)$/.test(
      matcher,
    )
  )
    return 'cannot fail';
  return 'asserts';
}
