import type { Fault } from '../../base/fault.ts';
import { createFault, toOneLine } from '../../base/fault.ts';
import { toBranchName } from '../../base/names.ts';
import { classifyPath } from '../../base/paths.ts';
import type { PathScope } from '../../base/paths.ts';
import type { Settings } from '../../config/config.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import type { TargetState, TreeFile } from '../../ports/repository.ts';
import type { TreeIndex } from '../git/tree-index.ts';
import type { Services } from '../../wiring/services.ts';

/** A branch to merge into, by its full name. */
interface Target {
  readonly ref: string;
  readonly commit: string;
}

/**
 * Finds what would stop this task only after agents were paid: files in scope that a git filter keeps closed (refused where
 * nothing else is in scope), local edits where the merge will write, submodules that gates find empty, a target that is
 * behind its upstream or is not the branch at hand, and hooks that andon's commits skip. Each notice is one sentence.
 */
export async function findObstacles(
  services: Pick<Services, 'repository'> & { readonly settings: Pick<Settings, 'gates' | 'share'> },
  contract: TaskContract,
  target: Target,
  files: readonly TreeFile[],
  index: TreeIndex,
): Promise<{ readonly faults: readonly Fault[]; readonly notices: readonly string[] }> {
  const [filters, state, head] = await Promise.all([
    findFilteredFiles(services, contract.constraints, target.commit, index),
    services.repository.targetState(target.ref),
    services.repository.checkedOut(),
  ]);
  const hasGates = services.settings.gates.length + contract.gates.length + contract.holdout.gates.length > 0;
  return {
    faults: filters.faults,
    notices: [
      ...filters.notices,
      ...editsInScope(state, target.ref, contract.constraints),
      ...describeTarget(state, target.ref, head),
      ...(hasGates ? describeSubmodules(files, services.settings.share) : []),
      ...describeHooks(state.hooks),
    ],
  };
}

/** What is odd about a target branch, whatever the task: work under way, a newer upstream, another branch at hand. */
export function describeTarget(
  { busy, upstream, folder }: TargetState,
  ref: string,
  head: string | undefined,
): readonly string[] {
  const name = toBranchName(ref);
  return [
    ...(busy === undefined ? [] : [`nothing can be merged into ${name} now: ${busy}`]),
    ...(upstream === undefined || upstream.behind === 0
      ? []
      : [
          `${name} is ${upstream.behind} commit${upstream.behind === 1 ? '' : 's'} behind ${upstream.name} as of the last fetch, and the task is built on the older state; pull first if it should not be`,
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
  const [are, each] = modules.length === 1 ? ['is a submodule', 'it'] : ['are submodules', 'them'];
  return [
    `${listPaths(modules)} ${are}, and gates find ${each} empty; add ${each} to \`share\` in .andon/config.yaml if a gate needs ${each}`,
  ];
}

/** Hooks of the user's that no commit of andon's runs. */
export const describeHooks = (hooks: readonly string[]): readonly string[] =>
  hooks.length === 0
    ? []
    : [`andon's commits and merges run no git hook (here: ${hooks.join(', ')}); make a gate of what must be checked`];

/** Edits that git would refuse to overwrite when the change is merged. */
function editsInScope({ edited, folder }: TargetState, ref: string, scope: PathScope): readonly string[] {
  const paths = edited.filter((path) => classifyPath(path, scope) === 'allowed');
  if (paths.length === 0) return [];
  const [have, are] = paths.length === 1 ? ['has', 'it is'] : ['have', 'they are'];
  return [
    `${listPaths(paths)} ${have} edits in ${folder} that are not committed; a change of the same file is not merged into ${toBranchName(ref)} until ${are} committed or stashed`,
  ];
}

/** Files in scope that git-lfs, git-crypt or another filter changes: andon runs no filters, so they stay as they are. */
async function findFilteredFiles(
  { repository }: Pick<Services, 'repository'>,
  scope: PathScope,
  commit: string,
  index: TreeIndex,
): Promise<{ readonly faults: readonly Fault[]; readonly notices: readonly string[] }> {
  const there = [...index.meantBy(scope.allowedPaths)].filter((path) => classifyPath(path, scope) === 'allowed');
  const samples = scope.allowedPaths.map((pattern) =>
    index.folders.has(pattern) ? `${pattern}/x` : sampleOf(pattern),
  );
  const filtered = await repository.filtered(commit, [...new Set([...there, ...samples])]);
  if (filtered.size === 0) return { faults: [], notices: [] };
  const closed = there.filter((path) => filtered.has(path));
  const filters = [...new Set(filtered.values())].join(', ');
  if (closed.length === there.length && samples.every((path) => filtered.has(path))) {
    const expected = `at least one file that no filter of .gitattributes changes; all of these go through ${filters}, which andon does not run`;
    return {
      faults: [createFault('$.constraints.allowed_paths', listPaths(scope.allowedPaths), expected)],
      notices: [],
    };
  }
  const [go, them] = closed.length === 1 ? ['goes', 'it'] : ['go', 'them'];
  return {
    faults: [],
    notices:
      closed.length === 0
        ? []
        : [`${listPaths(closed)} ${go} through git's filter ${filters}, so the task cannot change ${them}`],
  };
}

/** A path that a pattern of `allowed_paths` could open for a new file; brackets and braces stay as they are. */
const sampleOf = (pattern: string): string =>
  (pattern.endsWith('/') ? `${pattern}x` : pattern).replaceAll('**/', '').replaceAll(/\*+|\?/g, 'x');

const MOST_LISTED = 3;

/** The first few paths, each short enough for a line, and how many more there are. */
export function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_LISTED).map((path) => toOneLine(path, 80));
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
