import type { TaskRecord } from '../record/task-record.ts';
import { getJudgeReport, getLocalReview } from '../record/review.ts';
import { classifyPath, mayBeAllowed } from '../../base/paths.ts';
import type { Rework } from './rework.ts';

export type FilesInQuestion = ReturnType<typeof selectFiles>;

/** Selects among the tracked text files; never a file that the contract forbids or that decides in secret. */
export function selectFiles(
  record: TaskRecord,
  rework: Rework,
  tracked: Iterable<string> & { has(path: string): boolean },
  /** Candidates of patterns, where not all of them must be read. */
  meantBy: (patterns: readonly string[]) => Iterable<string> = () => tracked,
) {
  const { contract, grants } = record;
  const { specification } = contract;
  const scope = {
    allowedPaths: [...contract.constraints.allowedPaths, ...grants.paths],
    forbiddenPaths: contract.constraints.forbiddenPaths,
    protectedPaths: contract.constraints.protectedPaths,
  };
  const mayChange = new Set<string>();
  for (const path of meantBy(scope.allowedPaths))
    if (mayBeAllowed(path, scope) && classifyPath(path, scope) === 'allowed') mayChange.add(path);
  const known = (paths: readonly (string | undefined)[]): string[] => [
    ...new Set(paths.filter((path) => path !== undefined && tracked.has(path)) as string[]),
  ];
  const isSecret = secretIn(record);
  const cited = (getJudgeReport(record)?.blocking ?? getLocalReview(record)?.findings ?? []).map(({ file }) => file);
  const commented = record.comments.map(({ file }) => file);
  const { kept = [], failed = [] } = rework.givenUp ?? {};
  const edited = [...failed, ...kept].map(({ path }) => path);
  const aimed = known([specification.targetFile, ...commented, ...cited, ...grants.paths, ...edited]);
  const targets = rework.partial === undefined ? aimed : known(rework.partial.failed.map(({ path }) => path));
  const others = known([
    ...specification.sourceFiles.map(({ path }) => path),
    ...(record.change?.files ?? []).map(({ path }) => path),
    // In a small scope every file is in question; in a large one only the named ones.
    ...(mayChange.size <= SMALL_SCOPE ? [...mayChange].filter((path) => !isSecret(path)) : []),
  ]);
  // Without a named target, the files in question are all there is.
  const isCut = rework.partial !== undefined || (rework.onlyTarget && aimed.length > 0);
  const rest = others.filter((path) => !targets.includes(path));
  const chosen = new Set([...targets, ...rest]);
  return {
    // The target, and files named by findings or failed blocks.
    targets,
    // Source files, files of the change so far, and all of a small scope.
    others: isCut ? [] : rest,
    // Files omitted from the next try, because the last one failed.
    dropped: isCut ? rest : [],
    // Whether a tracked file may be a neighbour; outside the scope only with a tie to the task. In a large scope without
    // a target they are all that is shown, so no retry goes without them.
    isNeighbour: (path: string): boolean =>
      (rework.neighbours || chosen.size === 0) &&
      !chosen.has(path) &&
      !isSecret(path) &&
      ['allowed', 'outside'].includes(classifyPath(path, scope)),
    inScope: mayChange,
  };
}

const SMALL_SCOPE = 8;

/** The files of a holdout gate are as unknown to the implementer as the gate itself. */
function secretIn({ contract }: TaskRecord): (path: string) => boolean {
  const text = contract.holdout.gates.map(({ run }) => run).join('\n');
  return (path) => text !== '' && text.includes(path.slice(path.lastIndexOf('/') + 1));
}
