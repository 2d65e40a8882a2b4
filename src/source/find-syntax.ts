import { parseSource } from './parse-source.ts';

/** A place in a text: character offsets. */
interface SyntaxMatch {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a tree-sitter query matches: the node captured as `@match`, else the first captured node. Undefined where the
 * file cannot be parsed. Throws when the grammar refuses the query.
 */
export const findSyntax = (path: string, text: string, query: string): Promise<readonly SyntaxMatch[] | undefined> =>
  parseSource(path, text, ({ match }) =>
    match(query).flatMap(({ captures }) => {
      const node = (captures.find(({ name }) => name === 'match') ?? captures[0])?.node;
      return node === undefined ? [] : [{ start: node.startIndex, end: node.endIndex }];
    }),
  );
