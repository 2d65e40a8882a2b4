import type { Code, Found, FoundTest } from './code.ts';
import { isSign, isWord } from './nesting.ts';

/** Tests in shell: bats, shunit2, the functions of git's own test library; a plain script is one test. */
export function testsInShell(code: Code): Found {
  const { tokens } = code;
  const tests: FoundTest[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'word') continue;
    if (token.text === '@test' && tokens[at + 1]?.kind === 'text')
      tests.push(block(code, at + 1, tokens[at + 1]?.text ?? ''));
    else if (/^test_expect_(?:success|failure)$/.test(token.text)) {
      const texts = tokens
        .slice(at + 1, at + 6)
        .filter(
          ({ kind, line }, place, some) => kind === 'text' && (line === token.line || some[place - 1]?.kind === 'text'),
        );
      tests.push({
        name: texts[0]?.text ?? '',
        from: at + 1,
        to: at + 3,
        rows: 1,
        isSkipped: token.text.endsWith('failure'),
        more: commandsIn(texts[1]?.text ?? ''),
      });
    } else if (token.leads && isFunction(code, at)) tests.push(block(code, at + 1, token.text.replace(/\(\)$/, '')));
  }
  return { tests, only: 0 };
}

const isFunction = ({ tokens }: Code, at: number): boolean =>
  /^test_?\w+$/i.test(tokens[at]?.text ?? '') && isSign(tokens[at + 1], '(') && isSign(tokens[at + 2], ')');

function block(code: Code, from: number, name: string): FoundTest {
  const { tokens } = code;
  let to = from;
  let depth = 0;
  for (; to < tokens.length; to += 1) {
    if (isWord(tokens[to], /^\{$/)) depth += 1;
    else if (isWord(tokens[to], /^\}$/)) {
      depth -= 1;
      if (depth <= 0) break;
    }
  }
  const isSkipped = tokens.slice(from, to).some((token) => token.leads && isWord(token, /^(?:skip|startSkipping)$/));
  return { name, from, to, rows: 1, isSkipped, more: 0 };
}

/** Commands in the text that git's test library runs; each of them must succeed. */
const commandsIn = (text: string): number =>
  text.split(/\n|&&/).filter((line) => /\w/.test(line) && !/^\s*#/.test(line)).length;
