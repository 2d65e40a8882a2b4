import type { TextFamily } from './code-tokens.ts';
import type { SourceToken } from './token.ts';
import { readUnit } from './read-code-unit.ts';
import type { CodeUnit } from './read-code-unit.ts';
import { splitShellUnits } from './shell-units.ts';

/** Cuts tokens into units: at line ends, semicolons, commas and braces, but not within round and square brackets. */
export function splitUnits(tokens: readonly SourceToken[], family: TextFamily): readonly CodeUnit[] {
  if (family.nests === 'shell') return splitShellUnits(tokens);
  const units = family.nests === 'braces' ? byBraces(tokens) : byIndent(tokens);
  const [first] = family.first ? units.filter(({ words }) => words[1] === ':' && words[2] !== '=') : [];
  return first === undefined ? units : [...units, taken(first)];
}

/** Marks the first unit as one that keeps its order. */
const taken = ({ words }: CodeUnit): CodeUnit =>
  readUnit(
    [
      { kind: 'sign', text: '!' },
      { kind: 'word', text: words[0] ?? '' },
    ],
    undefined,
    false,
  );

/** Braces nest units; within a block in brackets (a callback) units end as everywhere. */
function byBraces(tokens: readonly SourceToken[]): readonly CodeUnit[] {
  const units: CodeUnit[] = [];
  const open: string[] = [];
  const parents: (number | undefined)[] = [];
  let run: SourceToken[] = [];
  const finish = (opens: boolean): void => {
    if (run.length > 0) units.push(readUnit(run, parents.at(-1), opens));
    run = [];
  };
  tokens.forEach((token, at) => {
    const isFree = open.length === 0 || open.at(-1) === '{';
    if (token.kind === 'break') {
      const next = told(tokens, at);
      if (isFree && next?.text !== '{' && !goesOn(run.at(-1), next) && !isMark(run)) finish(false); // a brace may be on a line of its own
      return;
    }
    const { text } = token;
    if (token.kind !== 'sign') return void run.push(token);
    if (text === '{') {
      const had = run.length > 0;
      finish(true);
      parents.push(had ? units.length - 1 : parents.at(-1));
      open.push('{');
    } else if (text === '}') {
      finish(false);
      while (open.length > 0 && open.pop() !== '{');
      parents.pop();
    } else if (isFree && (text === ';' || text === ',')) finish(false);
    else {
      if (text === '(' || text === '[') open.push(text);
      if ((text === ')' || text === ']') && open.length > 0 && !isFree) open.pop();
      if (text !== ',' || !isClosing(told(tokens, at))) run.push(token); // no comma after the last argument
    }
  });
  finish(false);
  return units;
}

/** Indentation nests; within brackets of any kind a unit continues. */
function byIndent(tokens: readonly SourceToken[]): readonly CodeUnit[] {
  const units: CodeUnit[] = [];
  const blocks: { readonly unit: number; readonly indent: number }[] = [];
  let run: SourceToken[] = [];
  let depth = 0;
  let indent = 0;
  const finish = (): void => {
    if (run.length === 0) return;
    while ((blocks.at(-1)?.indent ?? -1) >= indent) blocks.pop();
    units.push(readUnit(run, blocks.at(-1)?.unit, run.at(-1)?.text === ':'));
    blocks.push({ unit: units.length - 1, indent });
    run = [];
  };
  tokens.forEach((token, at) => {
    const { kind, text } = token;
    if (kind === 'break') {
      const next = told(tokens, at);
      if (depth > 0 || goesOn(run.at(-1), next) || (isMark(run) && MARKED.has(next?.text ?? ''))) return;
      finish();
      indent = Number(text);
      return;
    }
    if (kind === 'sign' && '([{'.includes(text)) depth += 1;
    if (kind === 'sign' && ')]}'.includes(text)) depth = Math.max(0, depth - 1);
    if (kind === 'sign' && text === ';' && depth === 0) return finish();
    if (kind !== 'sign' || text !== ',' || !isClosing(told(tokens, at))) run.push(token);
  });
  finish();
  return units;
}

const told = (tokens: readonly SourceToken[], at: number): SourceToken | undefined => {
  let next = at + 1;
  while (tokens[next]?.kind === 'break') next += 1;
  return tokens[next];
};

const isClosing = (token: SourceToken | undefined): boolean => token?.kind === 'sign' && ')]}'.includes(token.text);

/** `@cached`, `@route('/')`, `#[derive(Clone)]`: belongs to the next unit. */
function isMark(run: readonly SourceToken[]): boolean {
  const [first, second] = run;
  if (run.length > LONGEST_MARK) return false;
  if (first?.text === '#') return second?.text === '[';
  return first?.text === '@' && run.every(({ kind, text }, at) => at === 0 || kind !== 'sign' || !'={;'.includes(text));
}

/** Longest token; a longer text is not one. */
const LONGEST_MARK = 60;
const MARKED = new Set(['def', 'class', 'async', '@']);

/** A line continues after an operator, or before one. */
const goesOn = (last: SourceToken | undefined, next: SourceToken | undefined): boolean =>
  (last?.kind === 'sign' && '=+*/%&|<?\\^'.includes(last.text)) ||
  (next?.kind === 'sign' && '.?&|=+%^'.includes(next.text));
