import type { Code, Found, FoundTest } from './code.ts';
import { isSign, isWord, placeWithin } from './nesting.ts';
import { rowsOf } from './rows-of-tables.ts';
import type { Mark } from './rows-of-tables.ts';
import { deadBlocks } from './tests-in-script.ts';

/** Tests that are functions in languages of braces: `go test`, cargo, JUnit, Kotlin, xUnit, NUnit, PHPUnit, XCTest, GoogleTest. */
export function testsInBraces(code: Code): Found {
  const { tokens, language } = code;
  const tests: FoundTest[] = [];
  const dead = deadBlocks(code);
  const skippedClasses: (readonly [number, number])[] = [];
  let marks: Mark[] = [];
  const isLeftOut =
    language === 'go' && tokens.some(({ kind, text }) => kind === 'note' && !/linux|unix|go1/.test(text));
  for (let at = 0; at < tokens.length; at += 1) {
    at = dead.get(at) ?? at;
    const mark = markAt(code, at);
    if (mark !== undefined) {
      marks.push(mark);
      at = mark.to;
      continue;
    }
    const token = tokens[at];
    if (isWord(token, /^(?:class|struct|object|interface)$/) && tokens[at + 1]?.kind === 'word') {
      if (marks.some(({ words }) => SKIPS.test(words))) {
        const open = braceFrom(code, at);
        if (open !== undefined) skippedClasses.push([open, code.pairs.get(open) ?? tokens.length]);
      }
      marks = [];
    }
    const found = functionAt(code, at);
    if (found !== undefined) {
      const test = testOf(code, found, marks);
      const isInSkipped = skippedClasses.some(([from, to]) => at > from && at < to);
      if (test !== undefined) {
        const within = language === 'go' ? subtests(code, test) : [];
        const own = within.length > 0 ? within : [test]; // one that only runs others is none itself
        tests.push(...own.map((one) => ({ ...one, isSkipped: one.isSkipped || isInSkipped || isLeftOut })));
      }
      marks = [];
      at = found.open;
    } else if (isSign(token, ';') || isSign(token, '}')) marks = [];
  }
  return { tests, only: 0 };
}

interface Func {
  readonly name: string;
  readonly open: number;
  readonly to: number;
  readonly at: number;
}

const SKIPS = /\b(?:Disabled|Ignore|ignore|Explicit|Skip|DisabledIf\w*|DisabledOn\w*|EnabledIf\w*)\b/;
const IS_TEST =
  /^(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory|Fact|TestMethod|DataTestMethod|TestCase|TestCaseSource|test|tokio test|rstest|test_case|case|quickcheck|proptest|async_std test|wasm_bindgen_test|InlineData|SkippableFact|RetryFact)\b/;

function markAt({ tokens, pairs, language }: Code, at: number): Mark | undefined {
  const token = tokens[at];
  if (token?.kind === 'note' && language === 'php')
    return {
      words: /@dataProvider/.test(token.text) ? `dataProvider${/@test\b/.test(token.text) ? ' test' : ''}` : 'test',
      from: at,
      to: at,
    };
  if (
    (language === 'java' || language === 'kotlin' || language === 'swift') &&
    isSign(token, '@') &&
    tokens[at + 1]?.kind === 'word'
  ) {
    let end = at + 1;
    while (isSign(tokens[end + 1], '.') || isSign(tokens[end + 1], ':')) end += 2;
    const words = tokens[end]?.text ?? '';
    if (words === 'interface') return undefined;
    const to = isSign(tokens[end + 1], '(') ? (pairs.get(end + 1) ?? end) : end;
    return { words: `${words} ${inner(tokens, end + 1, to)}`, from: end, to };
  }
  const opensAttribute =
    isSign(token, '[') &&
    (language === 'csharp' || isSign(tokens[at - 1], '#')) &&
    (tokens[at - 1] === undefined ||
      token?.leads === true ||
      isSign(tokens[at - 1], '#') ||
      isSign(tokens[at - 1], ']'));
  if (!opensAttribute || !/^(?:csharp|rust|php)$/.test(language)) return undefined;
  const to = pairs.get(at) ?? at;
  return { words: inner(tokens, at + 1, to), from: at, to };
}

const inner = (tokens: Code['tokens'], from: number, to: number): string =>
  tokens
    .slice(from, Math.min(to, from + 60))
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text)
    .join(' ');

/** The head of a function at a word that is its name, with a body in braces. */
function functionAt(code: Code, at: number): Func | undefined {
  const { tokens, pairs, opens, language } = code;
  const token = tokens[at];
  if (language === 'cpp') {
    if (
      !isWord(token, /^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE|SECTION)$/) ||
      !isSign(tokens[at + 1], '(')
    )
      return undefined;
    const close = pairs.get(at + 1) ?? at;
    if (!isSign(tokens[close + 1], '{')) return undefined;
    const name = tokens
      .slice(at + 2, close)
      .map(({ text }) => text)
      .join(' ');
    return { name, open: close + 1, to: pairs.get(close + 1) ?? tokens.length, at };
  }
  if (token?.kind !== 'word' && token?.kind !== 'text') return undefined;
  const isDeclared =
    isWord(tokens[at - 1], /^(?:func|fn|fun|function)$/) ||
    (language === 'go' && isSign(tokens[at - 1], ')') && isWord(tokens[(opens.get(at - 1) ?? -1) - 1], /^func$/));
  const isMember =
    (language === 'java' || language === 'csharp') &&
    (tokens[at - 1]?.kind === 'word' || isSign(tokens[at - 1], '>') || isSign(tokens[at - 1], ']')) &&
    !isWord(tokens[at - 1], /^(?:new|return|else|throw|await|case)$/) &&
    !isWord(token, /^(?:if|for|while|switch|catch|using|lock|foreach)$/);
  if (!isDeclared && !isMember) return undefined;
  let open = at + 1;
  if (isSign(tokens[open], '<')) while (open < at + 30 && !isSign(tokens[open], '(')) open += 1;
  if (!isSign(tokens[open], '(')) return undefined;
  const brace = braceFrom(code, (pairs.get(open) ?? open) + 1, 30);
  if (brace === undefined) return undefined;
  return { name: token.text, open: brace, to: pairs.get(brace) ?? tokens.length, at };
}

/** The brace that opens a body; a `;` or, for a body that is one expression, `=` comes before none. */
function braceFrom({ tokens }: Code, from: number, within = 60): number | undefined {
  for (let at = from; at < from + within; at += 1) {
    const token = tokens[at];
    if (isSign(token, '{')) return at;
    if (token === undefined || isSign(token, ';')) return undefined;
  }
  return undefined;
}

function testOf(code: Code, { name, open, to, at }: Func, marks: readonly Mark[]): FoundTest | undefined {
  const { tokens, language } = code;
  const isMarked = marks.some(({ words }) => IS_TEST.test(words));
  const isNamed =
    language === 'go'
      ? /^(?:Test|Fuzz|Example)(?![a-z])/.test(name) && name !== 'TestMain'
      : language === 'php' || language === 'swift'
        ? name.startsWith('test')
        : language === 'cpp' ||
          (language === 'java' &&
            /^test[A-Z_]/.test(name) &&
            tokens.some((token) => isWord(token, /^(?:TestCase|GroovyTestCase)$/)));
  if (!isMarked && !isNamed) return undefined;
  const more = marks.filter(({ words }) => /^should_panic\b|\bexpected\b/.test(words)).length;
  return {
    name,
    ...(marks[0] === undefined ? {} : { head: marks[0].from }),
    from: at,
    to,
    rows: rowsOf(code, open, to, marks),
    isSkipped: marks.some(({ words }) => SKIPS.test(words)) || skipsItself(code, open, to),
    more,
  };
}

const skipsItself = ({ tokens }: Code, open: number, to: number): boolean =>
  placeWithin(open, to, (at) => isWord(tokens[at], CALLS_SKIP) && isSign(tokens[at + 1], '(')) !== -1;

const CALLS_SKIP =
  /^(?:Skip|SkipNow|Skipf|markTestSkipped|markTestIncomplete|GTEST_SKIP|XCTSkip|assumeTrue|assumeFalse|Ignore|Inconclusive)$/;

/** `t.Run("name", func…)` with a name that stands there is a test of its own. */
function subtests(code: Code, parent: FoundTest): readonly FoundTest[] {
  const { tokens, pairs } = code;
  const found: FoundTest[] = [];
  for (let at = parent.from; at < parent.to; at += 1) {
    if (
      !isWord(tokens[at], /^Run$/) ||
      !isSign(tokens[at - 1], '.') ||
      !isSign(tokens[at + 1], '(') ||
      tokens[at + 2]?.kind !== 'text'
    )
      continue;
    const to = pairs.get(at + 1) ?? parent.to;
    found.push({
      name: `${parent.name} > ${tokens[at + 2]?.text ?? ''}`,
      from: at + 2,
      to,
      rows: 1,
      isSkipped: parent.isSkipped || skipsItself(code, at, to),
      more: 0,
    });
  }
  return found;
}
