import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HOOK_MARK } from '../../base/names.ts';
import type { RepositoryFacts, TargetState } from './repository-facts.ts';
import { findHooksFolder } from './changes.ts';
import type { Checkout } from './checkout.ts';
import { splitNul, gitText, tryGit, withUserSettings } from './git.ts';
import { findGitDir } from './operation-in-progress.ts';
import { readConfigText } from './git-config.ts';

/** Hooks that git runs when a person commits or merges by hand. */
const COMMIT_HOOKS = [
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-merge',
];
/** With a longer list of edits, single files are not reported. */
const MOST_STATUS_BYTES = 1_000_000;

/**
 * What in the user's repository would be in the way of a merge into `ref`; reads only, runs no filters or hooks. Edits are
 * looked for at `paths` only (files and folders), because a large checkout takes git 100 ms; undefined = everywhere.
 */
export async function readTargetState(
  facts: RepositoryFacts,
  checkout: Checkout,
  ref: string,
  paths: readonly string[] | undefined,
): Promise<TargetState> {
  const { folder, busy } = await checkout.whereCheckedOut(ref);
  const [edited, upstream, hooks] = await Promise.all([
    folder === undefined || !existsSync(folder) ? [] : listEditedFiles(folder, paths ?? []),
    upstreamOf(facts.commonDir, ref),
    commitHooks(facts),
  ]);
  return { folder, busy, edited, upstream, hooks };
}

/** Paths with uncommitted edits, untracked files included; none where there are too many to list. */
async function listEditedFiles(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const words = [
    'status',
    '--porcelain',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=all',
    '--no-renames',
    '--',
    ...paths.map((path) => `:(top,literal,icase)${path}`),
  ];
  const call = { gitDir: findGitDir(folder), workTree: folder, env: withUserSettings(), most: MOST_STATUS_BYTES };
  const status = await tryGit(words, call);
  return status.code === 0 ? splitNul(status.stdout).map((row) => row.slice('XY '.length)) : [];
}

/** How far a branch and its upstream are apart, as of the last fetch; undefined without an upstream. */
async function upstreamOf(commonDir: string, ref: string): Promise<TargetState['upstream']> {
  if (!readFileSync(join(commonDir, 'config'), 'utf8').includes('[branch ')) return undefined; // saves a process
  const format = '%(upstream:short)%00%(upstream:track,nobracket)';
  const [name = '', track = ''] = (
    await gitText(['for-each-ref', `--format=${format}`, ref], { gitDir: commonDir })
  ).split('\0');
  const count = (what: string): number => Number(new RegExp(`${what} (\\d+)`).exec(track)?.[1] ?? 0);
  return name === '' || track === 'gone' ? undefined : { name, ahead: count('ahead'), behind: count('behind') };
}

/** The hooks of a commit by hand, without andon's own. */
async function commitHooks(facts: RepositoryFacts): Promise<readonly string[]> {
  // git is asked, which takes a process, only where some file may set core.hooksPath.
  const folder = /hookspath/i.test(readConfigText(facts.root) ?? 'hooksPath')
    ? (await findHooksFolder(facts, { gitDir: findGitDir(facts.root) }, process.env)).folder
    : join(facts.commonDir, 'hooks');
  // Husky fills its own folder with a stub for every hook; the project's hooks are the plain files above it.
  const isHusky = basename(folder) === '_' && existsSync(join(folder, 'h'));
  const [place, needed] = isHusky ? [dirname(folder), constants.R_OK] : [folder, constants.X_OK];
  return COMMIT_HOOKS.filter((name) => runsMoreThanAndon(join(place, name), needed));
}

/** Whether git can run this hook (`needed`: the access it takes) and it does more than call andon. */
function runsMoreThanAndon(hook: string, needed: number): boolean {
  try {
    accessSync(hook, needed);
    const text = readFileSync(hook, 'utf8');
    if (text.includes(HOOK_MARK)) return runsMoreThanAndon(`${hook}.before-andon`, constants.X_OK);
    return text
      .split('\n')
      .some((line) => !/^\s*(?:#.*)?$/.test(line) && !/\bandon(?:\.mjs)?\b.* check --staged/.test(line));
  } catch {
    return false;
  }
}
