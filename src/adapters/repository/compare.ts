import type { TreeComparison, ComparisonBounds } from '../../ports/repository.ts';
import { GitFailure, tryGit } from './git.ts';
import { withDifference } from './listing.ts';
import type { Unsized } from './listing.ts';
import { readSmallObjects } from './read-small-objects.ts';
import { SUBMODULE } from './trees.ts';
import type { Trees } from './trees.ts';

/** With more differing files, git lists the second side. */
const MOST_CHANGES = 500;
/** A patch of short lines, with their signs and context, is longer than the files. */
const PATCH_BYTES = 4;

/**
 * Compares two commits or trees with few git processes: one lists the first side, one shows the differences and the
 * patch, one gives sizes and then small contents.
 */
export async function compareTrees(
  trees: Trees,
  from: string,
  to: string,
  bounds: ComparisonBounds,
): Promise<TreeComparison> {
  const before = await trees.files(from);
  const shown = await difference(trees.gitDir, from, to, bounds);
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

interface Shown {
  readonly gone: ReadonlySet<string>;
  readonly come: readonly Unsized[];
  readonly patch: string;
}

const isBlob = ({ mode }: Unsized): boolean => mode !== SUBMODULE;

/** Whether the second side follows from the first and this difference; names outside UTF-8 are ambiguous here. */
const isTold = ({ gone, come }: Shown): boolean =>
  come.length <= MOST_CHANGES && ![...gone, ...come.map(({ path }) => path)].some((path) => path.includes('\ufffd'));

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
    const { code, stdout, stderr, isCut } = await tryGit(words, { gitDir, most: PATCH_BYTES * most });
    if (isCut === true) continue;
    if (code !== 0) throw new GitFailure(`git diff-tree failed (${code}): ${stderr.trim().slice(0, 500)}`);
    return readRawAndPatch(stdout);
  }
  return undefined;
}

/** Parses `git diff-tree -r -z --raw -p -M`: records and names between zero bytes, an empty field, then the patch. */
function readRawAndPatch(output: Buffer): Shown {
  let at = 0;
  const field = (): string => {
    const end = output.indexOf(0, at);
    const text = output.toString('utf8', at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    return text;
  };
  const gone = new Set<string>();
  const come: Unsized[] = [];
  while (output[at] === COLON) {
    const [, mode = '', , oid = '', letter = ''] = field().split(' ');
    const path = field();
    gone.add(path);
    const name = letter.startsWith('R') ? field() : path;
    gone.add(name);
    if (letter !== 'D') come.push({ path: name, mode, oid });
  }
  return { gone, come, patch: output.toString('utf8', at + 1) };
}

const COLON = 58;
