import { assertionAt } from './assertions.ts';
import { textOf } from './empty-assertions.ts';
import type { Code, FindTests, FoundTest } from './code.ts';
import { firstFrom, isSign, isWord, pairsOf, placeWithin } from './nesting.ts';
import type { Language } from './syntax.ts';
import { testsInBraces } from './tests-in-braces.ts';
import { blockEnd, testsInPython } from './tests-in-python.ts';
import { testsInRuby } from './tests-in-ruby.ts';
import { swallowed } from './swallowed.ts';
import { deadBlocks, testsInScript } from './tests-in-script.ts';
import { testsInShell } from './tests-in-shell.ts';
import { tokensOf } from './tokens.ts';

/** One test, as it is compared with what it was before. */
export interface CountedTest extends Pick<FoundTest, 'name' | 'rows' | 'isSkipped'> {
  readonly path: string;
  /** Its code without its name, comments and spacing. */
  readonly body: string;
  /** What it is about: the names and values in it that are no words of a test runner. */
  readonly about: ReadonlySet<string>;
  readonly assertions: number;
}

/** What was counted in one file. */
export interface CountedFile {
  readonly path: string;
  readonly tests: readonly CountedTest[];
  readonly only: number;
  /** Places of assertions that cannot fail. */
  readonly empty: readonly { readonly line: number; readonly text: string }[];
  /** Assertions outside of tests: in helpers, hooks, and in a script that is a test as a whole. */
  readonly loose: number;
  /** Ways in which a script says that all is well whatever happened. */
  readonly shrugs: number;
}

/** Functions of a file that assert: how often a call of each does. */
export type Helpers = ReadonlyMap<string, number>;

/** Takes a file apart once, for its helpers and for its tests. */
export function codeOf(text: string, language: Language): Code {
  const tokens = tokensOf(text, language);
  const pairs = pairsOf(tokens);
  const declared = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 1]?.text ?? '';
    if (isWord(token, /^(?:const|let|var)$/) && !declared.has(name)) declared.set(name, at);
  }
  return { language, tokens, pairs, opens: new Map([...pairs].map(([open, close]) => [close, open])), declared };
}

/** The functions that assert, outside of tests. */
export function helpersIn(code: Code): Helpers {
  const { tokens, language } = code;
  const inTests = rangesOf(FIND[language](code).tests);
  const upTo = new Uint32Array(tokens.length + 1);
  for (const at of tokens.keys()) upTo[at + 1] = (upTo[at] ?? 0) + (assertionAt(code, at) === 'asserts' ? 1 : 0);
  const found = new Map<string, number>();
  for (let at = 0; at < tokens.length; at += 1) {
    const name = tokens[at];
    if (name?.kind !== 'word' || inTests(at)) continue;
    const isDeclared =
      isWord(tokens[at - 1], /^(?:function|def|func|fn|fun|const|let|void)$/) ||
      (language === 'shell' && isSign(tokens[at + 1], '(') && isSign(tokens[at + 2], ')'));
    if (!isDeclared || assertionAt(code, at) !== undefined) continue;
    const isByLines = language === 'python' || language === 'ruby';
    if (isByLines && tokens[at - 1]?.leads !== true && tokens[at - 2]?.leads !== true) continue;
    const to = isByLines ? blockEnd(code, Math.max(0, at - 1)) : bodyEnd(code, at);
    const count = (upTo[Math.max(at + 1, to)] ?? 0) - (upTo[at + 1] ?? 0);
    if (count > 0) found.set(name.text, count);
  }
  return found;
}

/** Tests lie in tests no deeper than this; deeper, to count them would take too long. */
const DEEPEST = 20;

/** Counts the tests of a file; a call of a helper counts as often as the helper asserts. Undefined where it cannot. */
export function countTests(path: string, code: Code, helpers: Helpers): CountedFile | undefined {
  const { tokens, language } = code;
  const found = FIND[language](code);
  if (found.tests.reduce((all, { from, to }) => all + to - from, 0) > tokens.length * DEEPEST + 10_000)
    return undefined;
  const isInTest = rangesOf(found.tests);
  const empty: CountedFile['empty'][number][] = [];
  const asserts = new Uint16Array(tokens.length);
  for (const [at, token] of tokens.entries()) {
    const kind = assertionAt(code, at);
    if (kind === 'cannot fail')
      empty.push({ line: token.line, text: textOf(tokens, [at, Math.min(tokens.length, at + 8)]).slice(0, 60) });
    else if (kind === 'asserts') asserts[at] = 1;
    if (token.kind !== 'word' || kind === 'cannot fail') continue;
    const helper = helpers.get(token.text);
    const isCall = isSign(tokens[at + 1], '(') || language === 'shell' || language === 'ruby';
    if (helper !== undefined && isCall && !isWord(tokens[at - 1], /^(?:function|def|func|fn|fun|const|let|void)$/))
      asserts[at] = Math.max(asserts[at] ?? 0, helper);
  }
  const dead = language === 'python' || language === 'ruby' ? new Map<number, number>() : deadBlocks(code);
  for (const [from, to] of [...dead, ...swallowed(code)]) asserts.fill(0, from, to);
  const tests = found.tests.map((test) => {
    const end = endOfWork(code, test);
    let assertions = test.more;
    for (let at = test.from; at < end; at += 1) assertions += asserts[at] ?? 0;
    return {
      path,
      name: test.name,
      body: textOf(tokens, [test.from + 1, test.to]),
      about: aboutOf(code, test),
      assertions,
      rows: test.rows,
      isSkipped: test.isSkipped,
    };
  });
  let loose = 0;
  for (let at = 0; at < tokens.length; at += 1) if (!isInTest(at)) loose += asserts[at] ?? 0;
  return { path, tests, only: found.only, empty, loose, shrugs: language === 'shell' ? shrugsIn(code) : 0 };
}

const FIND: Readonly<Record<Language, FindTests>> = {
  script: testsInScript,
  python: testsInPython,
  ruby: testsInRuby,
  shell: testsInShell,
  go: testsInBraces,
  rust: testsInBraces,
  java: testsInBraces,
  kotlin: testsInBraces,
  csharp: testsInBraces,
  swift: testsInBraces,
  cpp: testsInBraces,
  php: (code) => {
    const [methods, calls] = [testsInBraces(code), testsInScript({ ...code, language: 'script' })];
    return { tests: [...methods.tests, ...calls.tests], only: calls.only };
  },
};

/** Whether a token lies in one of the tests. */
function rangesOf(tests: readonly FoundTest[]): (at: number) => boolean {
  const sorted = tests.toSorted((one, other) => one.from - other.from);
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { from, to } of sorted) {
    if ((ends.at(-1) ?? -1) >= from) ends[ends.length - 1] = Math.max(ends.at(-1) ?? 0, to);
    else {
      starts.push(from);
      ends.push(to);
    }
  }
  return (at) => at < (ends[firstFrom(starts, at + 1) - 1] ?? 0);
}

function bodyEnd({ tokens, pairs }: Code, at: number): number {
  for (let place = at + 1; place < at + 80 && place < tokens.length; place += 1) {
    if (isSign(tokens[place], '{')) return pairs.get(place) ?? tokens.length;
    if (isSign(tokens[place], ';')) return place;
    if (isSign(tokens[place], '=') && isSign(tokens[place + 1], '>') && !isSign(tokens[place + 2], '{')) {
      for (let end = place + 2; end < tokens.length; end += 1) {
        if (isSign(tokens[end], ';')) return end;
        end = pairs.get(end) ?? end;
      }
    }
  }
  return at;
}

/** Behind a `return` that nothing guards, no assertion is reached. */
function endOfWork({ tokens, pairs, language }: Code, { from, to }: FoundTest): number {
  if (language === 'python') {
    const first = placeWithin(
      from + 1,
      to,
      (at) => tokens[at]?.leads === true && tokens[at]?.line !== tokens[from]?.line,
    );
    const indent = tokens[first]?.indent;
    for (let at = from; at < to; at += 1)
      if (tokens[at]?.leads === true && tokens[at]?.indent === indent && isWord(tokens[at], /^return$/)) return at;
    return to;
  }
  if (language === 'shell' || language === 'ruby') return to;
  for (let at = from; at < to; at += 1) {
    if (!isSign(tokens[at], '{')) continue;
    const end = pairs.get(at) ?? to;
    const opensBody =
      isSign(tokens[at - 1], ')') ||
      (isSign(tokens[at - 1], '>') && isSign(tokens[at - 2], '=')) ||
      tokens[at - 1]?.kind === 'word';
    if (!opensBody) {
      at = end;
      continue;
    }
    for (let place = at + 1; place < end; place += 1) {
      const begins = tokens[place]?.leads === true || isSign(tokens[place - 1], '{') || isSign(tokens[place - 1], ';');
      if (isWord(tokens[place], /^return$/) && begins && !guarded({ tokens }, place)) {
        const line = tokens[place]?.line;
        const next = tokens[place + 1];
        if (isSign(next, ';') || next?.line !== line) return place;
      }
      if (isSign(tokens[place], '{') || isSign(tokens[place], '(')) place = pairs.get(place) ?? place;
    }
    return to;
  }
  return to;
}

/** `if (x)` on the line before, without braces. */
const guarded = ({ tokens }: Pick<Code, 'tokens'>, at: number): boolean =>
  isSign(tokens[at - 1], ')') || isWord(tokens[at - 1], /^else$/);

function aboutOf({ tokens }: Code, { head, from, to }: FoundTest): ReadonlySet<string> {
  const about = new Set<string>();
  for (const { kind, text } of tokens.slice(head ?? from + 1, to)) {
    if (kind === 'text' && text !== '')
      for (const word of text.slice(0, 400).split(/[^\p{L}\p{N}_]+/u)) if (word !== '') about.add(word);
    if (kind === 'word' && !COMMON.test(text)) about.add(text);
  }
  return about;
}

const COMMON =
  /^(?:expect\w*|assert\w*|to[A-Z]\w*|to|be|not|it|test|describe|const|let|var|await|async|function|return|new|t|self|this|def|func|fn|fun|void|public|private|if|else|for|in|of|import|from|with|raises|throws|true|false|True|False|null|None|nil|is|equal|deepEqual|strictEqual|ok|eq|do|end|should\w*|Assert|Equal|Error\w*|Fatal\w*|mut|use|super|String|int|string|err|got|want|then|fi|echo|exit|grep)$/;

/** `|| true`, `set +e`, `exit 0` before the end. */
function shrugsIn({ tokens }: Code): number {
  return tokens.filter((token, at) => {
    if (isWord(token, /^(?:true|:)$/)) return isSign(tokens[at - 1], '|') && isSign(tokens[at - 2], '|');
    if (isWord(token, /^set$/) && token.leads) return isWord(tokens[at + 1], /^\+\w*e/);
    return isWord(token, /^exit$/) && isWord(tokens[at + 1], /^(?:0|77)$/) && at < tokens.length - 2;
  }).length;
}
