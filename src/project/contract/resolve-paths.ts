import {
  isTakenBack,
  matchesOnlyProtected,
  checkNamedPath,
  checkPattern,
  classifyPath,
  type PathScope,
} from '../../base/paths.ts';
import { createFault, formatJsonPath, formatValue, toOneLine, type Fault, type JsonPath } from '../../base/fault.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { ProtectedChange } from '../../base/protected-paths.ts';
import type { TaskContract } from './task-contract.ts';

/** The content of the base commit; folders have no trailing slash. */
export interface TrackedFiles {
  /** Whether a file of exactly this path is tracked. */
  has(path: string): boolean;
  /** Whether a folder of this path has tracked files. */
  hasFolder(path: string): boolean;
}

type Complaint = { readonly path: JsonPath; readonly found: string; readonly expected: string };

const SOURCES: JsonPath = ['specification', 'source_files'];
const TARGET: JsonPath = ['specification', 'target_file'];

/**
 * Turns every path of a contract into a path from the repository's root. It drops a `<project>/` that is no folder
 * here, finds bare file names in the single allowed folder, and refuses missing sources and closed targets.
 */
export function resolvePaths(
  contract: TaskContract,
  repository: TrackedFiles,
  lineOf: (path: JsonPath) => number | undefined = () => undefined,
  protectedPaths?: ProtectedChange,
): Outcome<TaskContract, readonly Fault[]> {
  const drop = projectPrefix(contract.project, repository);
  // `<project>/` alone means the whole repository.
  const allowedPaths = contract.constraints.allowedPaths.map((path) => drop(path) || '**');
  const forbiddenPaths = contract.constraints.forbiddenPaths.map((path) => drop(path) || '**');
  const folder = singleFolder(allowedPaths, repository);
  const find = (path: string): string =>
    folder === undefined || path.includes('/') || repository.has(path) || repository.hasFolder(path)
      ? path
      : folder + path;

  const written = contract.specification;
  const sourceFiles = written.sourceFiles.map((source) => ({ ...source, path: find(drop(source.path)) }));
  const targetFile = written.targetFile === undefined ? undefined : find(drop(written.targetFile));
  const scope = { allowedPaths, forbiddenPaths, ...(protectedPaths === undefined ? {} : { protectedPaths }) };
  const complaints = [
    ...allowedPaths.flatMap((path, at) => unsafe(['constraints', 'allowed_paths', at], path, checkPattern(path))),
    ...nothingOpen(scope, repository),
    ...forbiddenPaths.flatMap((path, at) => unsafe(['constraints', 'forbidden_paths', at], path, checkPattern(path))),
    ...sourceFiles.flatMap(({ path }, at) => judgeSource(path, written.sourceFiles[at]?.path ?? path, at, repository)),
    ...sourceFiles.flatMap(({ path }, at) =>
      sourceFiles.findIndex((other) => other.path === path) < at
        ? [{ path: [...SOURCES, at, 'path'], found: path, expected: 'each source file once' }]
        : [],
    ),
    ...(targetFile === undefined ? [] : judgeTarget(targetFile, scope, repository)),
  ];
  if (complaints.length > 0)
    return failure(
      complaints.map(({ path, found, expected }) =>
        createFault(formatJsonPath(path), formatValue(found), expected, undefined, lineOf(path)),
      ),
    );
  return success({
    ...contract,
    constraints: { ...contract.constraints, ...scope },
    specification: { ...written, sourceFiles, targetFile },
  });
}

function projectPrefix(project: string, repository: TrackedFiles): (path: string) => string {
  const prefix = `${project}/`;
  const isFolder = repository.hasFolder(project);
  return (written) => {
    const path = written.startsWith('./') ? written.slice(2) : written;
    return !isFolder && path.startsWith(prefix) ? path.slice(prefix.length) : path;
  };
}

/** The only allowed path, with a trailing slash, when it is a folder and no glob. */
function singleFolder(allowedPaths: readonly string[], repository: TrackedFiles): string | undefined {
  const [only = '', ...others] = allowedPaths;
  if (others.length > 0 || /[*?[\]{}]/.test(only)) return undefined;
  if (only.endsWith('/')) return only;
  return !repository.has(only) && repository.hasFolder(only) ? `${only}/` : undefined;
}

function unsafe(path: JsonPath, found: string, why: string | undefined): Complaint[] {
  return why === undefined ? [] : [{ path, found, expected: `a path from the root of the repository. ${why}` }];
}

/** A contract with only protected or forbidden paths would be refused after the work. */
function nothingOpen(
  { allowedPaths, forbiddenPaths, protectedPaths }: PathScope,
  repository: TrackedFiles,
): Complaint[] {
  const closed = closedPaths({ allowedPaths, protectedPaths }, repository);
  const isForbidden = (path: string): boolean => isTakenBack(path, repository.hasFolder(path), forbiddenPaths);
  const unreadable = allowedPaths.filter((path) => checkPattern(path) !== undefined);
  const open = allowedPaths.filter((path) => !closed.includes(path) && !unreadable.includes(path));
  if (closed.length > 0 && open.length === 0) {
    const expected = `at least one path that is not protected: ${CLOSED}`;
    return [{ path: ['constraints', 'allowed_paths'], found: closed.join(', '), expected }];
  }
  if (unreadable.length > 0 || open.some((path) => !isForbidden(path))) return [];
  const found = `allowed_paths ${allowedPaths.join(', ')}; forbidden_paths ${forbiddenPaths.join(', ')}`;
  const expected = 'at least one allowed path that forbidden_paths do not cover: they win, so nothing could be changed';
  return [{ path: ['constraints'], found, expected }];
}

/** The allowed paths that open no file, because all of them are protected. */
export const closedPaths = (
  { allowedPaths, protectedPaths }: Pick<PathScope, 'allowedPaths' | 'protectedPaths'>,
  repository: TrackedFiles,
): readonly string[] =>
  allowedPaths.filter(
    (path) =>
      checkPattern(path) === undefined && matchesOnlyProtected(path, repository.hasFolder(path), protectedPaths),
  );

/** How to open a protected path, and which never opens. */
export const CLOSED =
  'a protected file is open only where allowed_paths names exactly it (.github/workflows/ci.yml, no folder and no wildcard); .git, _handoff/ and .andon/ never are';

function judgeSource(path: string, written: string, at: number, repository: TrackedFiles): Complaint[] {
  const place = [...SOURCES, at, 'path'];
  const why = checkNamedPath(path);
  if (why !== undefined) return unsafe(place, path, why);
  if (repository.has(path)) return [];
  const looked = [...new Set([written, path])].map((one) => toOneLine(one, 80)).join(' and ');
  return [{ path: place, found: written, expected: `a file that git tracks on the base commit; looked for ${looked}` }];
}

function judgeTarget(target: string, scope: PathScope, repository: TrackedFiles): Complaint[] {
  const why = checkNamedPath(target);
  if (why !== undefined) return unsafe(TARGET, target, why);
  const answer = classifyPath(target, scope);
  const isFolder = !repository.has(target) && repository.hasFolder(target);
  if (answer === 'allowed' && !isFolder) return [];
  const expected = isFolder ? 'a file; this is a folder' : TARGET_FAULTS[answer](scope);
  return [{ path: TARGET, found: target, expected }];
}

const TARGET_FAULTS: Readonly<Record<ReturnType<typeof classifyPath>, (scope: PathScope) => string>> = {
  allowed: () => '',
  forbidden: () => 'a path that forbidden_paths does not name',
  protected: () => 'a file that is not a control file; to allow it, name exactly this file in allowed_paths',
  outside: ({ allowedPaths }) => `a path inside allowed_paths (${toOneLine(allowedPaths.join(', '), 200)})`,
};
