/** One line of a patch as it is drawn. */
export interface DiffRow {
  /** Added, deleted, the head of a hunk, or neither. */
  readonly kind: 'a' | 'd' | 'h' | '';
  readonly text: string;
  /** Its number in the new file; null where it is not in it. */
  readonly line: number | null;
}

/** The lines of one file's patch, from its first hunk on, with their numbers in the new file; all of it where there is no hunk. */
export function rowsOf(patch: string): readonly DiffRow[] {
  const lines = patch.replace(/\n$/, '').split('\n');
  let next: number | null = null;
  return lines
    .slice(
      Math.max(
        0,
        lines.findIndex((line) => HUNK.test(line)),
      ),
    )
    .map((text) => {
      const begins = HUNK.exec(text)?.[1];
      if (begins !== undefined) {
        next = Number(begins);
        return { kind: 'h', text, line: null };
      }
      const kind = next === null ? '' : (KINDS[text[0] ?? ''] ?? '');
      if (next === null || kind === 'd' || text.startsWith('\\')) return { kind, text, line: null };
      next += 1;
      return { kind, text, line: next - 1 };
    });
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const KINDS: Readonly<Record<string, 'a' | 'd'>> = { '+': 'a', '-': 'd' };
