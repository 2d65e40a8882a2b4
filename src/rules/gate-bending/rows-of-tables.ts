import type { Code } from './code.ts';
import { isSign, isWord, partsOf, placeWithin } from './nesting.ts';

/** An annotation or attribute: its words, and what stands in it. */
export interface Mark {
  readonly words: string;
  readonly from: number;
  readonly to: number;
}

/** Rows of `[InlineData]`, `@CsvSource` and their kin, or of the table that a test in Go goes through. */
export function rowsOf(code: Code, open: number, to: number, marks: readonly Mark[]): number | undefined {
  const { tokens, language } = code;
  const lines = marks.filter(({ words }) => /^(?:InlineData|TestCase|case|test_case|TestWith)\b/.test(words)).length;
  if (lines > 0) return lines;
  if (
    marks.some(({ words }) =>
      /^(?:dataProvider|DataProvider|MethodSource|EnumSource|ArgumentsSource|CsvFileSource|MemberData|ClassData|TestCaseSource|FieldSource)\b/.test(
        words,
      ),
    )
  )
    return undefined;
  const source = marks.find(({ words }) => /^(?:ValueSource|CsvSource)\b/.test(words));
  if (source !== undefined) {
    const list = placeWithin(source.from + 1, source.to, (at) => isSign(tokens[at], '{') || isSign(tokens[at], '['));
    if (list !== -1) return Math.max(1, partsOf(tokens, code.pairs, list).length);
    return Math.max(1, tokens.slice(source.from, source.to).filter(({ kind }) => kind === 'text').length);
  }
  return language === 'go' || language === 'rust' || language === 'swift' ? tableRows(code, open, to) : 1;
}

/** A test that goes through a literal table with `range` or `for … in`. */
function tableRows(code: Code, open: number, to: number): number | undefined {
  const { tokens, pairs } = code;
  const loops = tokens.slice(open, to).some((token) => isWord(token, /^(?:range|in)$/));
  if (!loops) return 1;
  let most = 1;
  for (let at = open + 1; at < to; at += 1) {
    if (!isSign(tokens[at], '{') && !isSign(tokens[at], '[')) continue;
    const parts = partsOf(tokens, pairs, at);
    const isTable =
      parts.length > 1 &&
      parts.every(
        ([from, end]) =>
          isSign(tokens[from], '{') ||
          isSign(tokens[from], '(') ||
          (tokens[from]?.kind === 'text' && isSign(tokens[from + 1], ':') && end - from > 2) ||
          (tokens[from]?.kind === 'word' && isSign(tokens[from + 1], '{')),
      );
    if (isTable) most = Math.max(most, parts.length);
  }
  return most === 1 ? undefined : most;
}
