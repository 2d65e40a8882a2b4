import type { SourceToken } from './token.ts';

/**
 * A shell script as tokens. Its words are its behaviour and stay; names are only variables (anywhere: `${a}`, `a=`, in
 * strings, in a here-document) and the script's own functions.
 */
export function tokenizeShell(text: string): readonly SourceToken[] {
  const functions = new Set([...text.matchAll(FUNCTION)].map(([, one = '', other = '']) => one || other));
  const found: SourceToken[] = [];
  scan(
    text.replaceAll(/\r\n?|\\\n/g, (line) => (line.startsWith('\\') ? ' ' : '\n')),
    functions,
    found,
    0,
  );
  return found.map((token, at) => (token.kind === 'word' ? asName(token, at, found, functions) : token));
}

const FUNCTION = /^[^\S\n]*(?:function[^\S\n]+([\w-]+)|([\w-]+)[^\S\n]*\([^\S\n]*\))/gm;
/** Nesting of strings in commands in strings; deeper ones stay one token. */
const MOST_DEPTH = 8;

const PIECE = new RegExp(
  [
    /(?<comment>(?<=^|[\s;&|(])#[^\n]*)/,
    /(?<here><<-?[^\S\n]*(?<quote>["'\\]?)(?<end>\w+)["']?)/,
    /(?<line>\n[^\S\n]*)/,
    /(?<plain>'[^']*(?:'|$)|\\.)/,
    /(?<string>"(?:\\[\s\S]|\$\((?:[^()"]|"(?:\\.|[^"\\])*"|\([^()]*\))*\)|[^"\\])*(?:"|$))/,
    /(?<variable>\$(?:\w+|[@*#?$!-]|\{[^{}\n]*\}))/,
    /(?<word>[\p{L}\p{N}_][\p{L}\p{N}_-]*)/u,
    /(?<sign>\S)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gmu',
);

/** Tokenises a text into `found`; a here-document is read at its lines. */
function scan(text: string, functions: ReadonlySet<string>, found: SourceToken[], depth: number): void {
  const due: { readonly end: string; readonly isPlain: boolean }[] = [];
  PIECE.lastIndex = 0;
  for (let match = PIECE.exec(text); match !== null; match = PIECE.exec(text)) {
    const { comment, here, quote, end = '', line, plain, string, variable, word, sign } = match.groups ?? {};
    const at = PIECE.lastIndex;
    if (comment !== undefined) found.push({ kind: 'comment', text: comment });
    else if (here !== undefined) {
      found.push({ kind: 'sign', text: '<<' });
      due.push({ end, isPlain: quote !== '' });
    } else if (line !== undefined) {
      const [first] = due.splice(0, 1);
      const body = first && bodyOf(text, match.index + 1, first.end);
      if (first !== undefined && body !== undefined) quoted(body, first.isPlain, functions, found, depth);
      found.push({ kind: 'break', text: '0' });
      PIECE.lastIndex = body === undefined ? at : match.index + 1 + body.length;
    } else if (plain !== undefined) found.push({ kind: 'literal', text: plain });
    else if (string !== undefined) {
      quoted(string, false, functions, found, depth);
      PIECE.lastIndex = at;
    } else if (variable !== undefined) {
      pushVariable(variable, found);
    } else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign });
  }
}

/** The lines of a here-document, including the last. */
function bodyOf(text: string, from: number, end: string): string {
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\n', at);
    const stop = next === -1 ? text.length : next;
    if (text.slice(at, stop).trim() === end) return text.slice(from, stop);
    at = stop + 1;
  }
  return text.slice(from);
}

/** Text in quotes or in a here-document, with the variables and commands in it, which are code. */
function quoted(
  text: string,
  isPlain: boolean,
  functions: ReadonlySet<string>,
  found: SourceToken[],
  depth: number,
): void {
  if (isPlain || depth === MOST_DEPTH) return void found.push({ kind: 'literal', text });
  let at = 0;
  for (const match of text.matchAll(
    /\\[\s\S]|\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$(?:\w+|[@*#?$!-]|\{[^{}\n]*\})/g,
  )) {
    const [all] = match;
    if (all.startsWith('\\')) continue;
    found.push({ kind: 'literal', text: text.slice(at, match.index) });
    at = match.index + all.length;
    if (!all.startsWith('$(')) {
      pushVariable(all, found);
      continue;
    }
    found.push({ kind: 'sign', text: '$' }, { kind: 'sign', text: '(' });
    scan(all.slice(2, -1), functions, found, depth + 1);
    found.push({ kind: 'sign', text: ')' });
  }
  found.push({ kind: 'literal', text: text.slice(at) });
}

/** `$a` and `${a}` are equal; modifiers (`${a:-b}`, `${#a}`) stay. */
function pushVariable(written: string, found: SourceToken[]): void {
  const [, before = '', name = '', after = ''] = /^\$\{?([!#]?)([A-Za-z_]\w*)?([\s\S]*?)\}?$/.exec(written) ?? [];
  if (name === '') return void found.push({ kind: 'literal', text: written.replace(/^\$\{(\w+)\}$/, '$$$1') });
  if (before !== '') found.push({ kind: 'literal', text: before });
  found.push({ kind: 'sign', text: '$' }, { kind: 'word', text: name });
  let at = 0;
  for (const match of after.matchAll(/\$([A-Za-z_]\w*)/g)) {
    found.push({ kind: 'literal', text: after.slice(at, match.index) });
    found.push({ kind: 'sign', text: '$' }, { kind: 'word', text: match[1] ?? '' });
    at = match.index + match[0].length;
  }
  if (at < after.length) found.push({ kind: 'literal', text: after.slice(at) });
}

const NAMING = new Set(['for', 'read', 'local', 'export', 'readonly', 'declare', 'typeset', 'unset', 'select']);
/** Tokens before a word on its line that are inspected. */
const LINE = 40;

const SIGNS_OF_A_COMMAND = new Set(['|', '&', ';', '(', '{', '`', '!']);

/** A word that is a name: assigned here, counted with, or a function of the script; any other is text. */
function asName(
  token: SourceToken,
  at: number,
  all: readonly SourceToken[],
  functions: ReadonlySet<string>,
): SourceToken {
  const { text } = token;
  const isVariable = /^[A-Za-z_]\w*$/.test(text);
  const [before, after, next] = [all[at - 1], all[at + 1], all[at + 2]];
  if (before?.text === '$') return token;
  const isGiven = after?.text === '=' || (after?.text === '+' && next?.text === '=');
  const begins =
    before === undefined || before.kind === 'break' || before.kind === 'comment' || SIGNS_OF_A_COMMAND.has(before.text);
  const line = all.slice(Math.max(0, at - LINE), at);
  const said = line.slice(
    line.findLastIndex(({ kind, text: sign }) => kind === 'break' || sign === ';' || sign === '|') + 1,
  );
  const isListed =
    said.some((one) => one.kind === 'word' && NAMING.has(one.text)) && !said.some((one) => one.text === 'in');
  const isGivenHere = isGiven && (begins || isListed);
  const isNamed = isListed && text !== 'in' && before?.text !== '-' && before?.text !== '=';
  if (isVariable && (isGivenHere || isNamed || inArithmetic(said))) return token;
  return functions.has(text) ? token : { kind: 'literal', text };
}

/** After `((` words are variables, except in a command within it. */
function inArithmetic(said: readonly SourceToken[]): boolean {
  const open: boolean[] = [];
  said.forEach(({ kind, text }, at) => {
    if (kind !== 'sign') return;
    if (text === '(') open.push(said[at - 1]?.text === '(');
    if (text === ')') open.pop();
  });
  return open.at(-1) === true;
}
