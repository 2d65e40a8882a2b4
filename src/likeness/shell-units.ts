import type { SourceToken } from './token.ts';
import type { CodeUnit } from './read-code-unit.ts';

/** The commands of a shell script, with their function or group. */
export function splitShellUnits(tokens: readonly SourceToken[]): readonly CodeUnit[] {
  const units: CodeUnit[] = [];
  const parents: (number | undefined)[] = [];
  let run: SourceToken[] = [];
  const finish = (opens: boolean): void => {
    if (run.length > 0) units.push(readCommand(run, parents.at(-1), opens));
    run = [];
  };
  for (const [at, token] of tokens.entries()) {
    const isSign = token.kind === 'sign';
    if (token.kind === 'break' || (isSign && token.text === ';')) {
      if (token.kind === 'break' && isHead(run) && told(tokens, at)?.text === '{') continue;
      finish(false);
    } else if (isSign && token.text === '{' && (run.length === 0 || isHead(run))) {
      const had = run.length > 0;
      finish(true);
      parents.push(had ? units.length - 1 : parents.at(-1));
    } else if (isSign && token.text === '}' && run.length === 0) parents.pop();
    else run.push(token);
  }
  finish(false);
  return units;
}

const told = (tokens: readonly SourceToken[], at: number): SourceToken | undefined =>
  tokens.slice(at + 1, at + 20).find(({ kind }) => kind !== 'break' && kind !== 'comment');

/** `name()` or `function name` before the body of a function. */
const isHead = (run: readonly SourceToken[]): boolean =>
  (run.length === 3 && run[1]?.text === '(' && run[2]?.text === ')') || run[0]?.text === 'function';

function readCommand(tokens: readonly SourceToken[], parent: number | undefined, opens: boolean): CodeUnit {
  const mentions = tokens.flatMap(({ kind, text }, at) => (kind === 'word' ? [{ at, name: text }] : []));
  const isFunction = opens && isHead(tokens);
  const names = new Set<string>();
  const [first] = tokens;
  for (const { at, name } of mentions) {
    const [before = '', after, next] = [tokens[at - 1]?.text, tokens[at + 1], tokens[at + 2]];
    const isGiven = after?.kind === 'sign' && (after.text === '=' || (after.text === '+' && next?.text === '='));
    const isNamed = LOOPS.has(first?.text ?? '')
      ? at === 1
      : NAMING.has(first?.text ?? '') && at > 0 && !/^["=]/.test(before);
    if (isFunction || (before !== '$' && (isGiven || isNamed))) names.add(name);
  }
  const isValue = names.size > 0 && !isFunction && !tokens.some(({ text }) => text === '(' || text === '`');
  return {
    words: tokens.map(({ text }) => text),
    mentions,
    writes: names,
    declares: names,
    parameters: new Set(),
    foreign: [],
    imports: false,
    acts: !isFunction && !isValue,
    parent,
  };
}

const LOOPS = new Set(['for', 'select']);
/** Commands that name variables; `while read` is one. */
const NAMING = new Set(['read', 'while', 'local', 'export', 'readonly', 'declare', 'typeset']);
