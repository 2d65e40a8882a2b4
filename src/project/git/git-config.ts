import { join } from 'node:path';
import { runGit, withUserSettings } from './run-git.ts';
import { findCommonDir, findGitDir, readGitFile } from './operation-in-progress.ts';

/** One setting of git; keys are in lower case but for their middle part. */
interface ConfigRow {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** What andon reads of its user's git. */
const KEYS =
  '^(core\\.attributesfile|commit\\.gpgsign|merge\\.verifysignatures|gpg\\..*|user\\.(name|email)|branch\\..*\\.mergeoptions)$';

/** The system's file is beside git: of a distribution, of a build by hand, of Homebrew. */
export const SYSTEM_FILES = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];

const cache = new Map<string, { readonly text: string; readonly rows: readonly ConfigRow[] }>();

/** The settings of a checkout as its user's own git reads them, later ones win; cached until a file changes. */
export async function readGitConfig(root: string): Promise<readonly ConfigRow[]> {
  const text = readConfigText(root);
  const known = cache.get(root);
  if (known !== undefined && known.text === text) return known.rows;
  const words = ['config', '-z', '--show-scope', '--get-regexp', KEYS];
  const stdout = await runGit(words, { gitDir: findGitDir(root), env: usersGit(), accept: [1] }); // 1: none is set
  const fields = stdout.toString('utf8').split('\0');
  const rows = fields.flatMap((row, at) =>
    at % 2 === 1 ? [{ scope: fields[at - 1] ?? '', ...keyAndValue(row) }] : [],
  );
  if (text !== undefined) cache.set(root, { text, rows });
  return rows;
}

/** The text of every configuration file that git reads for a checkout; undefined where it may read others. */
export function readConfigText(root: string): string | undefined {
  const { HOME = '', XDG_CONFIG_HOME = join(HOME, '.config') } = process.env;
  const commonDir = findCommonDir(root);
  if (commonDir === undefined || OTHER_FILES.some((name) => process.env[name] !== undefined)) return undefined;
  const own = [join(commonDir, 'config'), join(HOME, '.gitconfig'), join(XDG_CONFIG_HOME, 'git', 'config')];
  const text = [...own, ...SYSTEM_FILES].map((file) => readGitFile(file) ?? '').join('\0');
  return /include|worktreeconfig/i.test(text) ? undefined : text;
}

/** Variables that name other configuration files. */
const OTHER_FILES = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'];

/** The variables of git's configuration, as its user's own git reads it. */
export const usersGit = (): Readonly<Record<string, string | undefined>> => ({
  ...withUserSettings(),
  ...Object.fromEntries(
    [...OTHER_FILES, 'GIT_CONFIG_NOSYSTEM'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  ),
});

/** A key without a value is true. */
function keyAndValue(row: string): { readonly key: string; readonly value: string } {
  const end = row.indexOf('\n');
  return end === -1 ? { key: row, value: 'true' } : { key: row.slice(0, end), value: row.slice(end + 1) };
}
