import type { Assertion, Code } from './code.ts';
import { isSign, isWord } from './nesting.ts';

/** Commands that a script runs to fail by: conditions, comparisons, an exit that is not 0. */
export function shellAssertion({ tokens }: Code, at: number): Assertion {
  const token = tokens[at];
  const name = token?.text ?? '';
  const begins =
    token?.leads === true ||
    [';', '|', '&', '('].some((sign) => isSign(tokens[at - 1], sign)) ||
    isWord(tokens[at - 1], /^(?:if|elif|while|until|then|else|do|!|\{|run|not)$/);
  if (!begins) return undefined;
  if (/^\[\[?$|^test$/.test(name)) {
    const rest = tokens.slice(at + 1, at + 4).map(({ text }) => text);
    const line = tokens.slice(at + 1, at + 4).every((one) => one.line === token?.line);
    return line && /^(?:=|==|-eq)$/.test(rest[1] ?? '') && rest[0] === rest[2] && !(rest[0] ?? '').includes('$')
      ? 'cannot fail'
      : 'asserts';
  }
  if (
    /^(?:grep|egrep|fgrep|diff|cmp|assert\w*|refute\w*|check\w*|verify\w*|expect\w*|test_cmp|test_must_\w+|test_grep|test_path_\w+|fail|die|bail|not_ok|is|like)$/.test(
      name,
    )
  )
    return 'asserts';
  const next = tokens[at + 1]?.text ?? '';
  const isSaid =
    (name === 'exit' && /^[1-9]/.test(next) && next !== '77') ||
    (name === 'set' && (/^-\w*e/.test(next) || tokens[at + 2]?.text === 'errexit')) ||
    (name === 'return' && /^[1-9]/.test(next));
  return isSaid ? 'asserts' : undefined;
}
