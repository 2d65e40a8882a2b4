/** A function in a file. */
export interface FoundFunction {
  /** 1-based, of its first and of its last line. */
  readonly first: number;
  readonly last: number;
  /** How many blocks lie within each other at its deepest place. */
  readonly depth: number;
}

/** The functions of code in a language of braces, whose literals are blanked. */
export function functionsByBraces(code: string): readonly FoundFunction[] {
  const found: FoundFunction[] = [];
  const open: Block[] = [];
  let head = 0; // where the statement begins that a brace may open
  let parens = 0;
  let line = 1;
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at];
    if (sign === '\n') line += 1;
    else if (sign === '(' || sign === '[') parens += 1;
    else if (sign === ')' || sign === ']') parens = Math.max(0, parens - 1);
    else if (sign === ';' && parens === 0) head = at + 1;
    else if (sign === '{') {
      const opener = code.slice(Math.max(head, at - LONGEST_HEAD), at);
      const isFunction = opensFunction(opener);
      const isType = /\)\s*:\s*$/.test(opener);
      open.push({ isFunction, first: line - linesIn(opener.trimStart()), depth: 0, parens, head, isType });
      if (!isFunction && !isType && parens === 0) deepen(open);
      head = at + 1;
      parens = 0;
    } else if (sign === '}') {
      const block = open.pop();
      if (block?.isFunction === true) found.push({ first: block.first, last: line, depth: block.depth });
      parens = block?.parens ?? 0;
      head = block !== undefined && (parens > 0 || block.isType) ? block.head : at + 1;
    }
  }
  return found.toSorted((one, other) => one.first - other.first);
}

interface Block {
  readonly isFunction: boolean;
  readonly first: number;
  depth: number;
  readonly parens: number;
  readonly head: number;
  /** It is the type that a function gives back, written out. */
  readonly isType: boolean;
}

/** Notes in the function around it how many blocks are open there now. */
function deepen(open: readonly Block[]): void {
  const at = open.findLastIndex(({ isFunction }) => isFunction);
  const around = open[at];
  if (around !== undefined) around.depth = Math.max(around.depth, open.length - 1 - at);
}

function opensFunction(opener: string): boolean {
  const head = opener.trim().replace(/\{[^{}]{0,1000}\}/g, '_');
  if (head.endsWith('=>') || /\b(?:function|func|fn|fun)\b[^;]*\)?[^;]*$/.test(head))
    return !/^\s*(?:type|interface|struct)\b/.test(head);
  if (
    /(?:^|[}\s])(?:if|for|foreach|while|switch|catch|with|else|do|try|finally|select|match|synchronized|using|lock|unless|when|class|interface|struct|enum|namespace|module|object|record|trait|impl)\b[^\n]*$/.test(
      head,
    )
  )
    return false;
  return /[\w$>\]"_]\s*(?:<[^<>]*>)?\s*\((?:[^()]|\([^()]*\)){0,2000}\)\s*(?::\s*[^;{}=]{1,300}|->\s*[^;{}=]{1,300}|throws\s[\w.,\s]{1,300}|const|noexcept|override|where\s[^;{}]{1,300})?$/.test(
    head,
  );
}

const linesIn = (text: string): number => text.split('\n').length - 1;
const LONGEST_HEAD = 4000;
