import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from './repository-facts.ts';
import { runGit } from './run-git.ts';

/** The `.gitattributes` files of a listing. */
export function listAttributeFiles(files: readonly TreeFile[]): readonly TreeFile[] {
  const known = RULES.get(files);
  if (known !== undefined) return known;
  const rules = files.filter(
    ({ path, mode }) => path.endsWith('.gitattributes') && mode.startsWith('100') && /(?:^|\/)\.git/.test(path),
  );
  RULES.set(files, rules);
  return rules;
}

const RULES = new WeakMap<readonly TreeFile[], readonly TreeFile[]>();

/**
 * The paths that go through a filter (`filter=` in .gitattributes, as with git-lfs and git-crypt) in a tree of these
 * files. andon runs no filters and would store them raw, a secret unencrypted for example.
 */
export async function listFilteredPaths(
  gitDir: string,
  files: readonly TreeFile[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rules = listAttributeFiles(files);
  if (rules.length === 0 || paths.length === 0) return new Map();
  const folder = mkdtempSync(join(gitDir, 'rules.'));
  try {
    const call = { gitDir, index: join(folder, 'index') };
    const entries = rules.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join('');
    await runGit(['update-index', '-z', '--index-info'], { ...call, input: entries });
    const input = paths.map((path) => `${path}\0`).join('');
    const answer = (await runGit(['check-attr', '--cached', '-z', '--stdin', 'filter'], { ...call, input })).toString(
      'utf8',
    );
    const fields = answer.split('\0');
    return new Map(
      paths.flatMap((path, at) => {
        const filter = fields[at * 3 + 2] ?? 'unspecified';
        return filter === 'unspecified' || filter === 'unset' ? [] : [[path, filter] as const];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
