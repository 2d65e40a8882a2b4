import type { FoundFunction } from './functions-by-braces.ts';

/** The functions of code in a language of indentation, whose literals are blanked. */
export function functionsByIndent(code: string): readonly FoundFunction[] {
  const found: FoundFunction[] = [];
  const open: Open[] = [];
  let parens = 0;
  let last = 0; // the last line that holds code
  code.split('\n').forEach((text, index) => {
    const isContinued = parens > 0;
    parens = Math.max(0, parens + count(text, /[([{]/g) - count(text, /[)\]}]/g));
    if (text.trim() === '') return;
    const indent = text.search(/\S/);
    if (!isContinued) {
      close(open, indent, last, found);
      note(open, indent);
      if (/^\s*(?:async\s+)?def\s/.test(text)) open.push({ first: index + 1, indent, levels: [], depth: 0 });
    }
    last = index + 1;
  });
  close(open, -1, last, found);
  return found.toSorted((one, other) => one.first - other.first);
}

interface Open {
  readonly first: number;
  readonly indent: number;
  /** The indents that are open within it, outermost first. */
  levels: readonly number[];
  depth: number;
}

function close(open: Open[], indent: number, last: number, found: FoundFunction[]): void {
  for (let one = open.at(-1); one !== undefined && indent <= one.indent; one = open.at(-1)) {
    found.push({ first: one.first, last, depth: one.depth });
    open.pop();
  }
}

function note(open: readonly Open[], indent: number): void {
  const around = open.at(-1);
  if (around === undefined) return;
  around.levels = [...around.levels.filter((level) => level < indent), indent];
  around.depth = Math.max(around.depth, around.levels.length - 1);
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
