import { describe, expect, test } from 'vitest';
import {
  followRenames,
  swapChecks,
  type RawSides,
  type SwapRequest,
} from '../../../../src/rules/weakened-gates/swap-checks.ts';
import { isCheckFile } from '../../../../src/rules/weakened-gates/check-files.ts';
import { findSilencedCheckers } from '../../../../src/rules/weakened-gates/detect-weakening.ts';
import * as fc from '../../../support/properties.ts';

const raw = (text: string | undefined): RawSides['before'] =>
  text === undefined ? undefined : { mode: '100644', bytes: new TextEncoder().encode(text) };
const changed = (path: string, before: string | undefined, after: string | undefined): RawSides => ({
  path,
  before: raw(before),
  after: raw(after),
});
const swap = (files: readonly RawSides[], more: Partial<SwapRequest> = {}) =>
  swapChecks({ files, renames: [], gateFiles: undefined, isAllowed: () => false, ...more });
const textOf = (content: Uint8Array | null | undefined): string | null | undefined =>
  content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
const written = (writes: ReturnType<typeof swap>['baseChecks']): Record<string, string | null | undefined> =>
  Object.fromEntries(writes.map(({ path, content }) => [path, textOf(content)]));

const PRODUCT = changed('src/add.js', 'old', 'new');

describe('swapping the judges of a change', () => {
  test('takes edited tests from the base, removes new ones, and brings deleted ones back', () => {
    const { baseChecks, changeChecks, hasProduct } = swap([
      PRODUCT,
      changed('test/add.test.js', 'strict', 'weak'),
      changed('test/new.test.js', undefined, 'new'),
      changed('test/gone.test.js', 'gone', undefined),
    ]);
    expect(written(baseChecks)).toEqual({
      'test/add.test.js': 'strict',
      'test/new.test.js': null,
      'test/gone.test.js': 'gone',
    });
    expect(written(changeChecks)).toEqual({
      'test/add.test.js': 'weak',
      'test/new.test.js': 'new',
      'test/gone.test.js': null,
    });
    expect(hasProduct).toBe(true);
  });

  test('leaves what the contract allows as the change has it', () => {
    const { baseChecks } = swap([PRODUCT, changed('test/add.test.js', 'strict', 'weak')], {
      isAllowed: (path) => path === 'test/add.test.js',
    });
    expect(baseChecks).toEqual([]);
  });

  test('takes scripts and configuration of package.json from the base, its dependencies from the change', () => {
    const [before, after] = [
      { name: 'a', scripts: { test: 'node --test' } },
      { name: 'a', scripts: { test: 'true' }, jest: { testMatch: [] }, dependencies: { b: '1' } },
    ].map((keys) => JSON.stringify(keys));
    const { baseChecks } = swap([changed('package.json', before, after)]);
    expect(JSON.parse(written(baseChecks)['package.json'] ?? '')).toEqual({
      name: 'a',
      dependencies: { b: '1' },
      scripts: { test: 'node --test' },
    });
    expect(swap([changed('package.json', before, before?.replace('"a"', '"b"'))]).baseChecks).toEqual([]);
  });

  test('names what it cannot swap because it is a link', () => {
    const link = { path: 'test/data', before: raw('a'), after: { mode: '120000', bytes: new Uint8Array() } };
    expect(swap([link])).toMatchObject({ links: ['test/data'], baseChecks: [] });
  });
});

describe('what judges', () => {
  test.each([
    'conftest.py',
    'tests/helper.py',
    'sitecustomize.py',
    'src/pkg.egg-info/entry_points.txt',
    'test/node_modules/assert/index.js',
    'spec/fixtures/a.json',
    'jest.setup.js',
    '.npmrc',
    'tsconfig.build.json',
    'pyproject.toml',
    'Makefile',
    'pkg/testdata/in.txt',
    '.mvn/jvm.config',
  ])('is %s', (path) => expect(isCheckFile({ path, isNew: false }, undefined)).toBe(true));

  test.each(['src/add.js', 'lib/app.py', 'docs/guide.md', 'src/config.ts', 'cmd/main.go', 'src/fixturesque.ts'])(
    'is not %s',
    (path) => expect(isCheckFile({ path, isNew: true }, undefined)).toBe(false),
  );

  test('is a new module that stands before an installed one, and no old one of that name', () => {
    expect(isCheckFile({ path: 'unittest.py', isNew: true }, undefined)).toBe(true);
    expect(isCheckFile({ path: 'src/unittest/__init__.py', isNew: true }, undefined)).toBe(true);
    expect(isCheckFile({ path: 'queue.py', isNew: false }, undefined)).toBe(false);
    expect(isCheckFile({ path: 'src/shop/queue.py', isNew: true }, undefined)).toBe(false);
  });
});

describe('a test whose product moved', () => {
  test.each([
    ['test/a.test.js', "import a from '../src/a.js';", 'src/a.js', 'src/lib/a.js', "import a from '../src/lib/a.js';"],
    ['test/a.test.ts', "import a from '../src/a.js';", 'src/a.ts', 'src/b/a.ts', "import a from '../src/b/a.js';"],
    ['a.test.js', 'require("./src/a")', 'src/a.js', 'lib/a.js', 'require("./lib/a")'],
    [
      'tests/test_a.py',
      'from shop.a import total',
      'src/shop/a.py',
      'src/shop/core/a.py',
      'from shop.core.a import total',
    ],
    ['tests/test_a.py', 'from shop import a', 'shop/a.py', 'shop/core/a.py', 'from shop.core import a'],
    ['test/a.test.js', "import a from '../src/ab.js';", 'src/a.js', 'src/c.js', "import a from '../src/ab.js';"],
  ])('%s follows it: %s', (path, text, from, to, expected) => {
    expect(followRenames(path, text, [{ from, to }])).toBe(expected);
  });

  test('stays as it is whatever names files have', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 200 }),
        (from, to, text) => {
          expect(typeof followRenames('tests/test_a.py', text, [{ from: `${from}.py`, to: `${to}.py` }])).toBe(
            'string',
          );
        },
      ),
    );
    expect(followRenames('tests/test_a.py', 'a((', [{ from: 'a((.py', to: 'b.py' }])).toBe('a((');
  });
});

test('marks that silence a checker are told where they are more than before', () => {
  const files = [
    { path: 'src/a.ts', before: 'const a = b;', after: '// @ts-ignore\nconst a = b as any;' },
    { path: 'src/b.py', before: 'x = 1  # noqa', after: 'x = 2  # noqa' },
  ];
  expect(findSilencedCheckers(files)).toEqual([
    'a checker is silenced in more places: src/a.ts (@ts-ignore, 0 -> 1)',
    'a checker is silenced in more places: src/a.ts (as any, 0 -> 1)',
  ]);
});
