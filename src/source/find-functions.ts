import type { Node } from 'web-tree-sitter';
import type { Language } from './languages.ts';
import { parseSource } from './parse-source.ts';

/** A function in a file. */
interface FoundFunction {
  /** 1-based, of its first and of its last line. */
  readonly first: number;
  readonly last: number;
  /** Number of statements nested in each other at its deepest place; functions inside count by themselves. */
  readonly depth: number;
}

/** The functions of a file, by their first lines; undefined where it cannot be parsed. */
export const findFunctions = (path: string, text: string): Promise<readonly FoundFunction[] | undefined> =>
  parseSource(path, text, ({ root, language }) =>
    root
      .descendantsOfType([...language.functions])
      .map((node) => ({
        first: node.startPosition.row + 1,
        last: node.endPosition.row + 1,
        depth: deepest(node, language),
      }))
      .toSorted((one, other) => one.first - other.first),
  );

/** Loops instead of recursion: hostile code nests deeper than the stack. */
function deepest(node: Node, { functions, nesting }: Language): number {
  let most = 0;
  const open: { readonly node: Node; readonly depth: number }[] = [{ node, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    most = Math.max(most, next.depth);
    for (const child of next.node.namedChildren) {
      if (functions.includes(child.type)) continue;
      const nests = nesting.includes(child.type) && !isElseIf(child, next.node);
      open.push({ node: child, depth: nests ? next.depth + 1 : next.depth });
    }
  }
  return most;
}

/** `else if` continues its `if`: some grammars put it into an else clause, others into the `if` itself. */
const isElseIf = (node: Node, parent: Node): boolean =>
  /^if(?:_|$)/.test(node.type) &&
  (parent.type === 'else_clause' || parent.childForFieldName('alternative')?.id === node.id);
