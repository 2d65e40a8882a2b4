import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findScope } from '../../../../../src/project/contract/draft/find-scope.ts';

const FILES = [
  'README.md',
  'package.json',
  'src/dates/format.ts',
  'src/dates/parse.ts',
  'src/http/server.ts',
  'src/http/userStore.ts',
  'test/format.test.ts',
  'test/server.test.ts',
];

describe('the scope of a sentence', () => {
  test.each([
    ['Dates are shown in UTC', ['src/dates/', 'test/format.test.ts'], 'found by "date"'],
    ['Fix src/http/server.ts.', ['src/http/server.ts', 'test/server.test.ts'], 'named in the sentence, and its tests'],
    ['Shorten `parse.ts` and README.md', ['src/dates/parse.ts', 'README.md'], 'named in the sentence'],
    ['Tidy ./src/dates/', ['src/dates/', 'test/format.test.ts'], 'named in the sentence, and its tests'],
    ['Show the user of a session in userStore.ts', ['src/http/userStore.ts'], 'named in the sentence'],
    ['Keep users in the store', ['src/http/userStore.ts'], 'found by "user", "store"'],
  ])('of %j is %j', (sentence, paths, why) => {
    expect(findScope(sentence, FILES)).toMatchObject({ paths, why });
  });

  test('prefers the file that the sentence names whole to one that has more of its words', () => {
    const files = ['lib/stringify.js', 'test/stringify.js', 'test/empty-keys-cases.js'];
    const found = findScope('stringify leaves out keys with an empty string', files);
    expect(found?.paths).toEqual(['lib/stringify.js', 'test/stringify.js']);
  });

  test.each([
    ['quote puts an empty string into quotes', ['index.js', 'test/quote.js'], 'exports.quote = function (xs) {};\n'],
    ['Moose is uncountable', ['index.js'], 'UNCOUNTABLES = set([])\n'],
    ['The tests of quote are short', ['test/quote.js'], ''],
    ['quote leaves out blanks, with a test', ['index.js', 'test/quote.js'], 'exports.quote = function (xs) {};\n'],
    ['quote is quick', undefined, ''],
  ])('is never only tests and examples unless %j is about tests', (sentence, paths, code) => {
    const files = ['index.js', 'example/quote.js', 'test/quote.js', 'test/other.js'];
    const test = 'function testQuote() {}\nfunction testMooseUncountable() {}\n';
    const texts = new Map([
      ['index.js', code],
      ['test/quote.js', test],
      ['test/other.js', test],
    ]);
    expect(findScope(sentence, files, texts)?.paths).toEqual(paths);
  });

  test('takes no test of another package because both have an index', () => {
    const files = ['packages/text-stream/index.ts', 'packages/html/index.ts', 'packages/html/index.test.ts'];
    expect(findScope('The text stream skips a mark', files)?.paths).toEqual(['packages/text-stream/']);
  });

  test.each([
    'Menus look nice',
    'Fix all of it',
    '',
    'Change it in /etc/passwd',
    '../../etc/passwd is read',
    'Show the index of the main file',
  ])('is not guessed of %j', (sentence) => {
    expect(findScope(sentence, FILES)).toBeUndefined();
  });

  test('is not guessed where too many files fit', () => {
    const many = Array.from({ length: 9 }, (_, at) => `src/x${at}/menu.ts`);
    expect(findScope('The menu is short', many)).toBeUndefined();
  });

  test('comes from defined names only where no path fits', () => {
    const texts = new Map([
      ['a.ts', 'export const renderMenu = () => {};\n'],
      ['b.ts', '// the menu\n'],
    ]);
    expect(findScope('The menu is short', ['a.ts', 'b.ts'], texts)?.paths).toEqual(['a.ts']);
  });

  test('names only tracked files and their folders', () => {
    const files = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string(), files, (sentence, paths) => {
        for (const path of findScope(`${sentence} ${paths[0] ?? ''}`, paths)?.paths ?? [])
          expect(paths.some((file) => file === path || (path.endsWith('/') && file.startsWith(path)))).toBe(true);
      }),
    );
  });
});
