import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { resolveTypedPath } from '../../../../src/app/cli/typed-paths.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'typed-')));
const cwd = join(root, 'packages/web');
mkdirSync(cwd, { recursive: true });
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a path that is typed in a folder of the repository', () => {
  it.each([
    ['src/', 'packages/web/src/'],
    ['src/a.ts', 'packages/web/src/a.ts'],
    ['./src/a.ts', 'packages/web/src/a.ts'],
    ['*.ts', 'packages/web/*.ts'],
    ['**', 'packages/web/**'],
    ['.', 'packages/web/'],
    ['..', 'packages/'],
    ['../api/x.ts', 'packages/api/x.ts'],
    ['../../README.md', 'README.md'],
    ['../../', '**'],
    ['!src/a.ts', '!src/a.ts'],
    ['/etc/passwd', '/etc/passwd'],
    [':/README.md', ':/README.md'],
  ])('is relative to that folder, as with git, or refused at admission: %s is %s', (typed, path) => {
    expect(resolveTypedPath(typed, { cwd, root })).toBe(path);
  });

  it.each(['../../../x', '../../..'])('is refused where it leads out of the repository: %s', (typed) => {
    expect(() => resolveTypedPath(typed, { cwd, root })).toThrow('is outside the repository');
  });

  it('stays as it is at the root, and where the folder is outside the repository', () => {
    for (const typed of ['src/', '*.env', '**', './a.ts', '../x'])
      for (const place of [root, tmpdir()]) expect(resolveTypedPath(typed, { cwd: place, root })).toBe(typed);
  });
});
