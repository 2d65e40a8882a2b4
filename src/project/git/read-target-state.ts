import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HOOK_MARK } from '../../base/names.ts';
import type { RepositoryFacts, TargetState } from './repository-facts.ts';
import { findHooksFolder } from './changes.ts';
import type { Checkout } from './checkout.ts';
import { splitNul, gitText, tryGit, withUserSettings } from './run-git.ts';
import { findGitDir } from './operation-in-progress.ts';
import { readConfigText } from './git-config.ts';
import type { KnownTrees } from './known-trees.ts';
import { readRef } from './refs.ts';

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

/** Where edits are looked for: files and folders, and which of them the target's commit has, in any spelling. */
export interface EditedPlaces {
  readonly paths: readonly string[];
  isTracked(path: string): boolean;
}

/**
 * What in the user's repository would be in the way of a merge into `ref`; reads only, runs no filters or hooks. Edits are
 * looked for at some places only, because a large checkout takes git 100 ms; undefined = everywhere.
 */
export async function readTargetState(
  facts: RepositoryFacts,
  checkout: Checkout,
  known: KnownTrees,
  ref: string,
  places: EditedPlaces | undefined,
): Promise<TargetState> {
  const { folder, busy } = await checkout.whereCheckedOut(ref);
  const [edited, upstream, hooks] = await Promise.all([
    folder === undefined || !existsSync(folder) || areAllNew(folder, places)
      ? []
      : listEditedFiles(folder, places?.paths ?? []),
    upstreamOf(facts, known, ref),
    commitHooks(facts),
  ]);
  return { folder, busy, edited, upstream, hooks };
}

/**
 * Whether neither the checkout nor its commit has any of these places; saves a process that reads the whole index. What is
 * staged there and not on the disk is found before the merge.
 */
const areAllNew = (folder: string, places: EditedPlaces | undefined): boolean =>
  places !== undefined && !places.paths.some((path) => places.isTracked(path) || isOnDisk(folder, path));

/** Whether a file or folder of this name exists in a checkout, in any case: a file system may ignore it. */
function isOnDisk(checkout: string, path: string): boolean {
  const names = path.toLowerCase().split('/');
  let folders = [checkout];
  for (const wanted of names.filter((name) => name !== ''))
    folders = folders.flatMap((folder) =>
      namesIn(folder)
        .filter((name) => name.toLowerCase() === wanted)
        .map((name) => join(folder, name)),
    );
  return folders.length > 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // a file, or gone
  }
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

/** A branch that held its whole upstream when git was asked. */
interface CaughtUp {
  readonly config: string;
  readonly tip: string;
  readonly upstream: { readonly ref: string; readonly name: string; readonly commit: string };
}

const caughtUp = new Map<string, CaughtUp>();

/** How many commits a branch is behind its upstream as of the last fetch; undefined without an upstream. */
async function upstreamOf(
  { root, commonDir }: RepositoryFacts,
  known: KnownTrees,
  branch: string,
): Promise<TargetState['upstream']> {
  if (!readFileSync(join(commonDir, 'config'), 'utf8').includes('[branch ')) return undefined; // saves a process
  const [key, config, tip] = [join(commonDir, branch), readConfigText(root), readRef(commonDir, branch)];
  const last = caughtUp.get(key);
  if (last !== undefined && last.config === config && typeof tip === 'string') {
    // Commits that andon built on top leave nothing of the upstream out.
    if (readRef(commonDir, last.upstream.ref) === last.upstream.commit && known.isBuiltOn(tip, last.tip)) {
      caughtUp.set(key, { ...last, tip });
      return { name: last.upstream.name, behind: 0 };
    }
  }
  const format = '%(upstream)%00%(upstream:short)%00%(upstream:track,nobracket)';
  const asked = await gitText(['for-each-ref', `--format=${format}`, branch], { gitDir: commonDir });
  const [ref = '', name = '', track = ''] = asked.split('\0');
  if (name === '' || track === 'gone') return undefined;
  const behind = Number(/behind (\d+)/.exec(track)?.[1] ?? 0);
  const commit = readRef(commonDir, ref);
  if (behind === 0 && config !== undefined && typeof commit === 'string' && typeof tip === 'string')
    if (readRef(commonDir, branch) === tip) caughtUp.set(key, { config, tip, upstream: { ref, name, commit } });
  return { name, behind };
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
