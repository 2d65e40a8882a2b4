import type { HistoryPiece } from '../../rule-model/inspection.ts';
import { unquoted } from '../../base/git-name.ts';

/** Lines that one commit added to a file and that the net difference of its range does not show. */
export type HiddenLines = Pick<HistoryPiece, 'commit' | 'path' | 'added'>;

/** A file that git shows no text of, as one commit left it. */
export interface HiddenBytes extends Pick<HistoryPiece, 'commit' | 'path'> {
  readonly oid: string;
}

/** What the commits of a range brought that a later one of them took away again. */
export interface PatchHistory {
  readonly lines: readonly HiddenLines[];
  readonly bytes: readonly HiddenBytes[];
  /** The last commit that took a line away, by its text. */
  readonly takenBy: ReadonlyMap<string, string>;
}

/**
 * Reads `git log -p --cc -U0 --full-index --format='commit %H'`, oldest first. Of a merge only those lines count that it
 * has from none of its parents; `isKnown` says which lines need no look because the net difference shows them.
 */
export function readPatchHistory(text: string, isKnown: (line: string) => boolean): PatchHistory {
  const reader = new Reader(isKnown);
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    reader.take(text.slice(from, end));
    from = end + 1;
  }
  return reader.end();
}

interface Run extends HiddenLines {
  readonly added: { line: number; text: string }[];
}

class Reader {
  private readonly runs: Run[] = [];
  private readonly bytes: HiddenBytes[] = [];
  private readonly removed: { readonly commit: string; readonly text: string }[] = [];
  private readonly isKnown: (line: string) => boolean;
  private commit = '';
  private path: string | undefined;
  private oid = '';
  /** So many signs stand before a line: one for each parent. */
  private width = 1;
  private line = 0;
  private run: Run | undefined;
  private inHunk = false;

  constructor(isKnown: (line: string) => boolean) {
    this.isKnown = isKnown;
  }

  take(row: string): void {
    const hunk = /^(@{2,}) .*?\+(\d+)(?:,\d+)? \1/.exec(row);
    if (/^commit [0-9a-f]{40,64}$/.test(row)) this.startCommit(row.slice('commit '.length));
    else if (/^diff --(?:git|cc|combined) /.test(row)) this.startFile(row);
    else if (hunk !== null) this.startHunk(hunk);
    else if (this.inHunk) this.takeLine(row);
    else this.takeHeader(row);
  }

  end(): PatchHistory {
    this.endRun();
    const wanted = new Set(this.runs.flatMap(({ added }) => added.map(({ text }) => text)));
    const takenBy = new Map<string, string>();
    for (const { commit, text } of this.removed) if (wanted.has(text)) takenBy.set(text, commit);
    return { lines: this.runs, bytes: this.bytes, takenBy };
  }

  private startCommit(commit: string): void {
    this.endRun();
    [this.commit, this.path, this.inHunk] = [commit, undefined, false];
  }

  private startFile(row: string): void {
    this.endRun();
    // Of a merge this is the only name that a file without text has.
    const combined = /^diff --(?:cc|combined) (.*)$/.exec(row)?.[1];
    const plain = /^diff --git a\/(.*) b\/\1$/.exec(row)?.[1];
    [this.path, this.oid, this.inHunk] = [combined === undefined ? plain : unquoted(combined), '', false];
  }

  private takeHeader(row: string): void {
    if (row.startsWith('+++ ')) this.path = pathOf(row.slice(4));
    if (row.startsWith('rename to ')) this.path = unquoted(row.slice('rename to '.length));
    const quoted = /^Binary files .* and ("b\/.*") differ$/.exec(row)?.[1];
    if (quoted !== undefined) this.path = pathOf(quoted);
    this.oid = /^index [0-9a-f,]+\.\.([0-9a-f]+)/.exec(row)?.[1] ?? this.oid;
    if (!/^(?:Binary files .*differ$|GIT binary patch)/.test(row) || this.path === undefined || /^0*$/.test(this.oid))
      return;
    this.bytes.push({ commit: this.commit, path: this.path, oid: this.oid });
  }

  private startHunk([, signs = '@@', start = '0']: RegExpExecArray): void {
    this.endRun();
    [this.width, this.line, this.inHunk] = [signs.length - 1, Number(start), true];
  }

  private takeLine(row: string): void {
    const signs = row.slice(0, this.width);
    const text = row.slice(this.width).replace(/\r$/, '');
    if (signs.includes('-')) this.removed.push({ commit: this.commit, text });
    const isOwn = signs === '+'.repeat(this.width);
    if (!isOwn) this.endRun();
    if (isOwn && this.path !== undefined) {
      this.run ??= { commit: this.commit, path: this.path, added: [] };
      this.run.added.push({ line: this.line, text });
    }
    if (!signs.includes('-') && !signs.startsWith('\\')) this.line += 1;
  }

  /** Lines that stand together are looked at together, if one of them is not in the net difference. */
  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (run !== undefined && run.added.some(({ text }) => !this.isKnown(text))) this.runs.push(run);
  }
}

function pathOf(name: string): string | undefined {
  const path = unquoted(name.replace(/\t$/, ''));
  return path === '/dev/null' ? undefined : path.replace(/^b\//, '');
}
