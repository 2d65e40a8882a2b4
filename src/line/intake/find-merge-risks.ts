import { formatCount } from '../../base/format-count.ts';
import { listNames } from '../../base/list-names.ts';
import { createFault, toOneLine, type Fault } from '../../base/fault.ts';
import { toBranchName } from '../../base/names.ts';
import { classifyPath, type PathScope } from '../../base/paths.ts';
import type { Settings } from '../../project/config/read-settings.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import type { TargetState, TreeFile } from '../../project/git/repository-facts.ts';
import type { TargetCommit, Needs } from '../services/services.ts';
import type { TreeIndex } from '../git/tree-index.ts';

interface MergeRisks {
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
}

/**
 * Finds what would stop this task only after agents were paid: files in scope behind a git filter (refused where nothing
 * else is in scope), local edits where the merge will write, empty submodules, a target that is behind its upstream or not
 * checked out, and hooks that andon's commits skip.
 */
export async function findMergeRisks(
  services: Needs<'repository'> & { readonly settings: Pick<Settings, 'gates' | 'share'> },
  contract: TaskContract,
  target: Pick<TargetCommit, 'ref' | 'commit'>,
  files: readonly TreeFile[],
  index: TreeIndex,
): Promise<MergeRisks> {
  const paths = listFixedParts(contract.constraints.allowedPaths);
  const isTracked = (path: string): boolean => index.spelledLike(path.replace(/\/$/, '')).length > 0;
  const [filters, state, head] = await Promise.all([
    findFilteredFiles(services, contract.constraints, target.commit, index),
    services.repository.targetState(target.ref, paths && { paths, isTracked }),
    services.repository.checkedOut(),
  ]);
  const hasGates = services.settings.gates.length + contract.gates.length + contract.holdout.gates.length > 0;
  const edited = state.edited.filter((path) => classifyPath(path, contract.constraints) === 'allowed');
  const name = toBranchName(target.ref);
  return {
    faults: filters.faults,
    notices: [
      ...filters.notices,
      ...(edited.length === 0
        ? []
        : [
            `uncommitted edits in ${state.folder}: ${listPaths(edited)}; a change of the same file is not merged into ${name} until you commit or stash them`,
          ]),
      ...describeTarget(state, target.ref, head),
      ...(hasGates ? describeSubmodules(files, services.settings.share) : []),
      ...describeHooks(state.hooks),
    ],
  };
}

/** Notices about a target branch, whatever the task: an open merge, a newer upstream, another branch checked out. */
export function describeTarget(
  { busy, upstream, folder }: TargetState,
  ref: string,
  head: string | undefined,
): readonly string[] {
  const name = toBranchName(ref);
  const behind = upstream?.behind ?? 0;
  return [
    ...(busy === undefined ? [] : [`nothing can be merged into ${name} now: ${busy}`]),
    ...(behind === 0
      ? []
      : [
          `${name} is ${formatCount(behind, 'commit')} behind ${upstream?.name ?? ''} as of the last fetch, and the task is built on the older state; pull first if it should not be`,
        ]),
    ...(head === undefined || head === ref || folder !== undefined
      ? []
      : [`the task is merged into ${name}, not into ${toBranchName(head)}, which is checked out`]),
  ];
}

/** Submodules that gates find as empty folders. */
export function describeSubmodules(files: readonly TreeFile[], share: readonly string[]): readonly string[] {
  const modules = files.filter(({ mode, path }) => mode === '160000' && !share.includes(path)).map(({ path }) => path);
  if (modules.length === 0) return [];
  return [
    `gates find these submodules empty: ${listPaths(modules)}; add those that a gate needs to \`share\` in .andon/config.yaml`,
  ];
}

export const describeHooks = (hooks: readonly string[]): readonly string[] =>
  hooks.length === 0
    ? []
    : [`andon's commits and merges run no git hook (here: ${hooks.join(', ')}); make a gate of what must be checked`];

/** Finds files in scope that git-lfs, git-crypt or another filter changes: andon runs no filters, so they stay unchanged. */
async function findFilteredFiles(
  { repository }: Needs<'repository'>,
  scope: PathScope,
  commit: string,
  index: TreeIndex,
): Promise<MergeRisks> {
  const existing = [...index.meantBy(scope.allowedPaths)].filter((path) => classifyPath(path, scope) === 'allowed');
  const samples = scope.allowedPaths.map((pattern) => sampleOf(index.folders.has(pattern) ? `${pattern}/` : pattern));
  const filtered = await repository.filtered(commit, [...new Set([...existing, ...samples])]);
  const closed = existing.filter((path) => filtered.has(path));
  const filters = [...new Set(filtered.values())].join(', ');
  if (filtered.size > 0 && closed.length === existing.length && samples.every((path) => filtered.has(path))) {
    const expected = `at least one file that no filter of .gitattributes changes; all of these go through ${filters}, which andon does not run`;
    const fault = createFault('$.constraints.allowed_paths', listPaths(scope.allowedPaths), expected);
    return { faults: [fault], notices: [] };
  }
  const notice = `git's filter ${filters} changes ${listPaths(closed)}, so the task cannot`;
  return { faults: [], notices: closed.length === 0 ? [] : [notice] };
}

/** A path that a pattern of `allowed_paths` could open for a new file; brackets and braces stay. */
const sampleOf = (pattern: string): string =>
  (pattern.endsWith('/') ? `${pattern}x` : pattern).replaceAll('**/', '').replaceAll(/\*+|\?/g, 'x');

/** The folders and files below which all allowed paths are; undefined = the whole checkout. */
function listFixedParts(patterns: readonly string[]): readonly string[] | undefined {
  const parts = patterns.map((pattern) => pattern.replace(/^\.\//, '').replace(/[^/]*[*?[\]{}].*$/s, ''));
  return parts.every((part) => /^[\x20-\x7e]+$/.test(part)) ? parts : undefined; // letters outside ASCII have two spellings
}

const MOST_LISTED = 3;

/** The first few paths, each short enough for a line, and the number of the others. */
export const listPaths = (paths: readonly string[]): string =>
  listNames(
    paths.map((path) => toOneLine(path, 80)),
    MOST_LISTED,
  );
