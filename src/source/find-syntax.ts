import { LANGUAGES, languageOf } from './languages.ts';
import { parseSource } from './parse-source.ts';

/** A place in a text: character offsets. */
export interface SyntaxMatch {
  readonly start: number;
  readonly end: number;
}

/** The names of languages that have a grammar. */
export const languageNames: readonly string[] = [...new Set(LANGUAGES.map(({ name }) => name))];

/** The name of a file's language; undefined without a grammar. */
export const languageNameOf = (path: string): string | undefined => languageOf(path)?.name;

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
