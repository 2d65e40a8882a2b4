import type { Code, Found, FoundTest } from './code.ts';
import { isSign, isWord } from './nesting.ts';
import { blockEnd } from './tests-in-python.ts';

/** Tests of RSpec, minitest and test-unit: `it "…" do`, `test "…" do`, `def test_…`. */
export function testsInRuby(code: Code): Found {
  const { tokens } = code;
  const tests: FoundTest[] = [];
  const suites: { readonly name: string; readonly to: number; readonly isSkipped: boolean }[] = [];
  let only = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'word' || !token.leads) continue;
    while ((suites.at(-1)?.to ?? Infinity) <= at) suites.pop();
    const word = tokens[at + 1]?.text === '.' && token.text === 'RSpec' ? at + 2 : at;
    const name = tokens[word]?.text ?? '';
    const isSuite = /^[xf]?(?:describe|context)$|^(?:shared_examples|shared_context|feature)$/.test(name);
    const isTest = /^[xf]?(?:it|specify|example|scenario)$|^(?:test|pending|skip|its|should)$/.test(name);
    const isMethod = name === 'def' && (tokens[word + 1]?.text ?? '').startsWith('test_');
    if (!isSuite && !isTest && !isMethod) continue;
    const to = blockEnd(code, at);
    const head = tokens.slice(word + 1, to).filter(({ line }) => line === token.line);
    const title =
      head.find(({ kind }) => kind === 'text')?.text ??
      (isMethod ? (tokens[word + 1]?.text ?? '') : (head[0]?.text ?? ''));
    const hasBody = head.some((one) => isWord(one, /^do$/) || isSign(one, '{')) || isMethod;
    if (!isMethod && !isSuite && head[0]?.kind !== 'text' && !hasBody) continue;
    const hasKey = (keys: RegExp): boolean =>
      head.some((one, place) => isWord(one, keys) && (isSign(head[place - 1], ':') || isSign(head[place + 1], ':')));
    if (/^f(?:it|describe|context|specify|example)$/.test(name) || hasKey(/^(?:focus|only)$/)) only += 1;
    const around = suites.at(-1);
    const isSkipped =
      /^x(?:it|describe|context|specify|example|scenario)$|^(?:pending|skip)$/.test(name) ||
      !hasBody ||
      hasKey(/^(?:skip|pending)$/) ||
      around?.isSkipped === true;
    const full = around === undefined ? title : `${around.name} > ${title}`.slice(-300);
    if (isSuite) suites.push({ name: full, to, isSkipped });
    else {
      const skipsItself = tokens.slice(word + 1, to).some((one) => one.leads && isWord(one, /^(?:skip|pending)$/));
      tests.push({ name: full, from: word + 1, to, rows: 1, isSkipped: isSkipped || skipsItself, more: 0 });
    }
  }
  return { tests, only };
}
