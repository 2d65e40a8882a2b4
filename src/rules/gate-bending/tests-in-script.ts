import type { Code, Found, FoundTest } from './code.ts';
import { firstFrom, isSign, isWord, partsOf, placeWithin } from './nesting.ts';

/** Tests of vitest, jest, mocha, node:test, ava, tap, playwright, cypress, Deno and bun: calls with a title. */
export function testsInScript(code: Code): Found {
  const { tokens } = code;
  const tests: FoundTest[] = [];
  const suites: Suite[] = [];
  const dead = deadBlocks(code);
  const skips = skipsIn(code);
  let only = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const skipTo = dead.get(at);
    if (skipTo !== undefined) {
      at = skipTo;
      continue;
    }
    while ((suites.at(-1)?.to ?? Infinity) < at) suites.pop();
    const around = suites.at(-1);
    const loop = loopAt(code, at);
    if (loop !== undefined) suites.push(within(around, loop));
    const call = callAt(code, at);
    if (call === undefined) continue;
    if (call.isOnly) only += 1;
    const { name, isSkipped, rows } = within(suites.at(-1), call);
    if (call.isSuite) suites.push({ name, to: call.to, isSkipped, rows });
    else {
      tests.push({
        name,
        head: at,
        from: call.from,
        to: call.to,
        rows,
        isSkipped: isSkipped || liesWithin(skips, call),
        more: 0,
      });
    }
  }
  return { tests, only };
}

interface Suite {
  readonly name: string;
  readonly to: number;
  readonly isSkipped: boolean;
  readonly rows: number | undefined;
}

interface Call extends Suite {
  readonly from: number;
  readonly isSuite: boolean;
  readonly isOnly: boolean;
}

const STARTS = /^(?:[xf]?(?:it|test|describe|context|specify)|suite|step|scenario)$/;
const CHAIN =
  /^(?:only|skip|todo|each|for|concurrent|sequential|serial|parallel|failing|fails|skipIf|runIf|fixme|shuffle|describe|cb|macro|if|skipif|ignore|it|test|failsIf)$/;

function callAt(code: Code, start: number): Call | undefined {
  const { tokens, pairs, language } = code;
  const first = tokens[start];
  if (first?.kind !== 'word' || !STARTS.test(first.text) || language !== 'script') return undefined;
  const before = tokens[start - 1];
  if (isSign(before, '.') && !isWord(tokens[start - 2], /^(?:Deno|QUnit|t|ctx|bdd|self|window)$/)) return undefined;
  if (
    isWord(before, /^(?:function|const|let|var|import|new|class|export|as|get|set|async)$/) ||
    isSign(tokens[start + 1], ':')
  )
    return undefined;
  const words = [first.text];
  let rows: number | undefined = 1;
  let at = start + 1;
  while (isSign(tokens[at], '.') && isWord(tokens[at + 1], CHAIN)) {
    const name = tokens[at + 1]?.text ?? '';
    words.push(name);
    at += 2;
    if (isSign(tokens[at], '<')) at = typeArgumentsEnd({ tokens }, at);
    if (/^(?:each|for)$/.test(name)) {
      rows =
        tokens[at]?.kind === 'text'
          ? tableRows(tokens[at]?.text ?? '')
          : isSign(tokens[at], '(')
            ? rowsAt(code, at + 1)
            : undefined;
      at = isSign(tokens[at], '(') ? (pairs.get(at) ?? at) + 1 : at + 1;
    } else if (/^(?:skipIf|runIf|if|skipif|failsIf)$/.test(name) && isSign(tokens[at], '('))
      at = (pairs.get(at) ?? at) + 1;
  }
  if (isSign(tokens[at], '<')) at = typeArgumentsEnd({ tokens }, at);
  if (!isSign(tokens[at], '(')) return undefined;
  const to = pairs.get(at) ?? tokens.length;
  const parts = partsOf(tokens, pairs, at);
  const title = tokens[at + 1];
  const isTitled = title?.kind === 'text' || (isSign(title, '{') && isWord(before, /^Deno$/)) || isSign(before, '.');
  const isNamed = title?.kind === 'word' && parts.length > 1 && hasFunction({ tokens }, parts[parts.length - 1]);
  if (!isTitled && !isNamed) return undefined;
  if (title?.kind === 'text' && parts.length > 0 && title.text === '' && parts.length === 1 && words.length === 1)
    return undefined;
  const isSuite = words.some((word) => /^[xf]?(?:describe|context)$|^suite$/.test(word));
  const options = parts
    .slice(1, -1)
    .flatMap(([from, end]) => (isSign(tokens[from], '{') ? tokens.slice(from, end) : []));
  const optionOf = (name: RegExp): boolean =>
    options.some((token, place) => isWord(token, name) && !isWord(options[place + 2], /^false$/));
  const hasBody = parts.length > 1;
  return {
    name: title?.text ?? '',
    from: at + 1,
    to,
    rows,
    isSuite,
    isOnly: words.some((word) => word === 'only' || /^f(?:it|test|describe|context)$/.test(word)) || optionOf(/^only$/),
    isSkipped:
      words.some(
        (word) =>
          /^(?:skip|todo|failing|fails|fixme|ignore|skipIf|runIf|skipif|failsIf)$/.test(word) ||
          /^x(?:it|test|describe|context|specify)$/.test(word),
      ) ||
      optionOf(/^(?:skip|todo|ignore)$/) ||
      (!hasBody && !isSuite),
  };
}

function typeArgumentsEnd({ tokens }: Pick<Code, 'tokens'>, at: number): number {
  for (let end = at + 1; end < at + 60; end += 1)
    if (isSign(tokens[end], '>') && (isSign(tokens[end + 1], '(') || tokens[end + 1]?.kind === 'text')) return end + 1;
  return at;
}

const hasFunction = ({ tokens }: Pick<Code, 'tokens'>, part: readonly [number, number] | undefined): boolean =>
  part !== undefined &&
  tokens
    .slice(part[0], Math.min(part[1], part[0] + 40))
    .some((token, at, some) => isWord(token, /^function$/) || (isSign(token, '=') && isSign(some[at + 1], '>')));

/** Where a test says of itself that it is skipped: `t.skip()`, `this.skip()`, `test.skip(…)`. */
const skipsIn = ({ tokens }: Code): readonly number[] =>
  [...tokens.keys()].filter(
    (at) =>
      isWord(tokens[at], /^(?:skip|todo|fixme)$/) &&
      isSign(tokens[at - 1], '.') &&
      isWord(tokens[at - 2], /^(?:t|this|ctx|context|test|it)$/) &&
      isSign(tokens[at + 1], '(') &&
      tokens[at + 2]?.kind !== 'text',
  );

/** Whether one of these places, which are in order, lies in a range. */
const liesWithin = (places: readonly number[], { from, to }: Call): boolean =>
  (places[firstFrom(places, from)] ?? Infinity) < to;

/** Rows of a template table: the lines behind its head. */
const tableRows = (text: string): number =>
  Math.max(0, text.split('\n').filter((line) => line.trim() !== '').length - 1);

/** Elements of a list that stands at a place, or that a name stands for in the same file. */
function rowsAt(code: Code, at: number): number | undefined {
  const { tokens, pairs, declared } = code;
  if (isSign(tokens[at], '[')) {
    const parts = partsOf(tokens, pairs, at);
    return parts.some(([from]) => isSign(tokens[from], '.')) ? undefined : parts.length;
  }
  if (tokens[at]?.kind !== 'word') return undefined;
  const at0 = declared.get(tokens[at]?.text ?? '');
  if (at0 === undefined) return undefined;
  for (let place = at0 + 2; place < at0 + 60; place += 1) {
    if (isSign(tokens[place], ';')) return undefined;
    if (isSign(tokens[place], '=') && isSign(tokens[place + 1], '[')) return rowsAt(code, place + 1);
  }
  return undefined;
}

/** `for (const row of rows) {` and `rows.forEach(`: what lies within runs once a row. */
function loopAt(code: Code, at: number): Suite | undefined {
  const { tokens, pairs, opens } = code;
  const token = tokens[at];
  if (isWord(token, /^for$/) && isSign(tokens[at + 1], '(') && !isSign(tokens[at - 1], '.')) {
    const close = pairs.get(at + 1) ?? tokens.length;
    const of = placeWithin(at + 1, Math.min(close, at + 200), (place) => isWord(tokens[place], /^of$/));
    if (of === -1) return undefined;
    const to = isSign(tokens[close + 1], '{') ? (pairs.get(close + 1) ?? tokens.length) : close + 1;
    return { name: '', to, isSkipped: false, rows: rowsAt(code, of + 1) };
  }
  if (!isWord(token, /^(?:forEach|map)$/) || !isSign(tokens[at - 1], '.') || !isSign(tokens[at + 1], '('))
    return undefined;
  const to = pairs.get(at + 1) ?? tokens.length;
  if (tokens[at - 2]?.kind === 'word') return { name: '', to, isSkipped: false, rows: rowsAt(code, at - 2) };
  if (!isSign(tokens[at - 2], ']')) return undefined;
  const open = opens.get(at - 2);
  return { name: '', to, isSkipped: false, rows: open === undefined ? undefined : rowsAt(code, open) };
}

/** `if (false) {`: what lies within never runs. */
export function deadBlocks({ tokens, pairs }: Code): ReadonlyMap<number, number> {
  const dead = new Map<number, number>();
  for (const [at, token] of tokens.entries()) {
    if (!isWord(token, /^if$/)) continue;
    const open = isSign(tokens[at + 1], '(') ? at + 2 : at + 1;
    if (!isWord(tokens[open], /^(?:false|0)$/)) continue;
    const brace = open === at + 2 ? open + 2 : open + 1;
    if (open === at + 2 && !isSign(tokens[open + 1], ')')) continue;
    if (isSign(tokens[brace], '{')) dead.set(at, pairs.get(brace) ?? tokens.length);
  }
  return dead;
}

/** A suite or test with what the suites around it add: their names, rows and that they are skipped. */
function within(around: Suite | undefined, { name, to, isSkipped, rows }: Suite): Suite {
  if (around === undefined) return { name, to, isSkipped, rows };
  return {
    name: [around.name, name]
      .filter((part) => part !== '')
      .join(' > ')
      .slice(-LONGEST_NAME),
    to,
    isSkipped: isSkipped || around.isSkipped,
    rows: rows === undefined || around.rows === undefined ? undefined : rows * around.rows,
  };
}

const LONGEST_NAME = 300;
