import type { Code, Found, FoundTest } from './code.ts';
import { deeper, isSign, isWord, partsOf, placeWithin } from './nesting.ts';

/** Tests of pytest and unittest: functions called `test…`, at the top or in a class of tests. */
export function testsInPython(code: Code): Found {
  const { tokens } = code;
  const tests: FoundTest[] = [];
  const open: Block[] = [];
  const fileSkips = tokens.some(
    (token, at) =>
      token.leads &&
      token.indent === 0 &&
      ((isWord(token, /^pytestmark$/) && lineHas(code, at, /^(?:skip|skipif|xfail)$/)) ||
        (isWord(token, /^pytest$/) && isWord(tokens[at + 2], /^skip$/))),
  );
  let decorators: number[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.leads !== true) continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= token.indent) open.pop();
    if (isSign(token, '@')) {
      decorators.push(at);
      continue;
    }
    const head = isWord(token, /^async$/) ? at + 1 : at;
    const name = tokens[head + 1]?.text ?? '';
    if (isWord(tokens[head], /^class$/)) {
      open.push({
        kind: isTestClass(code, head) ? 'tests' : 'class',
        indent: token.indent,
        name,
        isSkipped: isSkipped(code, decorators),
      });
    } else if (isWord(tokens[head], /^def$/)) {
      const to = blockEnd(code, at);
      if (name.startsWith('test') && open.every(({ kind }) => kind === 'tests' || kind === 'branch')) {
        tests.push({
          name: [...open.flatMap((block) => (block.name === '' ? [] : [block.name])), name].join(' > '),
          ...(decorators[0] === undefined ? {} : { head: decorators[0] }),
          from: head + 1,
          to,
          rows: rowsOf(code, decorators),
          isSkipped:
            fileSkips ||
            isSkipped(code, decorators) ||
            open.some((block) => block.isSkipped) ||
            skipsItself(code, head, to),
          more: 0,
        });
      }
      open.push({ kind: 'function', indent: token.indent, name, isSkipped: false });
    } else if (isWord(token, /^(?:if|else|elif|for|with|try|except|finally|while)$/)) {
      const isDead = isWord(token, /^if$/) && isWord(tokens[at + 1], /^(?:False|0)$/);
      open.push({ kind: isDead ? 'function' : 'branch', indent: token.indent, name: '', isSkipped: false });
    }
    decorators = [];
  }
  return { tests, only: 0 };
}

interface Block {
  readonly kind: 'tests' | 'class' | 'function' | 'branch';
  readonly indent: number;
  readonly name: string;
  readonly isSkipped: boolean;
}

/** `class TestX`, or one whose base says that it is a test. */
function isTestClass({ tokens }: Code, at: number): boolean {
  if ((tokens[at + 1]?.text ?? '').startsWith('Test')) return true;
  const line = tokens[at]?.line;
  for (let place = at + 2; tokens[place]?.line === line; place += 1)
    if (/Test/.test(tokens[place]?.text ?? '')) return true;
  return false;
}

/** Where an indented block ends. */
export function blockEnd({ tokens }: Pick<Code, 'tokens'>, at: number): number {
  const indent = tokens[at]?.indent ?? 0;
  const line = tokens[at]?.line;
  let depth = 0;
  for (let place = at; place < tokens.length; place += 1) {
    const token = tokens[place];
    if (token === undefined) break;
    if (place > at && depth === 0 && token.leads && token.line !== line && token.indent <= indent) return place;
    depth = Math.max(0, depth + deeper(token));
  }
  return tokens.length;
}

function lineHas({ tokens }: Code, at: number, words: RegExp): boolean {
  for (let place = at; tokens[place] !== undefined && tokens[place]?.line === tokens[at]?.line; place += 1)
    if (isWord(tokens[place], words)) return true;
  return false;
}

const isSkipped = (code: Code, decorators: readonly number[]): boolean =>
  decorators.some((at) => lineHas(code, at, /^(?:skip|skipIf|skipUnless|skipif|xfail|expectedFailure)$/));

/** Rows of `parametrize`; several multiply. */
function rowsOf(code: Code, decorators: readonly number[]): number | undefined {
  const { tokens, pairs } = code;
  let rows: number | undefined = 1;
  for (const at of decorators) {
    const name = placeWithin(at + 1, at + 12, (place) =>
      isWord(tokens[place], /^(?:parametrize|parameterized|expand)$/),
    );
    if (name === -1) continue;
    const open = placeWithin(name + 1, name + 4, (place) => isSign(tokens[place], '('));
    const parts = open === -1 ? [] : partsOf(tokens, pairs, open);
    const list = parts
      .map(([from]) => from)
      .find((from) => isSign(tokens[from], '[') || (isSign(tokens[from], '(') && tokens[open + 1]?.kind === 'text'));
    const count = list === undefined ? undefined : partsOf(tokens, pairs, list).length;
    rows = rows === undefined || count === undefined ? undefined : rows * count;
  }
  return rows;
}

const skipsItself = ({ tokens }: Code, from: number, to: number): boolean =>
  tokens.slice(from, to).some((token, at) => {
    const place = from + at;
    if (!isSign(tokens[place + 1], '(') || !isSign(tokens[place - 1], '.')) return false;
    return (
      (isWord(token, /^skip$/) && isWord(tokens[place - 2], /^pytest$/)) ||
      (isWord(token, /^skipTest$/) && isWord(tokens[place - 2], /^self$/))
    );
  });
