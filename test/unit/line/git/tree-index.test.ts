import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { listFolders } from '../../../../src/base/list-folders.ts';
import { mayBeAllowed } from '../../../../src/base/paths.ts';
import { indexTree } from '../../../../src/line/git/tree-index.ts';
import { spelledLike } from '../../../support/spelled-like.ts';

/** Names that are near one another in git's order, and spellings of one another. */
const name = fc.constantFrom(
  'a',
  'A',
  'a.',
  'a-b',
  'a.md',
  'A.MD',
  'ü',
  'Ü',
  'u\u0308',
  'ς',
  'Σ',
  '💥',
  '\uff5e',
  'zz',
  '\ufffd',
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

/** Paths as git lists them; no file is a folder too. */
const listing = fc.uniqueArray(path, { maxLength: 40 }).map((paths) => {
  const folders = listFolders(paths);
  return paths
    .filter((one) => !folders.has(one))
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map((one) => ({ path: one, mode: '100644', oid: '', size: 0 }));
});

describe('looking files up in a listing', () => {
  it('finds what a look at every file finds', () => {
    fc.assert(
      fc.property(listing, path, (files, asked) => {
        const paths = files.map((file) => file.path);
        const index = indexTree(files);
        expect(index.byPath.get(asked)?.path).toBe(paths.find((one) => one === asked));
        expect(index.folders.has(asked)).toBe(listFolders(paths).has(asked));
        expect([...index.plain]).toEqual(paths);
        expect([...index.spelledLike(asked)].toSorted()).toEqual([...spelledLike(paths)(asked)].toSorted());
        for (const one of paths) expect(index.spelledLike(one).filter((other) => other === one)).toEqual([one]);
      }),
      { numRuns: 500 },
    );
  });

  it('offers every file that a pattern allows', () => {
    fc.assert(
      fc.property(listing, fc.array(path, { maxLength: 3 }), fc.constantFrom('', '/', '/*.md'), (files, some, tail) => {
        const allowedPaths = some.map((one) => one + tail);
        const offered = new Set(indexTree(files).meantBy(allowedPaths));
        const allowed = files.filter((file) => mayBeAllowed(file.path, { allowedPaths, forbiddenPaths: [] }));
        for (const file of allowed) expect(offered).toContain(file.path);
      }),
      { numRuns: 500 },
    );
  });

  it('offers no link and no submodule, and what lies beneath a folder only', () => {
    const files = [
      ['a-b/x.md', '100644'],
      ['a/link', '120000'],
      ['a/run.sh', '100755'],
      ['a/sub', '160000'],
      ['a0.md', '100644'],
    ].map(([one = '', mode = '']) => ({ path: one, mode, oid: '', size: 0 }));
    const { meantBy, plain } = indexTree(files);
    expect([...meantBy(['a/'])]).toEqual(['a/run.sh']);
    expect([...meantBy(['./A', 'a0.md'])]).toEqual(['a/run.sh', 'a0.md']);
    expect([...meantBy(['**'])]).toEqual(['a-b/x.md', 'a/run.sh', 'a0.md']);
    expect(plain.has('a/link')).toBe(false);
  });
});
