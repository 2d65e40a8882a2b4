import { matchesGlobs } from '../../base/path-globs.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import type { MessageSettings } from '../../project/config/message-settings.ts';
import { PLAIN, isPath } from './named-files.ts';
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
    .split(/[\r\n]+/)
    .flatMap((row) => {
      const value = REQUEST.exec(row.slice(0, LONGEST_ROW))?.[1];
      return value === undefined ? [] : requestsIn(value.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1'));
    });
}

/** The marker at the beginning of its line; Markdown may stand around it. */
const REQUEST =
  /^[\s>*+#\-_`~]*(?:\d{1,3}[.)]\s+)?[*_`~]*(?:SCOPE[ _]REQUEST|범위\s?요청|范围请求)[*_`~]*\s{0,3}[:：](?:[*_~]+(?=\s)|[*~]*)\s{0,3}(.+)$/iu;
/** A name in signs, or a word; another may follow behind a comma. */
const NAME =
  /^(?:[`"'<]([^`"'<>]+)[`"'>]|([^\s,，：—–]*[^\s,，：—–.:;!?`*~]))[.:;!?`*~]*(?:(?:,|，|\s+(?:and|&)\s)\s*|(?=[\s：—–]|$))/iu;

function requestsIn(value: string): readonly { readonly path: string; readonly why: string }[] {
  const paths: string[] = [];
  let rest = value.trim().replace(/^(?:the\s+)?(?:file|folder)s?\s+/i, '');
  for (let found = NAME.exec(rest); found !== null; found = NAME.exec(rest)) {
    const path = plainName(found[1] ?? withoutMarkup(found[2] ?? ''));
    if (!couldExist(path, found[1] !== undefined)) break;
    paths.push(path);
    rest = rest.slice(found[0].length);
  }
  if (/^\s*(?:is |are )?(?:not|no longer) (?:needed|necessary|required)\b/i.test(rest)) return [];
  const why = rest
    .replace(/^\s*[-–—:：]{0,2}\s*/u, '')
    .replace(/[\s`*_~]+$/, '')
    .replace(/^\((.*)\)$/, '$1');
  return paths.map((path) => ({ path, why }));
}

/** `_` is markup only in pairs around a name, or behind its ending where it closes the row: `__init__.py` is a name. */
const withoutMarkup = (word: string): string =>
  word
    .replace(/^[*~(]+|:\d[\d:-]*$/g, '')
    .replace(/^(_{1,2})([^_].*)\1$/, '$2')
    .replace(/(\.[A-Za-z0-9]{1,8})_{1,2}$/, '$1');

/** A path has a folder or an ending; a word alone is one only if it is marked as code, or spelt as such files are. */
const couldExist = (path: string, isMarked: boolean): boolean =>
  !/^(?:none|nothing|no|n\/a|na|path|file|e\.g|i\.e)$/i.test(path) &&
  (isPath(path) ||
    /^[^\s<>]*[\p{L}\d*\]}][\\/][^\s<>]*$|^[^\s<>/]*\.\w{1,12}$|^[A-Z]\w*file$/u.test(path) ||
    (isMarked && (/[./\\]/.test(path) || !path.includes(' '))) ||
    PLAIN.test(path));

const LONGEST_MESSAGE = 200_000;
const LONGEST_ROW = 1000;

const plainName = (name: string): string =>
  name
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');

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
