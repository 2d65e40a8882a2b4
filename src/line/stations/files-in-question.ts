import type { TaskRecord } from '../record/task-record.ts';
import { classifyPath, mayBeAllowed } from '../../base/paths.ts';
import { namedFiles } from '../../rules/guards/named-files.ts';
import { languageOf } from '../../source/languages.ts';
import { getScope } from '../core/grants.ts';
import type { Rework } from './rework.ts';

export type FilesInQuestion = ReturnType<typeof selectFiles>;

/** Selects among the tracked text files; never a file that the contract forbids or that decides in secret. */
export function selectFiles(
  record: TaskRecord,
  rework: Rework,
  tracked: Iterable<string> & { has(path: string): boolean },
  /** Candidates of patterns, where not all of them must be read. */
  meantBy: (patterns: readonly string[]) => Iterable<string> = () => tracked,
  bytesOf: (path: string) => number = () => Number.POSITIVE_INFINITY,
) {
  const { contract, grants } = record;
  const { specification } = contract;
  const scope = getScope(record);
  const mayChange = new Set<string>();
  for (const path of meantBy(scope.allowedPaths))
    if (mayBeAllowed(path, scope) && classifyPath(path, scope) === 'allowed') mayChange.add(path);
  const known = (paths: readonly (string | undefined)[]): string[] => [
    ...new Set(paths.filter((path) => path !== undefined && tracked.has(path)) as string[]),
  ];
  const isSecret = secretIn(record);
  const cited = (record.report?.blocking ?? record.review?.findings ?? []).map(({ file }) => file);
  const commented = record.comments.map(({ file }) => file);
  const { kept = [], failed = [] } = rework.givenUp ?? {};
  const edited = [...failed, ...kept].map(({ path }) => path);
  const isShowable = (path: string): boolean =>
    !isSecret(path) && ['allowed', 'outside'].includes(classifyPath(path, scope));
  const meant = record.words.flatMap(({ text }) => findNamed(text, tracked)).filter(isShowable);
  const aimed = known([specification.targetFile, ...commented, ...cited, ...edited, ...meant.slice(-MOST_NAMED)]);
  const targets = rework.partial === undefined ? aimed : known(rework.partial.failed.map(({ path }) => path));
  // The change so far, and what red gates name in the scope: without them nothing can be put right.
  const red = record.feedback.filter(({ from }) => from === 'gates').map(({ text }) => text);
  const carrying = known([
    ...(record.change?.files ?? []).map(({ path }) => path),
    ...grants.paths,
    ...pathsIn(red.join('\n'))
      .flatMap((name) => findByEnd(name, tracked) ?? [])
      .filter(isShowable)
      .slice(0, MOST_NAMED),
  ]);
  const others = known([
    ...specification.sourceFiles.map(({ path }) => path),
    ...carrying,
    // In a small scope every file is in question; in a large one only the named ones.
    ...listSmallScope(mayChange, specification.targetFile === undefined, bytesOf).filter((path) => !isSecret(path)),
  ]);
  // Without a named target, the files in question are all there is.
  const isCut = rework.partial !== undefined || (rework.onlyTarget && aimed.length > 0);
  const rest = others.filter((path) => !targets.includes(path));
  const needed = new Set(rework.partial === undefined ? carrying : []);
  const chosen = new Set([...targets, ...rest]);
  return {
    // The target, and files named by findings, people or failed blocks.
    targets,
    // Source files, files of the change so far, and all of a small scope.
    others: isCut ? rest.filter((path) => needed.has(path)) : rest,
    // Files omitted from the next try, because the last one failed.
    dropped: isCut ? rest.filter((path) => !needed.has(path)) : [],
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

/** Files of a scope that are all in question; without a target also more, if a prompt comfortably holds them. */
const SMALL_SCOPE = 8;
const SMALL_SCOPE_BYTES = 70_000;
const LONGEST_PROSE = 20_000;
/** Files that people, or red gates, name. */
const MOST_NAMED = 5;

/** All files of a small scope, code first; a large file, such as one that lists packages, does not count. */
function listSmallScope(
  mayChange: ReadonlySet<string>,
  isOpen: boolean,
  bytesOf: (path: string) => number,
): readonly string[] {
  if (mayChange.size <= SMALL_SCOPE) return codeFirst([...mayChange]);
  if (!isOpen) return [];
  const chosen: string[] = [];
  let left = SMALL_SCOPE_BYTES;
  for (const path of mayChange) {
    const bytes = bytesOf(path);
    if (bytes > LONGEST_PROSE && languageOf(path) === undefined) continue;
    left -= bytes;
    if (left < 0) return [];
    chosen.push(path);
  }
  return codeFirst(chosen);
}

const codeFirst = (paths: readonly string[]): readonly string[] =>
  paths.toSorted((one, other) => Number(languageOf(other) !== undefined) - Number(languageOf(one) !== undefined));

/** What may be paths in the output of programs, such as those of a stack trace. */
const pathsIn = (output: string): readonly string[] =>
  [...new Set(output.replaceAll('file://', '').match(/(?<![\w:@./+-])[\w@./-][\w@.+/-]*\.\w{1,8}\b/g))].filter(
    (path) => !path.includes('node_modules/'),
  );

/** The tracked file that a name ends with, such as a path in a folder that the tree was copied to. */
function findByEnd(name: string, tracked: { has(path: string): boolean }): string | undefined {
  const parts = name.split('/');
  return parts.map((_, at) => parts.slice(at).join('/')).find((path) => path !== '' && tracked.has(path));
}

/** The tracked files that a sentence of a person names, by path or by a name that only one file has. */
function findNamed(text: string, tracked: Iterable<string> & { has(path: string): boolean }): readonly string[] {
  return namedFiles(text).flatMap((name) => {
    const path = findByEnd(name, tracked);
    if (path !== undefined) return [path];
    const same = [...tracked].filter((one) => one.endsWith(`/${name.replace(/^\.\//, '')}`));
    return same.length === 1 ? same : [];
  });
}

/** The files of a holdout gate are as unknown to the implementer as the gate itself. */
function secretIn({ contract }: TaskRecord): (path: string) => boolean {
  const text = contract.holdout.gates.map(({ run }) => run).join('\n');
  return (path) => text !== '' && text.includes(path.slice(path.lastIndexOf('/') + 1));
}
