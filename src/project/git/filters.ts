import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readGitFile } from './operation-in-progress.ts';
import { readGitConfig, SYSTEM_FILES } from './git-config.ts';
import type { RepositoryFacts, TreeFile } from './repository-facts.ts';
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

/** The attribute files outside of every tree: the repository's, the user's, the machine's. */
export async function listOwnAttributeFiles({
  root,
  commonDir,
}: Pick<RepositoryFacts, 'root' | 'commonDir'>): Promise<readonly string[]> {
  const { HOME = '/', XDG_CONFIG_HOME = join(HOME, '.config') } = process.env;
  const named = (await readGitConfig(root)).findLast(({ key }) => key === 'core.attributesfile')?.value;
  const users =
    named === undefined ? join(XDG_CONFIG_HOME, 'git', 'attributes') : resolve(root, named.replace(/^~(?=\/)/, HOME));
  const machine = SYSTEM_FILES.map((file) => file.replace(/gitconfig$/, 'gitattributes'));
  return [join(commonDir, 'info', 'attributes'), users, ...machine].filter((file) => existsSync(file));
}

/**
 * The paths that go through a filter (`filter=` as with git-lfs and git-crypt) by the .gitattributes of a tree of these
 * files, or by one of `own`. andon runs no filters and would store them raw, a secret unencrypted for example.
 */
export async function listFilteredPaths(
  gitDir: string,
  { files, own }: { readonly files: readonly TreeFile[]; readonly own: readonly string[] },
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rules = listAttributeFiles(files);
  if ((rules.length === 0 && own.length === 0) || paths.length === 0) return new Map();
  const folder = mkdtempSync(join(gitDir, 'rules.'));
  try {
    const call = { gitDir, index: join(folder, 'index') };
    const entries = rules.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join('');
    if (rules.length > 0) await runGit(['update-index', '-z', '--index-info'], { ...call, input: entries });
    const input = paths.map((path) => `${path}\0`).join('');
    const found = new Map<string, string>();
    // Those of the tree, all others, and both, since one may use a macro of the other: a filter counts that any of them
    // names, whichever would win.
    const others = join(folder, 'attributes');
    writeFileSync(
      others,
      own
        .map((file) => (readGitFile(file) ?? '').replace(/^\ufeff/, ''))
        .toReversed()
        .join('\n'),
    );
    const passes: readonly (readonly [file: string, index: string])[] = [
      ...(rules.length > 0 ? [['/dev/null', call.index] as const] : []),
      ...(rules.length > 0 && own.length > 0 ? [[others, call.index] as const] : []),
      ...(own.length > 0 ? [[others, join(folder, 'none')] as const] : []),
    ];
    for (const [file, index] of passes) {
      const words = ['-c', `core.attributesFile=${file}`, 'check-attr', '--cached', '-z', '--stdin', 'filter'];
      const fields = (await runGit(words, { ...call, index, input })).toString('utf8').split('\0');
      for (const [at, path] of paths.entries()) {
        const filter = fields[at * 3 + 2] ?? 'unspecified';
        if (filter !== 'unspecified' && filter !== 'unset') found.set(path, filter);
      }
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
