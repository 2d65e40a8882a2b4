import { unquoteGitName } from '../../base/git-name.ts';

/** A file in output of git; `from` is its name before a move. */
export interface GitPath {
  readonly path: string;
  readonly from?: string | undefined;
}

/**
 * The files in output of git: `diff --name-only`, `--name-status`, `--stat`, `status --porcelain` (with or without
 * `-z`), or a patch. Quoted names are unquoted, a move is one file, untracked files count.
 */
export function gitPaths(output: string): readonly GitPath[] {
  const rows = output.includes('\0') ? zeroed(output) : output.split('\n').map((row) => row.replace(/\r$/, ''));
  const isPatch = rows.some((row) => row.startsWith('diff --git '));
  const isStat = !isPatch && rows.some((row) => /^ .+ \| +(?:\d+(?: [+-]+)?|Bin\b.*)\s*$/.test(row));
  const found = isPatch ? fromPatch(rows) : rows.flatMap((row) => (isStat ? fromStat(row) : fromRow(row)) ?? []);
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

/** With `-z` a move takes two fields. */
function zeroed(output: string): readonly string[] {
  const fields = output.split('\0').filter((field) => field !== '');
  const rows: string[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    if (/^[RC]\d*$/.test(field)) rows.push(`${field}\t${fields[(at += 1)] ?? ''}\t${fields[(at += 1)] ?? ''}`);
    else if (/^[A-Z]$/.test(field)) rows.push(`${field}\t${fields[(at += 1)] ?? ''}`);
    else if (/^[RC][ MD] /.test(field))
      rows.push(`${field.slice(0, 3)}${fields[(at += 1)] ?? ''} -> ${field.slice(3)}`);
    else rows.push(field);
  }
  return rows;
}

function fromRow(row: string): GitPath | undefined {
  if (row.trim() === '' || /^(?:##|commit |warning:|hint:|fatal:)/.test(row)) return undefined;
  const [, moved, from = '', to = ''] = /^([RC]\d*)\t([^\t]+)\t([^\t]+)$/.exec(row) ?? [];
  if (moved !== undefined) return moveOf(from, to);
  const status = /^[ACDMTUXB]\d*\t(.+)$/.exec(row)?.[1];
  if (status !== undefined) return { path: unquoteGitName(status) };
  const porcelain = /^(?:[ MTADRCU?!][ MTADRCU?!]) (.+)$/.exec(row)?.[1];
  if (porcelain === undefined) return { path: unquoteGitName(row.trim()) };
  if (row.startsWith('!!')) return undefined;
  const [, old, now] = /^("(?:[^"\\]|\\.)*"|.+?) -> ("(?:[^"\\]|\\.)*"|.+)$/.exec(porcelain) ?? [];
  return old === undefined || now === undefined ? { path: unquoteGitName(porcelain) } : moveOf(old, now);
}

function fromStat(row: string): GitPath | undefined {
  const name = /^ (.+?) +\| +(?:\d|Bin)/.exec(row)?.[1];
  if (name === undefined) return undefined;
  const [, head = '', old = '', now = '', tail = ''] =
    /^(.*)\{(.*) => (.*)\}(.*)$/.exec(name) ?? /^()(.+) => (.+)()$/.exec(name) ?? [];
  const joined = (middle: string): string => `${head}${middle}${tail}`.replaceAll('//', '/');
  return old === '' && now === '' ? { path: unquoteGitName(name) } : { path: joined(now), from: joined(old) };
}

function fromPatch(rows: readonly string[]): readonly GitPath[] {
  const found: GitPath[] = [];
  let from: string | undefined;
  for (const row of rows) {
    const head = /^diff --git ("?)a\/(.+?)\1 ("?)b\/(.+)\3$/.exec(row);
    if (head !== null) {
      const half = (row.length - 'diff --git '.length - 1) / 2;
      const plain = row.slice('diff --git '.length + half + 3);
      const path =
        head[1] === '' && head[3] === '' && row.slice('diff --git a/'.length, 'diff --git '.length + half) === plain
          ? plain
          : (head[4] ?? '');
      found.push({ path: head[3] === '' ? path : unquoteGitName(`"${path}"`) });
      from = undefined;
    } else if (row.startsWith('rename from ')) from = unquoteGitName(row.slice('rename from '.length));
    else if (row.startsWith('rename to ') && from !== undefined)
      found.splice(-1, 1, moveOf(from, row.slice('rename to '.length)));
  }
  return found;
}

const moveOf = (from: string, to: string): GitPath => ({ path: unquoteGitName(to), from: unquoteGitName(from) });
