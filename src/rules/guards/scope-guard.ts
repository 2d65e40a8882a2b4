import { matchesGlobs } from '../../base/path-globs.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import type { MessageSettings } from '../../project/config/message-settings.ts';
import { readDiff, unquoteGitName } from '../../base/read-diff.ts';

export interface ScopeCheck {
  readonly inScope: boolean;
  /** Unexpected files; a moved file once. */
  readonly unexpected: readonly string[];
  readonly severity?: 'WARNING' | 'NEEDS_REVIEW';
  /** In one sentence; absent where everything was expected. */
  readonly reason?: string;
}

/**
 * Compares the changed files with the expected files, folders (with or without a slash) and globs, case-sensitively. Files
 * that match `allowed_patterns` are always expected.
 */
export function checkScope(
  expected: readonly string[],
  modified: readonly GitPath[],
  { violation_threshold: threshold, allowed_patterns: patterns, mode }: MessageSettings['scope_guard'],
): ScopeCheck {
  const wanted = expected.map(plainName).filter((name) => name !== '');
  const isExpected = (path: string): boolean =>
    wanted.some((name) => isWithin(path, name)) || matchesGlobs(path, patterns);
  const unexpected = modified.flatMap((file) => {
    const stray = getTouchedPaths(file)
      .map(plainName)
      .find((name) => !isExpected(name));
    return stray === undefined ? [] : [stray];
  });
  if (unexpected.length === 0) return { inScope: true, unexpected };
  return {
    inScope: false,
    unexpected,
    severity: unexpected.length >= threshold ? 'NEEDS_REVIEW' : 'WARNING',
    reason: `scope (${mode}): ${unexpected.length} unexpected: ${unexpected.join(', ')}`,
  };
}

export const scopeWarning = ({ unexpected }: Pick<ScopeCheck, 'unexpected'>): string =>
  `[SYSTEM] Scope violation: modified ${unexpected.join(', ')} not in expected outcome`;

export type ScopeRequest = ReturnType<typeof scopeRequests>[number];

/** The scope requests of a message, in lines such as `SCOPE REQUEST: src/b.ts - its caller must change too`. */
export function scopeRequests(message: string) {
  return message
    .slice(0, LONGEST_MESSAGE)
    .split('\n')
    .flatMap((row) => {
      const match =
        /^[\s>*-]{0,6}(?:SCOPE[ _]REQUEST|범위\s?요청|范围请求)\s{0,3}[:：]\s{0,3}`?([^\s`]{1,300})`?(?:\s{1,3}[-–—:：]{1,2}\s{0,3}|\s{1,3}\(?)?(.{0,300})$/iu.exec(
          row,
        );
      return match === null
        ? []
        : [{ path: plainName(match[1] ?? ''), why: (match[2] ?? '').replace(/\)$/, '').trim() }];
    });
}

const LONGEST_MESSAGE = 200_000;

const plainName = (name: string): string => name.trim().replace(/^(?:\.\/)+/, '');

function isWithin(path: string, name: string): boolean {
  if (path === name || path.startsWith(name.endsWith('/') ? name : `${name}/`)) return true;
  return /[*?[{]/.test(name) && matchesGlobs(path, [name]);
}

/** A file in output of git; `from` is its name before a move. */
export interface GitPath {
  readonly path: string;
  readonly from?: string | undefined;
}

/**
 * The files in output of git: `diff --name-only`, `--name-status`, `status --porcelain`, or a patch. Quoted names are
 * unquoted, a move is one file, untracked files count.
 */
export function gitPaths(output: string): readonly GitPath[] {
  const rows = output.split('\n').map((row) => row.replace(/\r$/, ''));
  const isPatch = rows.some((row) => row.startsWith('diff --git '));
  const found = isPatch ? readDiff(output).map(({ path, from }) => ({ path, from })) : rows.flatMap(fromRow);
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

function fromRow(row: string): readonly GitPath[] {
  if (row.trim() === '' || /^(?:##|!! |commit |warning:|hint:|fatal:)/.test(row)) return [];
  const [, from, to] =
    /^[RC]\d*\t([^\t]+)\t([^\t]+)$/.exec(row) ??
    /^[RC][ MD] ("(?:[^"\\]|\\.)*"|.+?) -> ("(?:[^"\\]|\\.)*"|.+)$/.exec(row) ??
    [];
  if (from !== undefined && to !== undefined) return [{ path: unquoteGitName(to), from: unquoteGitName(from) }];
  const path = /^(?:[ACDMTUXB]\d*\t|[ MTADRCU?][ MTADRCU?] )(.+)$/.exec(row)?.[1] ?? row.trim();
  return [{ path: unquoteGitName(path) }];
}
