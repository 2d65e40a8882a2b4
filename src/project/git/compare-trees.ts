import { askGit } from './run-git.ts';
import { isTold, readPathChanges, withDifference, type PathChanges, type Unsized } from './listing.ts';
import { readSmallObjects } from './read-small-objects.ts';
import { SUBMODULE, type Trees } from './trees.ts';

/** The limits of a comparison. */
interface ComparisonBounds {
  /** A larger file (in bytes) is binary in the patch, without its content. */
  readonly largest: number;
  /** Limit of bytes of contents; a patch several times as long is left out. */
  readonly most: number;
  /** Further files to read on either side, so that git is not asked again. */
  readonly also: (path: string) => boolean;
}

/** A patch of short lines, with their signs and context, is longer than the files. */
const PATCH_BYTES = 4;

/**
 * Compares two commits or trees with few git processes: one lists the first side, one shows the differences and the
 * patch, one gives sizes and then small contents.
 */
export async function compareTrees(trees: Trees, from: string, to: string, bounds: ComparisonBounds) {
  const before = await trees.files(from);
  const shown = cachedDifference(trees, from, to, bounds) ?? (await difference(trees.gitDir, from, to, bounds));
  if (shown === undefined) return { patch: undefined, before, after: await trees.files(to), contents: new Map() };
  const listed = isTold(shown) ? undefined : await trees.files(to);
  const wanted = [...shown.come, ...before.filter(({ path }) => bounds.also(path))].filter(isBlob);
  const unknown = wanted.map(({ oid }) => oid).filter((oid) => trees.known.content(oid) === undefined);
  const read = await readSmallObjects(trees.gitDir, [...new Set(unknown)], bounds);
  for (const [oid, { content }] of read) if (content !== undefined) trees.known.keepContent(oid, content);
  const contentOf = (oid: string): Uint8Array | undefined => read.get(oid)?.content ?? trees.known.content(oid);
  const sized = shown.come.map((file) => ({
    ...file,
    size: read.get(file.oid)?.size ?? contentOf(file.oid)?.length ?? 0,
  }));
  const after = listed ?? withDifference(before, shown.gone, sized);
  trees.known.keepListing(to, after, sized);
  return {
    patch: shown.patch,
    before,
    after,
    contents: new Map(
      shown.come.filter(isBlob).flatMap(({ path, oid }) => {
        const content = path.includes('\ufffd') ? undefined : contentOf(oid);
        return content === undefined ? [] : [[path, content]];
      }),
    ),
  };
}

interface Shown extends PathChanges {
  readonly patch: string;
}

const isBlob = ({ mode }: Unsized): boolean => mode !== SUBMODULE;

/** The same where a diff of the two was made before, and no file is too large; undefined where that is not known. */
function cachedDifference(
  { known }: Trees,
  from: string,
  to: string,
  { largest, most }: ComparisonBounds,
): Shown | undefined {
  const [changes, patch] = [known.changes.get(from, to), known.patches.get(from, to)];
  if (changes === undefined || patch === undefined || patch.length > most) return undefined;
  const isSmall = ({ oid }: Unsized): boolean => (known.content(oid)?.length ?? Number.POSITIVE_INFINITY) <= largest;
  return changes.come.every(isSmall) ? { ...changes, patch } : undefined;
}

/** The changed files and their patch, in which a too large file is binary; undefined where the whole is too large. */
async function difference(
  gitDir: string,
  from: string,
  to: string,
  { largest, most }: ComparisonBounds,
): Promise<Shown | undefined> {
  const threshold = ['-c', `core.bigFileThreshold=${largest}`];
  const shown = ['-r', '-z', '--raw', '-p', '-M', '--no-abbrev', '--no-color', '--no-ext-diff', '--no-textconv'];
  // Deleted lines do not count: where they make the patch long, they are left out.
  for (const shorter of [[], ['--irreversible-delete']]) {
    const words = [...threshold, 'diff-tree', ...shorter, ...shown, from, to];
    const { stdout, isCut } = await askGit(words, { gitDir, most: PATCH_BYTES * most });
    if (isCut === true) continue;
    const { end, ...changes } = readPathChanges(stdout);
    return { ...changes, patch: stdout.toString('utf8', end + 1) }; // an empty field is in front of the patch
  }
  return undefined;
}
