import { describe, expect, it } from 'vitest';
import { findDisguise, type Disguise } from '../../../src/source/change-fingerprint.ts';
import { expectEffortOfAsyncBelow } from '../../support/effort.ts';
import { computeForms } from '../../../src/source/compute-forms.ts';

/** How `again` disguises `text`; undefined when it differs in more, or cannot be parsed. */
async function disguiseOf(path: string, again: string, text: string): Promise<readonly Disguise[] | undefined> {
  const [now, before] = [await computeForms([[path, again]]), await computeForms([[path, text]])];
  return now[path] === undefined || before[path] === undefined ? undefined : findDisguise(now[path], before[path]);
}

describe('A second attempt', () => {
  it.each([
    [
      'the counter of a loop',
      'export function sum(all: number[]) {\n  let total = 0;\n  for (let index = 0; index < 3; index += 1) total += all[index];\n  return total;\n}\n',
      /\bindex\b/g,
      'place',
    ],
    [
      'what one function alone calls so',
      'function a(list) {\n  const item = list[0];\n  return item;\n}\n\nfunction b(other) {\n  const item = other[1];\n  return item + 1;\n}\n',
      /\bitem\b(?=[^}]*\}\n\nfunction)/g,
      'place',
    ],
  ])('in which %s has another name is the same again', async (_, text, names, other) => {
    const again = text.replaceAll(names, other);
    expect(again).not.toBe(text);
    expect(await disguiseOf('a.ts', again, text)).toEqual(['names']);
  });

  it('in which one name stands for another one is not', async () => {
    const text = 'function area(width, height) {\n  const inner = width - 2;\n  return inner * height;\n}\n';
    const other = text.replace('inner * height', 'inner * width');
    expect(await disguiseOf('a.ts', other, text)).toBeUndefined();
  });

  it('in which one call was wrong everywhere and is put right is not', async () => {
    const text = 'const a = parse(x);\nconst b = parse(y);\nexport const both = join(a, b);\n';
    const mended = text.replaceAll('parse', 'parseStrictly');
    expect(await disguiseOf('a.ts', mended, text)).toBeUndefined();
  });

  it('in which values are put right, each where it stands, is not', async () => {
    const text = 'image: node\nport: http\nuser: root\nshell: sh\nregion: north\n';
    const mended = 'image: debian\nport: https\nuser: nobody\nshell: bash\nregion: south\n';
    expect(await disguiseOf('a.yaml', mended, text)).toBeUndefined();
  });

  /** Each name by another one, wherever it stands as a word of its own. */
  const renamed = (text: string, names: Readonly<Record<string, string>>): string =>
    text.replaceAll(/[A-Za-z_]\w*/g, (word) => (Object.hasOwn(names, word) ? (names[word] ?? word) : word));

  const SHARES = {
    head: "import { open } from 'node:fs';\n\n",
    rate: 'function rateOf(year) {\n  const found = RATES[year];\n  return found > LIMIT ? LIMIT : found;\n}\n\n',
    limit: 'const LIMIT = 30;\n\n',
    sum: 'function sumOf(rows) {\n  let total = 0;\n  for (const row of rows) total += Math.floor(row.count * rateOf(row.year));\n  return total;\n}\n\n',
  };
  const NEW_NAMES = {
    rateOf: 'share',
    found: 'value',
    LIMIT: 'MOST',
    sumOf: 'addUp',
    rows: 'items',
    total: 'all',
  };

  it.each([
    [
      'one that stands elsewhere',
      'a.js',
      Object.values(SHARES).join(''),
      [SHARES.head, SHARES.limit, SHARES.sum, SHARES.rate].join(''),
    ],
    [
      'methods',
      'Box.java',
      'class Box {\n    private int held;\n\n    void put(int more) {\n        held = held + more;\n    }\n\n    int take(int most) {\n        int got = Math.min(held, most);\n        held = held - got;\n        return got;\n    }\n}\n',
      'class Box {\n    private int held;\n\n    int take(int most) {\n        int got = Math.min(held, most);\n        held = held - got;\n        return got;\n    }\n\n    void put(int more) {\n        held = held + more;\n    }\n}\n',
    ],
    [
      'functions of a shell script',
      'a.sh',
      'limit=3\ncount() {\n  local found="$1"\n  echo "$found of ${limit}"\n}\nclean() {\n  rm -r "$limit/$2"\n}\ncount a\nclean b\n',
      'limit=3\nclean() {\n  rm -r "$limit/$2"\n}\ncount() {\n  local found="$1"\n  echo "${found} of $limit"\n}\ncount a\nclean b\n',
    ],
  ])('in which declarations have other names and another turn is the same again: %s', async (_, path, text, moved) => {
    const names = {
      ...NEW_NAMES,
      held: 'stock',
      put: 'add',
      more: 'plus',
      most: 'ceiling',
      got: 'given',
      limit: 'top',
      count: 'tell',
      clean: 'wipe',
    };
    const again = renamed(moved, { ...names, ...(path === 'a.js' ? { count: 'count', found: 'value' } : {}) });
    expect(await disguiseOf(path, again, text)).toEqual(['names', 'order']);
  });

  it('in which a shell script has other names, also in strings and here-documents, is the same again', async () => {
    const text =
      '#!/bin/sh\nhost=$1\nfolder="/srv/$host"\ntell() {\n  cat <<END\nhost: $host\nfolder: ${folder:-none}\nEND\n}\ntell "$folder" | sort\ntotal=$((total + $(wc -l < "$folder/$host")))\n';
    const again = text
      .replaceAll(/\bhost\b(?!:)/g, 'server')
      .replaceAll(/\bfolder\b(?!: )/g, 'place')
      .replaceAll('total', 'sum')
      .replaceAll('tell', 'say')
      .replaceAll('"$place"', '"${place}"');
    expect(await disguiseOf('a.sh', again, text)).toEqual(['names']);
  });

  const moved = [SHARES.head, SHARES.sum, SHARES.limit, SHARES.rate].join('');
  it.each([
    ['another value', renamed(moved, NEW_NAMES).replace('30', '40')],
    ['another call of what is not its own', renamed(moved, NEW_NAMES).replace('Math.floor', 'Math.round')],
    ['what it takes from elsewhere', renamed(moved, NEW_NAMES).replace('node:fs', 'node:fs/promises')],
    ['one of its names for another one', renamed(moved, NEW_NAMES).replace('? MOST : value', '? value : MOST')],
    ['another operator', renamed(moved, NEW_NAMES).replace('>', '>=')],
  ])('that has other names in another turn, and also %s, is not', async (_, again) => {
    expect(await disguiseOf('a.js', again, Object.values(SHARES).join(''))).toBeUndefined();
  });

  it.each([
    ['a value in quotes that was bare', 'a.sh', 'for f in *; do\n  rm $f\ndone\n', 'for f in *; do\n  rm "$f"\ndone\n'],
    ['two variables of a string exchanged', 'a.sh', 'a=$1\nb=$2\necho "$a to $b"\n', 'a=$1\nb=$2\necho "$b to $a"\n'],
    [
      'a function before the line that calls it',
      'a.sh',
      'start now\nstart() {\n  run "$1"\n}\n',
      'start() {\n  run "$1"\n}\nstart now\n',
    ],
    [
      'a method that is private now',
      'a.rb',
      'class A\n  def a(x)\n    x + 1\n  end\n\n  private\n\n  def b(y)\n    y * 2\n  end\nend\n',
      'class A\n  private\n\n  def a(x)\n    x + 1\n  end\n\n  def b(y)\n    y * 2\n  end\nend\n',
    ],
    [
      'another first target, which `make` takes',
      'Makefile',
      'test: build\n\tnode --test\n\nbuild:\n\tnode build.mjs\n',
      'build:\n\tnode build.mjs\n\ntest: build\n\tnode --test\n',
    ],
    [
      'a comparison that a shell takes for no assignment',
      'a.sh',
      'if [ $a = $b ]; then\n  echo same\nfi\n',
      'if [ $b = $a ]; then\n  echo other\nfi\n',
    ],
  ])('with %s is not (%s)', async (_, path, text, again) => {
    expect(await disguiseOf(path, again, text)).toBeUndefined();
  });

  it.each([
    ['a.ts', (deep: number) => `export const x = ${'('.repeat(deep)}1${')'.repeat(deep)};\n`],
    ['a.ts', (deep: number) => `${'class A { x = '.repeat(deep / 10)}1${'; }'.repeat(deep / 10)}\n`],
    ['a.py', (deep: number) => `x = ${'['.repeat(deep)}${']'.repeat(deep)}\n`],
  ])('nested deeper than the stack is read all the same (%s)', async (path, nested) => {
    const text = nested(40_000);
    expect(await disguiseOf(path, text, text)).toBeDefined();
  });

  it.each(['"$(', 'a() {\n', '<<A\n', '`', 'class A {\n'])(
    'made of nothing but %j is read in good time',
    async (piece) => {
      const text = piece.repeat(Math.floor(12_000 / piece.length));
      for (const path of ['a.sh', 'a.ts', 'a.py'])
        await expectEffortOfAsyncBelow(600, () => disguiseOf(path, text, `${text} `));
    },
  );
});
