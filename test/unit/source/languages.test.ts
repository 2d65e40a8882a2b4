import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/source/languages.ts';
import { findUnknownTypes, parseSource } from '../../../src/source/parse-source.ts';

describe('the table of languages', () => {
  it.each(LANGUAGES.map((language) => [language.grammar, language] as const))(
    'names only nodes that the grammar of %s has, and a query that it accepts',
    async (grammar, { functions, nesting, imports, endings: [ending = ''] }) => {
      expect(await findUnknownTypes(grammar, [...functions, ...nesting])).toEqual([]);
      expect(await parseSource(`a.${ending}`, 'a', ({ match }) => match(imports))).toBeDefined();
    },
  );

  it('has one language for each ending', () => {
    const endings = LANGUAGES.flatMap((language) => language.endings);
    expect(endings).toEqual([...new Set(endings)]);
  });
});
