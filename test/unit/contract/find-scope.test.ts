import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { findScope } from '../../../src/contract/draft/find-scope.ts';

const FILES = [
  'README.md',
  'package.json',
  'src/date.mjs',
  'src/formatMoney.ts',
  'src/http/user_session.py',
  'src/index.ts',
  'test/date.test.mjs',
  ...Array.from({ length: 9 }, (_, at) => `src/pages/page-${at}.tsx`),
];

describe('the files that a sentence is about', () => {
  it.each([
    ['Correct the typo in README.md', ['README.md'], 'named'],
    ['`user_session.py` closes its socket', ['src/http/user_session.py'], 'named'],
    ['Everything in src/pages/ has a title', ['src/pages/'], 'named'],
    ['Dates are shown in UTC', ['src/date.mjs', 'test/date.test.mjs'], 'alike'],
    ['Money is formatted with two digits', ['src/formatMoney.ts'], 'alike'],
    ['The session of a user ends after an hour', ['src/http/user_session.py'], 'alike'],
  ])('%s: %j, %s', (sentence, paths, by) => {
    expect(findScope(sentence, FILES)).toEqual({ paths, by });
  });

  it.each([
    ['The colours are calm'],
    ['Each page has a title'],
    ['Show the index of the main file'],
    [''],
    ['../etc/passwd is read'],
  ])('are not guessed where none or too many fit: %s', (sentence) => {
    expect(findScope(sentence, FILES)).toBeUndefined();
  });

  it('are files or folders of the repository, whatever the sentence is', () => {
    const pieces = fc.constantFrom('date', 'src/', '../', 'README.md', 'page', '/', '.', 'user_session.py', 'x');
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 8 }), (parts) => {
        const paths = findScope(parts.join(' '), FILES)?.paths ?? [];
        expect(
          paths.every((path) => FILES.some((file) => file === path || (path.endsWith('/') && file.startsWith(path)))),
        ).toBe(true);
      }),
    );
  });
});
