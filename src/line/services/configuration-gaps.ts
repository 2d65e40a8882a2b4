import { listNames } from '../../base/list-names.ts';
import { toBranchName } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { RULE_FOLDERS } from '../../rules/model/rule-words.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import type { TargetCommit } from './services.ts';
import {
  DECIDING_FILES,
  PROFILES,
  readDecidingFiles,
  listDifferingFiles,
  openWorkTree,
  type ProjectFiles,
} from '../../rules/files/project-files.ts';

/** Names of files that are shown in one sentence. */
const MOST_SHOWN = 5;

/** How the files that decide differ in the checkout from what the target commits: one sentence, or none. */
export async function describeConfigurationGaps(
  root: string,
  repository: Pick<Repository, 'checkedOut' | 'refsUnder' | 'resolve'>,
  target: TargetCommit | undefined,
  versionAt: (commit: string) => Promise<ProjectFiles>,
  /** Why there is no target. */
  why?: string,
): Promise<readonly string[]> {
  try {
    const there = openWorkTree(root);
    const kept = target === undefined ? NO_FILES : await versionAt(target.commit);
    const names = listDifferingFiles(there, kept);
    if (names.length === 0) return [];
    if (target === undefined && why !== undefined && (await hasCommits(repository)))
      return [`no branch decides for the line: ${toTerminalLine(why, 400)}`];
    const files = toTerminalLine(listNames(names, MOST_SHOWN), 400);
    const branch = target === undefined ? 'any branch' : toTerminalLine(toBranchName(target.ref), 100);
    if (readDecidingFiles(kept).size === 0)
      return [`not committed on ${branch}, so it does not count for the line: ${files}; commit it: ${commitOf(names)}`];
    const isOnTarget = target !== undefined && (await repository.checkedOut()) === target.ref;
    const remedy = isOnTarget
      ? `; commit what should count: ${commitOf(names)}, or try it out: andon watch --working-config`
      : '';
    return [
      `the checkout differs from ${branch} (${target?.commit.slice(0, 7) ?? ''}), which decides for the line, in ${files}${remedy}`,
    ];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [`the checkout cannot be compared with what decides for the line: ${toTerminalLine(error.message, 400)}`];
  }
}

const hasCommits = async ({ refsUnder, resolve }: Pick<Repository, 'refsUnder' | 'resolve'>): Promise<boolean> =>
  (await resolve('HEAD')) !== undefined || (await refsUnder('refs/heads/')).length > 0;

/** For any folder of the checkout: `:/` is its root. */
function commitOf(names: readonly string[]): string {
  const folders = [...new Set(names.map((name) => `:/${name.split('/')[0] ?? name}`))];
  return `git add ${toTerminalLine(folders.join(' '), 200)} && git commit`;
}

/** Changes when a file that decides is written, made or removed in the checkout; it reads none of them. */
export function computeConfigurationStamp(root: string): string {
  const door = openDir(root);
  const stampIn = (name: string): string => {
    const stat = door.stat(name);
    return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
  };
  const listed = [...RULE_FOLDERS, PROFILES].flatMap((folder) =>
    door.entries(folder).map(({ name }) => `${folder}/${name}`),
  );
  return JSON.stringify([...DECIDING_FILES, ...listed].map((name) => [name, stampIn(name)]));
}

const NO_FILES: ProjectFiles = {
  text: () => undefined,
  rules: () => ({ files: [], faults: [] }),
  profiles: () => [],
};
