import { describe, expect, test } from 'vitest';
import { findScope } from '../../../../../src/project/contract/draft/find-scope.ts';
import { expectEffortBelow } from '../../../../support/effort.ts';
import { readNamedPaths } from '../../../../../src/project/contract/draft/read-named-paths.ts';

const FILES = ['README.md', 'package.json', 'src/cart.js', 'src/money.js', 'test/cart.test.js', 'LICENSE'];
const isGuarded = (path: string): boolean => path === 'package.json';

describe('the named files of a sentence', () => {
  test.each([
    'Round total in src/cart.js. Keep package.json unchanged',
    'Round total in src/cart.js, keep package.json unchanged',
    'Round total in src/cart.js. Leave package.json alone',
    'Round total in src/cart.js. README.md stays as it is',
    'Round total in src/cart.js and leave README.md untouched',
    'Round total in src/cart.js but not in README.md',
    'Round total in src/cart.js, except for README.md',
    'Round total in src/cart.js while README.md is off limits',
    'Total is rounded in src/cart.js; do not touch package.json',
    'Total is rounded in src/cart.js without changing package.json',
    'Total is rounded in src/cart.js, but do not change test/cart.test.js',
    'Runde total in src/cart.js, aber package.json nicht anfassen',
    'Runde total in src/cart.js, ohne README.md zu ändern',
    'Redondea total en src/cart.js, pero no toques README.md',
    'Redondea total en src/cart.js, sin tocar README.md',
    'Arrondis total dans src/cart.js, mais ne touche pas README.md',
    'Arrondis total dans src/cart.js sans toucher README.md',
  ])('are those outside of the part about what is kept: %s', (sentence) => {
    expect(readNamedPaths(sentence, FILES, isGuarded)).toMatchObject({
      wanted: ['src/cart.js'],
      others: [expect.stringMatching(/README|package|test/)],
    });
  });

  test.each([
    'Round total everywhere except README.md',
    'Round total in all files but README.md',
    'Hands off README.md, round total',
    'With the exception of README.md, all is rounded',
    'Round total. Do not touch\nREADME.md',
    'Do not touch:\n\n- README.md\n\nRound total',
    'README.md must not change',
    'README.md, do not touch it',
    'README.md: leave alone. Round total',
    'Never edit tests, the docs and README.md',
    'Keep the wording, layout and links in README.md',
    'Everything is rounded, README.md excluded',
    'Rounding goes everywhere, README.md is exempt',
    'Do not change README.md, but round total',
    'README.md bleibt, wie es ist',
    'Finger weg von README.md',
    'Lass README.md in Ruhe und runde total',
    'No modifiques README.md',
    'Mantén README.md intacto',
    'Ne modifie pas README.md',
    'Laisse README.md tel quel',
    'README.md 그대로 두고 total을 반올림',
    'README.md는 수정하지 마세요',
    '不要修改README.md',
    '除README.md以外四舍五入',
    'README.mdは変更しない',
    'Не трогай README.md',
  ])('are none where the only one is kept: %s', (sentence) => {
    expect(readNamedPaths(sentence, FILES)).toMatchObject({ wanted: [], others: ['README.md'] });
  });

  test.each([
    'Round total in src/cart.js, package.json must stay unchanged',
    'Round total in src/cart.js, README.md belongs to another team',
    'Round total in src/cart.js. README.md belongs to another team',
    'As README.md says, total is rounded in src/cart.js',
    'src/cart.js에서 total을 반올림하고 README.md는 건드리지 마세요',
    'src/cart.js中四舍五入，README.md不动',
    'src/cart.jsのtotalを丸める、README.mdは触らないで',
    'Zaokrąglij total w src/cart.js, README.md zostaw',
    'src/cart.js yuvarlansın, README.md olduğu gibi dursun',
    'src/cart.js and README.md must remain as they are. LICENSE is dated',
    'Off:\n\n- README.md\n\n- LICENSE.md and src/cart.js',
    'Use README.md to round total in src/cart.js',
    'Tidy src/, src/cart.js stays',
    'Tidy src/ but leave src/cart.js alone',
    'Fix src/cart.js and README.md. Do not touch them',
  ])('are all left out where it cannot be told: %s', (sentence) => {
    expect(readNamedPaths(sentence, FILES, isGuarded).wanted).toEqual([]);
  });

  test.each([
    ['Round total in src/cart.js', ['src/cart.js']],
    ['Round total in src/cart.js, half a cent up', ['src/cart.js']],
    ['Shorten `src/cart.js`, README.md and (src/money.js)', ['src/cart.js', 'README.md', 'src/money.js']],
    ['Move formatTotal from src/cart.js to src/money.js', ['src/cart.js', 'src/money.js']],
    ['Rename total in src/cart.js and src/money.js to sum', ['src/cart.js', 'src/money.js']],
    ['Round total in src/cart.js. Describe it in README.md', ['src/cart.js', 'README.md']],
    ['Round total in src/cart.js\n\nRound total in src/cart.js', ['src/cart.js']],
    ['Round total\nin src/cart.js', ['src/cart.js']],
    ['Round total in src/cart.js, keep yarn.lock as it is', ['src/cart.js']],
    ['Round total in src/cart.js and update README.md', ['src/cart.js', 'README.md']],
    ['Runde total in src/cart.js', ['src/cart.js']],
    ['Total no longer has a tail. Fix src/cart.js', ['src/cart.js']],
    ['Fix src/cart.js without breaking its callers', []],
    ['Fix src/cart.js without breaking the callers', ['src/cart.js']],
    ['Raise the version in package.json', ['package.json']],
  ])('are wanted in a plain statement: %s', (sentence, wanted) => {
    expect(readNamedPaths(sentence, FILES, isGuarded).wanted).toEqual(wanted);
  });

  test('are sure only in a language whose words are known', () => {
    expect(readNamedPaths('Round total in src/cart.js', FILES).isSure).toBe(true);
    for (const sentence of ['Ändere die Währung in src/cart.js', 'README.md olduğu gibi dursun'])
      expect(readNamedPaths(sentence, FILES).isSure, sentence).toBe(false);
  });

  test('never hold a file that decides over gates beside another', () => {
    const found = readNamedPaths('Raise the version in src/cart.js and package.json', FILES, isGuarded);
    expect(found).toMatchObject({ wanted: ['src/cart.js'], others: ['package.json'], isSure: false });
  });
});

describe('the scope of a sentence that names what is kept', () => {
  test.each([
    ['Round total in src/cart.js and leave test/ untouched', ['src/cart.js']],
    ['Round total in src/cart.js, but leave the tests as they are', ['src/cart.js']],
    ['Round total in src/cart.js without a change of the tests', ['src/cart.js']],
    ['Round total in src/cart.js', ['src/cart.js', 'test/cart.test.js']],
    ['The cart is round, keep src/cart.js unchanged', []],
    ['The package is small', []],
  ])('of %j is %j', (sentence, paths) => {
    expect(findScope(sentence, FILES, new Map(), isGuarded)?.paths ?? []).toEqual(paths);
  });

  test.each([
    'src/cart.js belongs to another team. Fix src/money.js.',
    'See src/cart.js for the style. Fix src/money.js.',
    'Read src/cart.js. Then update src/money.js.',
  ])('are not wanted where one of several is only to be read: %s', (text) => {
    expect(readNamedPaths(text, FILES).wanted).toEqual([]);
  });

  test('are read in a long list, whatever follows it', () => {
    const files = Array.from({ length: 200 }, (_, at) => `src/f${at}.ts`);
    expectEffortBelow(100, () => {
      readNamedPaths(`Update ${files.join(', ')} with the new licence header`, files);
      readNamedPaths('a'.repeat(100_000), files);
      readNamedPaths('-'.repeat(100_000), files);
    });
  });
});
