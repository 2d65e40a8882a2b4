import type { Code } from './code.ts';
import { textOf } from './empty-assertions.ts';
import { isSign, isWord } from './nesting.ts';

/** Blocks whose failures are caught and dropped: what is asserted in them cannot fail. From the `try` to its end. */
export function swallowed(code: Code): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (code.language === 'shell' || code.language === 'ruby') return found;
  for (const [at, token] of code.tokens.entries()) {
    if (!isWord(token, /^try$/)) continue;
    const end = code.language === 'python' ? pythonEnd(code, at) : bracesEnd(code, at);
    if (end !== undefined) found.set(at, end);
  }
  return found;
}

/** `try { … } catch (e) {}` */
function bracesEnd({ tokens, pairs }: Code, at: number): number | undefined {
  const close = isSign(tokens[at + 1], '{') ? pairs.get(at + 1) : undefined;
  if (close === undefined || !isWord(tokens[close + 1], /^catch$/)) return undefined;
  const open = isSign(tokens[close + 2], '(') ? (pairs.get(close + 2) ?? close + 2) + 1 : close + 2;
  return isSign(tokens[open], '{') && pairs.get(open) === open + 1 ? close : undefined;
}

/** `try: …`, `except AssertionError: pass` */
function pythonEnd({ tokens }: Code, at: number): number | undefined {
  const indent = tokens[at]?.indent ?? 0;
  const leaves = (from: number): number => {
    const next = tokens.findIndex((token, place) => place > from && token.leads && token.indent <= indent);
    return next === -1 ? tokens.length : next;
  };
  const caught = leaves(at);
  if (!isWord(tokens[caught], /^except$/)) return undefined;
  const end = leaves(caught);
  const colon = tokens.findIndex((token, place) => place > caught && isSign(token, ':'));
  if (colon === -1 || colon >= end) return undefined;
  const isBroad = /^$|\b(?:BaseException|Exception|AssertionError)\b/.test(textOf(tokens, [caught + 1, colon]));
  return isBroad && /^(?:pass|continue|return(?: None)?|\.(?: \.)*|\.{3})$/.test(textOf(tokens, [colon + 1, end]))
    ? caught
    : undefined;
}
