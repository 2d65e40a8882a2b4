import { pythonAssert } from './assertions-in-python.ts';
import { rubyAssertion } from './assertions-in-ruby.ts';
import { scriptAssertion } from './assertions-in-script.ts';
import { shellAssertion } from './assertions-in-shell.ts';
import { isDefinition } from './code.ts';
import type { Assertion, Code } from './code.ts';
import { call } from './empty-assertions.ts';
import { isSign, isWord } from './nesting.ts';
import type { Language } from './syntax.ts';
import type { Token } from './tokens.ts';

/** Whether an assertion begins at a token. Names of helpers that say so (`assertUser`, `expectRow`) count as one. */
export function assertionAt(code: Code, at: number): Assertion {
  const { language, tokens } = code;
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  if (language === 'script') return scriptAssertion(code, at);
  if (language === 'ruby') return rubyAssertion(code, at);
  if (language === 'shell') return shellAssertion(code, at);
  if (language === 'rust')
    return isSign(tokens[at + 1], '!') && RUST.test(token.text) ? call(code, at, at + 2) : undefined;
  if (language === 'python' && token.text === 'assert' && token.leads) return pythonAssert(code, at);
  if (!NAMES[language].test(token.text) || isDefinition(tokens, at)) return undefined;
  if (INFIX.test(token.text)) return 'asserts';
  const open = openingAt(tokens, at + 1);
  if (language === 'go' && GO_METHODS.test(token.text) && !isWord(tokens[at - 2], GO_OBJECTS)) return undefined;
  if (isSign(tokens[at + 1], '.')) return undefined; // `Assert.Equal(`: the method counts
  return open === undefined ? undefined : call(code, at, open);
}

const HELPER = '(?:assert|expect|verify|check|ensure|should|must)(?:[A-Z_]\\w*)';
const NAMES: Readonly<Record<Exclude<Language, 'script' | 'rust' | 'ruby' | 'shell'>, RegExp>> = {
  python: new RegExp(`^(?:${HELPER}|raises|warns|fail|assert\\w+|failUnless\\w*|check_\\w+)$`),
  go: new RegExp(
    `^(?:Errorf?|Fatalf?|Fail|FailNow|(?:assert|expect|require|check|verify|must|want)(?:[A-Z]\\w*)?|Equal\\w*|NotEqual\\w*|True|False|NoError|ErrorIs|ErrorAs|ErrorContains|EqualError|Nil|NotNil|Len|Empty|NotEmpty|Contains|NotContains|Panics\\w*|NotPanics|InDelta\\w*|ElementsMatch|JSONEq|Zero|NotZero|Greater\\w*|Less\\w*|Eventually\\w*|Expect|Should|To|Assert|Check)$`,
  ),
  java: new RegExp(
    `^(?:${HELPER}|assert|assertThat|fail|verify|verifyNoMoreInteractions|andExpect|expectError|expectNext\\w*)$`,
  ),
  kotlin: new RegExp(`^(?:${HELPER}|assert|assertThat|fail|verify|coVerify|should\\w*|expectThat)$`),
  csharp: new RegExp(
    '^(?:Equal\\w*|NotEqual\\w*|True|False|Null|NotNull|Throws\\w*|That|AreEqual|AreNotEqual|AreSame|IsTrue|IsFalse|IsNull|IsNotNull|IsInstanceOf\\w*|IsType|Contains|DoesNotContain|Empty|NotEmpty|Single|All|Collection|InRange|Fail|Verify\\w*|Should\\w*|StartsWith|EndsWith|Same|NotSame|IsAssignableFrom|ThrowsAsync|(?:assert|Assert|Check|Expect|Ensure)[A-Z]\\w*)$',
  ),
  swift: /^(?:XCT(?:Assert\w*|Fail|Unwrap)|expect|require|assert\w*)$/,
  cpp: /^(?:(?:EXPECT|ASSERT|CHECK|REQUIRE|BOOST_(?:CHECK|REQUIRE|TEST)|TEST_ASSERT|FAIL|ADD_FAILURE|SUCCEED)(?:_\w+)?|assert|cr_assert\w*|ck_assert\w*)$/,
  php: new RegExp(`^(?:${HELPER}|assert|fail|expect|expectException\\w*)$`),
};
const INFIX = /^should(?:Be|NotBe|Throw|Contain|Have\w+|StartWith|EndWith)$/;
const RUST = /^(?:(?:debug_)?assert\w*|panic|unreachable|prop_assert\w*|check\w*)$/;
const GO_METHODS =
  /^(?:Errorf?|Fatalf?|Fail|FailNow|Equal\w*|NotEqual\w*|True|False|Nil|NotNil|Len|Empty|NotEmpty|Contains|NotContains|Zero|NotZero|Greater\w*|Less\w*|Check|Assert|To|Should)$/;
const GO_OBJECTS = /^(?:t|b|tb|f|c|s|is|assert|require|g|a|r|Assert|Require|suite|\)|Expect|qt|be)$/;
/** The opening parenthesis of a call whose name ends before `at`, past type arguments. */
function openingAt(tokens: readonly Token[], at: number): number | undefined {
  if (isSign(tokens[at], '(') || isSign(tokens[at], '{')) return at;
  if (!isSign(tokens[at], '<')) return undefined;
  for (let end = at + 1; end < at + 20; end += 1)
    if (isSign(tokens[end], '>') && isSign(tokens[end + 1], '(')) return end + 1;
  return undefined;
}
