import { runGit } from './run-git.ts';

/** An object's size in bytes, and its content if wanted. */
interface SizedObject {
  readonly size: number;
  readonly content?: Uint8Array;
}

/**
 * The sizes of objects, and the contents of those of at most `largest` bytes until `most` bytes are read, by one git,
 * which gets the contents' names after all sizes. Missing objects are left out.
 */
export async function readSmallObjects(
  gitDir: string,
  oids: readonly string[],
  { largest, most }: { readonly largest: number; readonly most: number },
): Promise<ReadonlyMap<string, SizedObject>> {
  if (oids.length === 0) return new Map();
  const wanted: string[] = [];
  let sizes: ReadonlyMap<string, number> = new Map();
  const stdout = await runGit(['cat-file', '--batch-command', '--buffer'], {
    gitDir,
    input: `${oids.map((oid) => `info ${oid}\n`).join('')}flush\n`,
    reply: (output) => {
      const found = sizesIn(output, oids.length);
      if (found === undefined) return undefined;
      sizes = found;
      let left = most;
      for (const [oid, size] of sizes) {
        if (size > Math.min(largest, left)) continue;
        left -= size;
        wanted.push(oid);
      }
      return wanted.map((oid) => `contents ${oid}\n`).join('');
    },
  });
  const found = new Map([...sizes].map(([oid, size]): [string, SizedObject] => [oid, { size }]));
  let at = endOfRow(stdout, oids.length);
  for (const oid of wanted) {
    const size = sizes.get(oid) ?? 0;
    const start = stdout.indexOf(NEW_LINE, at) + 1;
    found.set(oid, { size, content: stdout.subarray(start, start + size) });
    at = start + size + 1;
  }
  return found;
}

const NEW_LINE = 10;

/** The sizes by `oid type size`, one row each; undefined while rows are missing. */
function sizesIn(output: Buffer, rows: number): ReadonlyMap<string, number> | undefined {
  const end = endOfRow(output, rows);
  if (end === -1) return undefined;
  const found = output
    .toString('utf8', 0, end)
    .split('\n')
    .flatMap((row): [string, number][] => {
      const [, oid = '', size = ''] = /^([0-9a-f]+) \w+ (\d+)$/.exec(row) ?? [];
      return oid === '' ? [] : [[oid, Number(size)]];
    });
  return new Map(found);
}

/** The offset after this many rows; -1 while they are incomplete. */
function endOfRow(output: Buffer, rows: number): number {
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    const end = output.indexOf(NEW_LINE, at);
    if (end === -1) return -1;
    at = end + 1;
  }
  return at;
}
